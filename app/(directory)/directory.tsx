'use client';

import { useRef } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  formatListQuery,
  formatQuery,
  isReversed,
  readFilters,
  withoutFilters,
} from '#lib/events/query/events-query.ts';
import type { NearEvents } from '#lib/events/search/nearest-events.ts';
import type { SearchChip } from '#lib/events/search/parse-search.ts';
import { type DirectoryView, toDirectoryView } from '#lib/events/view/directory/directory-view.ts';
import { Icon } from '../_components/icon.tsx';
import { LayoutSwitch } from '../_components/layout-switch.tsx';
import { RetryNotice } from '../_components/notices.tsx';
import { PageFormats, toListFormats } from '../_components/page-formats.tsx';
import { PageLinks } from '../_components/page-links.tsx';
import { type ChangeKind, onPlainClick } from '../_components/use-url-history.ts';
import { FilterChips } from './_filters/filter-chips.tsx';
import { FilterForm } from './_filters/filter-form.tsx';
import {
  readForm,
  rememberLayout,
  useDirectoryUrl,
  writeForm,
} from './_filters/use-directory-url.ts';
import { DirectoryCounts } from './directory-counts.tsx';
import { DirectorySection, NoEvents } from './directory-section.tsx';
import { useLiveEvents, useNearEvents, useSearchChips } from './use-live-events.ts';
import './directory.css';
import './event-list.css';

export type DirectoryProps = Readonly<{
  /** The view that the server rendered. */
  view: DirectoryView;
  /** Events to suggest if it is empty. */
  near: NearEvents | null;
  /** Its filters as a query string. */
  search: string;
  /** Days of the URL that are the wrong way round: the view ignores them, the form shows them. */
  reversed: Pick<EventsQuery, 'from' | 'to'> | undefined;
  layout: DirectoryLayout;
  today: string;
  timeZone: string;
  /** What the server understood of the search. */
  searchChips: readonly SearchChip[];
  /** For searches in this tab. */
  cities: readonly string[];
  /** Whether the list is short enough to be reloaded every minute. */
  isLive: boolean;
}>;

const typingPauseMs = 200;
/** Where each change loads a page. */
const loadPauseMs = 500;

/** Filters and posters; on an open tab they stay up to date. */
export function Directory(props: DirectoryProps) {
  const { view, search: initialSearch, today: initialToday, timeZone, isLive } = props;
  const form = useRef<HTMLFormElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { filters, layout, change, settle } = useDirectoryUrl({
    form,
    isLive,
    filters: { ...readFilters(new URLSearchParams(initialSearch)), ...props.reversed },
    layout: props.layout,
  });
  // Until the days are put right, the list ignores them.
  const applied = isReversed(filters) ? withoutFilters(filters, 'from', 'to') : filters;
  const live = useLiveEvents({ search: formatListQuery(applied), timeZone, isOn: isLive });
  const shown = live.data ? toDirectoryView(live.data.events, { ...live.data, page: 1 }) : view;
  const today = live.data?.today ?? initialToday;
  const shownSearch = live.data?.search ?? initialSearch;
  const isFiltered = shownSearch !== '';
  const isEmpty = shown.counts.all === 0;
  const near = useNearEvents(applied, {
    isOn: isLive && isEmpty && live.data !== undefined,
    rendered: props.near,
  });
  const searchChips = useSearchChips(filters.q ?? '', {
    rendered: {
      q: readFilters(new URLSearchParams(initialSearch)).q ?? '',
      chips: props.searchChips,
    },
    context: { today, cities: props.cities },
  });
  const firstKind = shown.sections.find(({ events }) => events.length > 0)?.kind;

  const changeFilters = (next: EventsQuery, kind: ChangeKind) => {
    clearTimeout(typing.current);
    const apply = () => change({ filters: next, layout }, kind);
    if (kind === 'typed') typing.current = setTimeout(apply, isLive ? typingPauseMs : loadPauseMs);
    else apply();
  };
  const chooseFilters = (choose: (from: EventsQuery) => EventsQuery) => {
    // What was typed a moment ago counts.
    const next = choose(form.current ? readForm(form.current) : filters);
    if (form.current) writeForm(form.current, next);
    changeFilters(next, 'chosen');
  };
  const changeLayout = (next: DirectoryLayout) => {
    rememberLayout(next);
    change({ filters, layout: next }, 'chosen');
  };
  return (
    <>
      <div className="directory-controls">
        <FilterForm
          ref={form}
          filters={filters}
          layout={layout}
          onChange={changeFilters}
          onSettle={settle}
          onClear={() => chooseFilters(({ q: _, ...rest }) => rest)}
        />
        <a className="button subscribe-link" href={`/subscribe${formatQuery(applied)}`}>
          <Icon name="bell" />
          Subscribe
        </a>
        <FilterChips
          filters={applied}
          searchChips={searchChips}
          today={today}
          hasTimes={hasTimes(view)}
          onChange={chooseFilters}
        />
        <DirectoryCounts
          view={shown}
          isFiltered={isFiltered}
          onClear={() => chooseFilters(() => ({}))}
        />
        <LayoutSwitch
          layout={layout}
          filters={filters}
          toOnClick={(next) => onPlainClick(() => changeLayout(next))}
        />
      </div>
      {live.error && (
        <RetryNotice onRetry={() => live.mutate()}>
          Couldn’t refresh. This is the last list we have.
        </RetryNotice>
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
        {isEmpty && <NoEvents isFiltered={isFiltered} near={near} today={today} />}
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

function hasTimes({ sections }: DirectoryView): boolean {
  return sections.some(({ events }) => events.some(({ startsAt }) => startsAt !== null));
}
