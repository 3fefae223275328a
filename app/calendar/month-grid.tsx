import { toWeekdayInWords, weekdayNames } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import type { MonthDay, MonthView } from '#lib/events/view/month/month-view.ts';
import { MonthBar } from './month-bar.tsx';
import './month-grid.css';

type MonthGridProps = Readonly<{
  caption: string;
  weeks: MonthView<MarqueeEvent>['weeks'];
  filters: EventsQuery;
}>;

const mondayFirst = [...weekdayNames.slice(1), ...weekdayNames.slice(0, 1)];

/** Weeks of a month as a table. Each event is listed once a week, on the first of its days there. */
export function MonthGrid({ caption, weeks, filters }: MonthGridProps) {
  return (
    <table className="month-grid">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {mondayFirst.map((name) => (
            <th key={name} scope="col">
              <abbr title={name}>{name.slice(0, 3)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ days, slots }) => (
          <tr key={days[0]?.date} style={{ '--slots': Math.max(1, slots) }}>
            {days.map((day) => (
              <Day key={day.date} day={day} filters={filters} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DayProps = Readonly<{ day: MonthDay<MarqueeEvent>; filters: EventsQuery }>;

function Day({ day, filters }: DayProps) {
  const { date, isInMonth, isToday, bars, hidden, total } = day;
  const href = `/${formatQuery({ ...filters, from: date, to: date })}`;
  const number = <DayNumber day={day} />;
  return (
    <td data-outside={isInMonth ? undefined : ''} data-today={isToday ? '' : undefined}>
      {total > 0 ? (
        <a className="month-day" href={href} rel="nofollow">
          {number}
        </a>
      ) : (
        <span className="month-day">{number}</span>
      )}
      {bars.length > 0 && (
        <ul>
          {bars.map((bar) => (
            <MonthBar key={bar.event.id} bar={bar} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <a className="month-more" href={href} rel="nofollow">
          +{hidden} more<span className="visually-hidden"> on {toWeekdayInWords(date)}</span>
        </a>
      )}
    </td>
  );
}

function DayNumber({ day: { date, isToday } }: Readonly<{ day: DayProps['day'] }>) {
  const words = toWeekdayInWords(date);
  const [, number, month = ''] = words.split(' ');
  return (
    <time dateTime={date} aria-current={isToday ? 'date' : undefined}>
      <span aria-hidden="true">{number === '1' ? `1 ${month.slice(0, 3)}` : number}</span>
      <span className="visually-hidden">
        {words}
        {isToday && ', today'}
      </span>
    </time>
  );
}
