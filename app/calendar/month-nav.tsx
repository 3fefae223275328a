import { addMonths, isMonthInReach, toMonth, toMonthInWords } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import type { MonthView } from '#lib/events/view/month/month-view.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';

type MonthNavProps = Readonly<{
  view: MonthView<MarqueeEvent>;
  today: string;
  filters: EventsQuery;
}>;

/** The title of the month, and links to the months around it. */
export function MonthNav({ view, today, filters }: MonthNavProps) {
  const { month } = view;
  const current = toMonth(today);
  const toHref = (other: string) =>
    `/calendar${formatQuery({ ...filters, month: other === current ? undefined : other })}`;
  const [previous, next] = [addMonths(month, -1), addMonths(month, 1)];
  return (
    <div className="month-head">
      <h1>{toMonthInWords(month)}</h1>
      <p className="month-total">{toTotalInWords(view)}</p>
      <nav className="month-nav" aria-label="Months">
        {isMonthInReach(previous, today) && (
          <a className="button-quiet" rel="prev" href={toHref(previous)}>
            <span aria-hidden="true">←</span> <MonthName month={previous} />
          </a>
        )}
        <a
          className="button-quiet"
          href={toHref(current)}
          aria-current={month === current ? 'page' : undefined}
        >
          This month
        </a>
        {isMonthInReach(next, today) && (
          <a className="button-quiet" rel="next" href={toHref(next)}>
            <MonthName month={next} /> <span aria-hidden="true">→</span>
          </a>
        )}
      </nav>
    </div>
  );
}

function toTotalInWords({ total, openEnded: { length } }: MonthView<MarqueeEvent>): string {
  const words = formatCountOf(total, 'event');
  if (length === 0) return words;
  return `${words}, ${length === total ? '' : `${formatCount(length)} of them `}open-ended`;
}

/** Abbreviated for the eye, in full for screen readers. */
function MonthName({ month }: Readonly<{ month: string }>) {
  const words = toMonthInWords(month);
  const shown = words.slice(0, 'Dec'.length);
  return (
    <span>
      {shown}
      <span className="visually-hidden">{words.slice(shown.length)}</span>
    </span>
  );
}
