import type { Metadata } from 'next';
import { firstDayOf, lastDayOf, toMonth } from '#lib/events/model/months.ts';
import type { SearchParams } from '#lib/events/query/directory-query.ts';
import { readFilterTexts, toListSearch, toSearch } from '#lib/events/query/filters.ts';
import { parseMonthQuery, toMonthSearch } from '#lib/events/query/month-query.ts';
import { toMonthAgenda } from '#lib/events/view/month/month-agenda.ts';
import { toMonthView } from '#lib/events/view/month/month-view.ts';
import { toMonthInWords } from '#lib/events/view/month/month-words.ts';
import { selectMonth } from '#lib/events/view/month/select-month.ts';
import { loadPageSnapshot } from '#lib/pages/load-page-snapshot.ts';
import { getServices } from '#lib/services.ts';
import { ActiveFilters } from '../_components/active-filters.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { ProblemNotice } from '../(directory)/problem-notice.tsx';
import { EmptyMonth } from './empty-month.tsx';
import { MonthAgenda } from './month-agenda.tsx';
import { MonthGrid } from './month-grid.tsx';
import { MonthNav } from './month-nav.tsx';
import { OpenEnded } from './open-ended.tsx';
import './calendar.css';

export const dynamic = 'force-dynamic';

type MonthPageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

export async function generateMetadata({ searchParams }: MonthPageProps): Promise<Metadata> {
  const services = getServices();
  const { site } = services;
  const { filters, month } = parseMonthQuery(await searchParams);
  const { day } = await loadPageSnapshot(services);
  const words = toMonthInWords(month ?? toMonth(day));
  return toPageMetadata({
    site,
    path: `/calendar${toMonthSearch({}, month)}`,
    markdown: `/calendar.md${toMonthSearch(filters, month)}`,
    calendar: `/api/v1/events/calendar.ics${toListSearch(filters)}`,
    title: `Calendar: ${words}`,
    description: `What is on in ${words}: hackathons, jams and build nights, day by day.`,
  });
}

/** The month view: a grid of weeks, or a list of days on narrow screens. */
export default async function MonthPage({ searchParams }: MonthPageProps) {
  const services = getServices();
  const query = parseMonthQuery(await searchParams);
  const snapshot = await loadPageSnapshot(services);
  const today = snapshot.day;
  const month = query.month ?? toMonth(today);
  const { events, before, after } = selectMonth(snapshot, { filters: query.filters, month });
  const view = toMonthView(events, { month, today });
  const filters = readFilterTexts(toSearch(query.filters));
  const isEmpty = view.total === view.openEnded.length;
  return (
    <div className="month-page">
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
      <MonthLinks month={month} filters={query.filters} asked={query.month} />
    </div>
  );
}

type MonthLinksProps = Readonly<{
  month: string;
  filters: ReturnType<typeof parseMonthQuery>['filters'];
  /** The month in the URL. */
  asked: string | null;
}>;

function MonthLinks({ month, filters, asked }: MonthLinksProps) {
  const range = { ...filters, from: firstDayOf(month), to: lastDayOf(month) };
  return (
    <p className="month-links">
      <a href={`/subscribe${toSearch(filters)}`}>Subscribe to this calendar</a>
      <span>
        This month as <a href={`/calendar.md${toMonthSearch(filters, asked)}`}>Markdown</a> ·{' '}
        <a href={`/api/v1/events${toListSearch(range)}`}>JSON</a> ·{' '}
        <a href={`/api/v1/events/calendar.ics${toListSearch(range)}`}>iCalendar</a>
      </span>
    </p>
  );
}
