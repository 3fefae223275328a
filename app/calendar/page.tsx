import type { Metadata } from 'next';
import { firstDayOf, lastDayOf, toMonth, toMonthInWords } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery, type SearchParams } from '#lib/events/query/page-query.ts';
import { suggestNames } from '#lib/events/search/nearest-names.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toMonthAgenda } from '#lib/events/view/month/month-agenda.ts';
import { type MonthView, toMonthView } from '#lib/events/view/month/month-view.ts';
import { calendarRow, listRow } from '#lib/events/view/representation-table.ts';
import { selectSearchNotes } from '#lib/events/view/search-notes.ts';
import { type NearMonth, selectLowPrice, selectMonth } from '#lib/events/view/select-views.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { AgendaEvent } from '../_components/events/agenda-event.tsx';
import { Icon } from '../_components/icon.tsx';
import { LayoutSwitch } from '../_components/layout-switch.tsx';
import { NameNotice } from '../_components/notices.tsx';
import { PageFormats, toPathsByTitle } from '../_components/page-formats.tsx';
import { ProblemNotice } from '../_components/problem-notice.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { MonthAgenda } from './month-agenda.tsx';
import { MonthFilters } from './month-filters.tsx';
import { MonthGrid } from './month-grid.tsx';
import { MonthNav } from './month-nav.tsx';
import './calendar.css';

type MonthPageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

export async function generateMetadata({ searchParams }: MonthPageProps): Promise<Metadata> {
  const { query } = parsePageQuery('month', await searchParams);
  const { month, ...filters } = query;
  const { view } = await loadMonth(query);
  const words = toMonthInWords(view.month);
  return toPageMetadata({
    path: `/calendar${formatQuery({ month })}`,
    markdown: `/calendar.md${formatQuery(query)}`,
    filters,
    title: `Calendar: ${words}`,
    isIndexed: !hasNoDates(view),
    description: `What is on in ${words}: hackathons, jams and build nights, day by day.`,
  });
}

/** The month view: a grid of weeks, or a list of days on narrow screens. */
export default async function MonthPage({ searchParams }: MonthPageProps) {
  const { query, problems } = parsePageQuery('month', await searchParams);
  const { events, before, after, view, today, notes, suggestions, lowPrice } =
    await loadMonth(query);
  const { month } = view;
  const { month: urlMonth, ...filters } = query;
  const isEmpty = hasNoDates(view);
  return (
    <>
      <header className="page-header">
        <MonthNav view={view} today={today} filters={filters} />
        <LayoutSwitch layout="month" filters={filters} />
        <MonthFilters
          filters={filters}
          month={urlMonth}
          notes={notes}
          today={today}
          lowPrice={lowPrice}
        />
        <ProblemNotice problems={problems} />
        <NameNotice
          suggestions={suggestions}
          toHref={(others) => `/calendar${formatQuery({ ...others, month: urlMonth })}`}
        />
      </header>
      {isEmpty && <EmptyMonth month={month} filters={filters} before={before} after={after} />}
      <OpenEnded events={view.openEnded} today={today} />
      <MonthWeeks view={view} today={today} filters={filters} />
      {!isEmpty && (
        <MonthAgenda
          agenda={toMonthAgenda(events, { month, today })}
          today={today}
          filters={filters}
        />
      )}
      <MonthLinks month={month} query={query} />
    </>
  );
}

async function loadMonth({ month: urlMonth, ...filters }: EventsQuery) {
  const snapshot = await loadPageSnapshot(getServices());
  const today = snapshot.day;
  const month = urlMonth ?? toMonth(today);
  const selected = selectMonth(snapshot, { filters, month });
  const notes = selectSearchNotes(snapshot, filters, false);
  const suggestions = suggestNames(snapshot, filters);
  const view = toMonthView(selected.events, { month, today });
  const lowPrice = selectLowPrice(snapshot);
  return { ...selected, notes, suggestions, today, view, lowPrice };
}

/** Whether nothing begins or ends in a month. */
function hasNoDates({ total, openEnded }: MonthView<MarqueeEvent>): boolean {
  return total === openEnded.length;
}

type MonthWeeksProps = Readonly<{
  view: MonthView<MarqueeEvent>;
  today: string;
  filters: EventsQuery;
}>;

/** The current month begins with this week; earlier ones are collapsed. */
function MonthWeeks({ view: { month, weeks }, today, filters }: MonthWeeksProps) {
  const isOver = ({ days }: (typeof weeks)[number]) => (days.at(-1)?.date ?? '') < today;
  const earlier = month === toMonth(today) ? weeks.filter(isOver) : [];
  const caption = `${toMonthInWords(month)}, week by week`;
  return (
    <>
      {earlier.length > 0 && (
        <details className="month-earlier">
          <summary>Earlier this month</summary>
          <MonthGrid caption={`${caption}: earlier`} weeks={earlier} filters={filters} />
        </details>
      )}
      <MonthGrid caption={caption} weeks={weeks.slice(earlier.length)} filters={filters} />
    </>
  );
}

type MonthLinksProps = Readonly<{
  month: string;
  query: EventsQuery;
}>;

function MonthLinks({ month, query }: MonthLinksProps) {
  const { month: _, ...filters } = query;
  const range = { ...filters, from: firstDayOf(month), to: lastDayOf(month) };
  return (
    <>
      <p className="month-subscribe">
        <a className="button-quiet" href={`/subscribe${formatQuery(filters)}`}>
          <Icon name="bell" />
          Subscribe to this calendar
        </a>
      </p>
      <PageFormats
        subject="month"
        links={{
          Markdown: `/calendar.md${formatQuery(query)}`,
          ...toPathsByTitle([listRow, calendarRow], range),
        }}
      />
    </>
  );
}

type OpenEndedProps = Readonly<{ events: readonly MarqueeEvent[]; today: string }>;

/** Most events in the list; the directory has all of them. */
const shownMax = 12;

/** Events without an end in a strip: a bar in every week forever would say nothing. */
function OpenEnded({ events, today }: OpenEndedProps) {
  if (events.length === 0) return null;
  const shown = events.slice(0, shownMax);
  return (
    <section className="open-ended" aria-labelledby="open-ended">
      <h2 id="open-ended">
        Open-ended <span className="count">{events.length}</span>
      </h2>
      <ul className="agenda-list">
        {shown.map((event) => (
          <AgendaEvent key={event.id} event={event} today={today} />
        ))}
      </ul>
      {shown.length < events.length && (
        <p className="month-total">
          {shown.length} of {events.length}. <a href="/?status=ongoing">See everything on now</a>
        </p>
      )}
    </section>
  );
}

type EmptyMonthProps = Readonly<{
  month: string;
  filters: EventsQuery;
  before: NearMonth | null;
  after: NearMonth | null;
}>;

/** Says that a month has no events, and where the closest ones are. */
function EmptyMonth({ month, filters, before, after }: EmptyMonthProps) {
  const toHref = (near: NearMonth) => `/calendar${formatQuery({ ...filters, month: near.month })}`;
  return (
    <div className="notice empty-month">
      <p>
        Nothing {hasFilters(filters) && 'that matches '}is on in {toMonthInWords(month)}.
      </p>
      {after && (
        <p>
          Next: <bdi>{toEventTitle(after.event)}</bdi> in{' '}
          <a href={toHref(after)}>{toMonthInWords(after.month)}</a>
        </p>
      )}
      {before && (
        <p>
          Before: <bdi>{toEventTitle(before.event)}</bdi> in{' '}
          <a href={toHref(before)}>{toMonthInWords(before.month)}</a>
        </p>
      )}
    </div>
  );
}

function hasFilters(filters: EventsQuery): boolean {
  return Object.values(filters).some(Boolean);
}
