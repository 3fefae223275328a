import type { Metadata } from 'next';
import { firstDayOf, lastDayOf, toMonth } from '#lib/events/model/months.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { SearchParams } from '#lib/events/query/directory-query.ts';
import {
  type Filters,
  readFilterTexts,
  toListSearch,
  toSearch,
} from '#lib/events/query/filters.ts';
import { parseMonthQuery, toMonthSearch } from '#lib/events/query/month-query.ts';
import { toMonthAgenda } from '#lib/events/view/month/month-agenda.ts';
import { type MonthView, toMonthView } from '#lib/events/view/month/month-view.ts';
import { toMonthInWords } from '#lib/events/view/month/month-words.ts';
import { selectMonth } from '#lib/events/view/month/select-month.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/load-page-snapshot.ts';
import { Icon } from '../_components/icon.tsx';
import { PageFormats } from '../_components/page-formats.tsx';
import { ProblemNotice } from '../_components/problem-notice.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { ActiveFilters } from './active-filters.tsx';
import { EmptyMonth } from './empty-month.tsx';
import { MonthAgenda } from './month-agenda.tsx';
import { MonthGrid } from './month-grid.tsx';
import { MonthNav } from './month-nav.tsx';
import { OpenEnded } from './open-ended.tsx';
import './calendar.css';

export const dynamic = 'force-dynamic';

type MonthPageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

export async function generateMetadata({ searchParams }: MonthPageProps): Promise<Metadata> {
  const { site } = getServices();
  const { filters, month } = parseMonthQuery(await searchParams);
  const { view } = await loadMonth(filters, month);
  const words = toMonthInWords(view.month);
  return toPageMetadata({
    site,
    path: `/calendar${toMonthSearch({}, month)}`,
    markdown: `/calendar.md${toMonthSearch(filters, month)}`,
    filters,
    title: `Calendar: ${words}`,
    isIndexed: !hasNoDates(view),
    description: `What is on in ${words}: hackathons, jams and build nights, day by day.`,
  });
}

/** The month view: a grid of weeks, or a list of days on narrow screens. */
export default async function MonthPage({ searchParams }: MonthPageProps) {
  const query = parseMonthQuery(await searchParams);
  const { events, before, after, view, today } = await loadMonth(query.filters, query.month);
  const { month } = view;
  const filters = readFilterTexts(toSearch(query.filters));
  const isEmpty = hasNoDates(view);
  return (
    <>
      <header className="page-header">
        <MonthNav view={view} today={today} filters={filters} />
        <ActiveFilters
          filters={filters}
          toHref={(others) => `/calendar${toMonthSearch(others, query.month)}`}
        />
        <ProblemNotice problems={query.problems} />
      </header>
      {isEmpty && <EmptyMonth month={month} filters={filters} before={before} after={after} />}
      <MonthGrid view={view} filters={filters} />
      {!isEmpty && (
        <MonthAgenda
          agenda={toMonthAgenda(events, { month, today })}
          today={today}
          filters={filters}
        />
      )}
      <OpenEnded events={view.openEnded} today={today} />
      <MonthLinks month={month} filters={query.filters} urlMonth={query.month} />
    </>
  );
}

async function loadMonth(filters: Filters, urlMonth: string | null) {
  const snapshot = await loadPageSnapshot(getServices());
  const today = snapshot.day;
  const month = urlMonth ?? toMonth(today);
  const selected = selectMonth(snapshot, { filters, month });
  return { ...selected, today, view: toMonthView(selected.events, { month, today }) };
}

/** Whether nothing begins or ends in a month. */
function hasNoDates({ total, openEnded }: MonthView<MarqueeEvent>): boolean {
  return total === openEnded.length;
}

type MonthLinksProps = Readonly<{
  month: string;
  filters: Filters;
  /** The month in the URL. */
  urlMonth: string | null;
}>;

function MonthLinks({ month, filters, urlMonth }: MonthLinksProps) {
  const range = { ...filters, from: firstDayOf(month), to: lastDayOf(month) };
  return (
    <>
      <p className="month-subscribe">
        <a className="button-quiet" href={`/subscribe${toSearch(filters)}`}>
          <Icon name="bell" />
          Subscribe to this calendar
        </a>
      </p>
      <PageFormats
        subject="month"
        links={{
          Markdown: `/calendar.md${toMonthSearch(filters, urlMonth)}`,
          JSON: `/api/v1/events${toListSearch(range)}`,
          iCalendar: `/api/v1/events/calendar.ics${toListSearch(range)}`,
        }}
      />
    </>
  );
}
