'use client';

import { useEffect, useRef, useState } from 'react';
import {
  type FilterTexts,
  readFilterTexts,
  toListSearch,
  toSearch,
} from '#lib/events/query/filters.ts';
import {
  type DirectoryView,
  isOneStatus,
  toDirectoryView,
} from '#lib/events/view/directory-view.ts';
import { RepresentationLinks } from '../_components/representation-links.tsx';
import { DirectoryCounts } from './directory-counts.tsx';
import { DirectorySection } from './directory-section.tsx';
import { FilterForm, readForm } from './filter-form.tsx';
import { NoEvents } from './no-events.tsx';
import { Pager } from './pager.tsx';
import { useLiveEvents } from './use-live-events.ts';
import './directory.css';

export type DirectoryProps = Readonly<{
  /** The view that the server rendered. */
  view: DirectoryView;
  /** Its filters as a query string. */
  search: string;
  today: string;
  timeZone: string;
  /** Whether the list is short enough to be reloaded every minute. */
  isLive: boolean;
}>;

const typingPauseMs = 200;

/** Filters and posters; on an open tab they stay up to date. */
export function Directory({
  view,
  search: initialSearch,
  today,
  timeZone,
  isLive,
}: DirectoryProps) {
  const [search, setSearch] = useState(initialSearch);
  const form = useRef<HTMLFormElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const filters = readFilterTexts(search);
  const live = useLiveEvents({ search: toListSearch(filters), timeZone, isOn: isLive });
  const shown = live.data
    ? toDirectoryView(live.data.events, { page: 1, isOneStatus: isOneStatus(filters.status) })
    : view;
  const isFiltered = (live.data?.search ?? initialSearch) !== '';
  const firstKind = shown.sections.find(({ events }) => events.length > 0)?.kind;

  const onChange = (next: string) => {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => {
      setSearch(next);
      replaceUrl(next);
    }, typingPauseMs);
  };

  // Fields may have been filled in before hydration, or restored by the browser.
  useEffect(() => {
    const typed = form.current ? readForm(form.current) : initialSearch;
    if (!isLive || typed === initialSearch) return;
    setSearch(typed);
    replaceUrl(typed);
  }, [isLive, initialSearch]);
  return (
    <>
      <div className="directory-controls">
        <FilterForm
          ref={form}
          filters={readFilterTexts(initialSearch)}
          {...(isLive && { onChange })}
        />
        <DirectoryCounts counts={shown.counts} isFiltered={isFiltered} />
        <RepresentationLinks links={toLinks(filters, shown.paging?.page ?? 1)} />
      </div>
      {live.error && (
        <p className="notice notice-wrong" role="alert">
          The list could not be updated. You see the last version.{' '}
          <button type="button" className="button-quiet" onClick={() => live.mutate()}>
            Try again
          </button>
        </p>
      )}
      <div className="directory" aria-busy={live.isLoading}>
        {shown.sections.map((section) => (
          <DirectorySection
            key={section.kind}
            section={section}
            today={live.data?.today ?? today}
            filters={filters}
            isFirst={section.kind === firstKind}
            isPaged={shown.paging !== null}
          />
        ))}
        {shown.counts.all === 0 && <NoEvents isFiltered={isFiltered} />}
        {shown.paging && <Pager filters={filters} paging={shown.paging} />}
      </div>
    </>
  );
}

/** The filters apply to every representation; only pages are paged. */
function toLinks(filters: FilterTexts, page: number): Record<string, string> {
  const search = toListSearch(filters);
  const paged = toSearch(filters, page);
  return {
    Page: `/${paged}`,
    Markdown: `/index.md${paged}`,
    JSON: `/api/v1/events${search}`,
    RSS: `/api/v1/events/rss${search}`,
    Calendar: `/api/v1/events/calendar.ics${search}`,
  };
}

function replaceUrl(search: string): void {
  history.replaceState(history.state, '', `/${search}`);
}
