'use client';

import {
  type DirectoryLayout,
  type EventsQuery,
  formatListQuery,
  formatQuery,
  readFilters,
} from '#lib/events/query/events-query.ts';
import { toPeriodStart } from '#lib/events/query/quick-dates.ts';
import {
  type DirectoryView,
  findFirstKind,
  toDirectoryView,
} from '#lib/events/view/directory/directory-view.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { RetryNotice } from '../_components/notices.tsx';
import { PageFormats, toListFormats } from '../_components/page-formats.tsx';
import { DirectoryControls } from './_filters/directory-controls.tsx';
import { useDirectoryFilters } from './_filters/use-directory-filters.ts';
import { DirectorySection, NoEvents } from './directory-section.tsx';
import { PageLinks } from './page-links.tsx';
import { useLiveEvents, useSearchNotes } from './use-live-events.ts';
import './directory.css';
import './event-list.css';

export type DirectoryProps = Readonly<{
  /** The view that the server rendered. */
  view: DirectoryView;
  notes: SearchNotes;
  /** Its filters as a query string. */
  search: string;
  /** Days of the URL that are the wrong way round: the view ignores them, the form shows them. */
  reversed: Pick<EventsQuery, 'from' | 'to'> | undefined;
  layout: DirectoryLayout;
  today: string;
  timeZone: string;
  /** Whether any event has a clock time. */
  hasTimes: boolean;
  /** See `selectLowPrice`. */
  lowPrice: string | null;
  /** Whether the list is short enough to be reloaded every minute. */
  isLive: boolean;
}>;

/** Filters and posters; on an open tab they stay up to date. */
export function Directory(props: DirectoryProps) {
  const { view, search: initialSearch, today: initialToday, timeZone, isLive } = props;
  const initialFilters = readFilters(new URLSearchParams(initialSearch));
  const controls = useDirectoryFilters({
    filters: { ...initialFilters, ...props.reversed },
    layout: props.layout,
    isLive,
  });
  const { applied, layout } = controls;
  const live = useLiveEvents({
    search: formatListQuery(applied),
    rendered: formatListQuery(initialFilters),
    timeZone,
    isOn: isLive,
  });
  const today = live.data?.today ?? initialToday;
  const shownSearch = live.data?.search ?? initialSearch;
  const isFiltered = shownSearch !== '';
  const { notes, loader } = useSearchNotes(formatQuery(applied), {
    isOn: isLive,
    rendered: { search: initialSearch, notes: props.notes },
  });
  const shown = live.data
    ? toDirectoryView(
        live.data.events.map((event) => ({ ...event, ...notes.seen[event.id] })),
        {
          ...live.data,
          page: 1,
          scores: notes.scores,
          periodStart: toPeriodStart(live.data.filters, today) ?? notes.periodStart,
        },
      )
    : view;
  const isEmpty = shown.total === 0;
  const firstKind = findFirstKind(shown);
  return (
    <>
      <DirectoryControls
        {...controls}
        shown={shown}
        isFiltered={isFiltered}
        notes={notes}
        today={today}
        hasTimes={props.hasTimes}
        lowPrice={props.lowPrice}
      />
      {live.loader}
      {loader}
      {live.error && (
        <RetryNotice onRetry={() => live.retry()}>Couldn’t refresh this list.</RetryNotice>
      )}
      <div className="directory" data-layout={layout} aria-busy={live.isLoading}>
        {shown.sections.map((section) => (
          <DirectorySection
            // Another query has a list of its own, so that nothing of the previous one moves.
            key={`${section.kind} ${shownSearch}`}
            section={section}
            today={today}
            filters={applied}
            layout={layout}
            isFirst={section.kind === firstKind}
            isPaged={shown.paging !== null}
          />
        ))}
        {isEmpty && <NoEvents isFiltered={isFiltered} near={notes.near} today={today} />}
        {shown.paging && <Pager filters={applied} layout={layout} paging={shown.paging} />}
      </div>
      <PageFormats
        subject="list"
        // Only the page and its Markdown are paginated.
        links={toListFormats(
          `/index.md${formatQuery({ ...applied, page: shown.paging?.page ?? 1 })}`,
          applied,
        )}
      />
    </>
  );
}

type PagerProps = Readonly<{
  filters: EventsQuery;
  layout: DirectoryLayout;
  paging: NonNullable<DirectoryView['paging']>;
}>;

/** Links to the previous and next page of a long list. */
function Pager({ filters, layout, paging: { page, pages } }: PagerProps) {
  const toHref = (other: number) => `/${formatQuery({ ...filters, view: layout, page: other })}`;
  return <PageLinks className="row more" page={page} pages={pages} toHref={toHref} />;
}
