'use client';

import { useEffect, useRef, useState } from 'react';
import { readFilterTexts } from '#lib/events/query/filters.ts';
import {
  type DirectoryView,
  isOneStatus,
  toDirectoryView,
} from '#lib/events/view/directory-view.ts';
import { RepresentationLinks } from '../_components/representation-links.tsx';
import { DirectoryCounts } from './directory-counts.tsx';
import { toDirectoryRepresentations } from './directory-representations.ts';
import { DirectorySection } from './directory-section.tsx';
import { FilterForm, readForm } from './filter-form.tsx';
import { NoEvents } from './no-events.tsx';
import { Pager } from './pager.tsx';
import { useLiveEvents } from './use-live-events.ts';
import './directory.css';

export type DirectoryProps = Readonly<{
  /** What the server has hung. */
  wall: DirectoryView;
  /** The filters that it went by, as the query of an address. */
  search: string;
  today: string;
  timeZone: string;
  /** Whether the list is short enough to be asked for again and again. */
  isLive: boolean;
}>;

const typingPauseMs = 200;

/** The directory: its filters, its wall, and both kept up to date on an open tab. */
export function Directory({ wall, search: given, today, timeZone, isLive }: DirectoryProps) {
  const [search, setSearch] = useState(given);
  const form = useRef<HTMLFormElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const live = useLiveEvents({ search, timeZone, isOn: isLive });
  const filters = readFilterTexts(search);
  const shown = live.data
    ? toDirectoryView(live.data.events, { page: 1, isOneStatus: isOneStatus(filters.status) })
    : wall;
  const isFiltered = (live.data?.search ?? given) !== '';
  const firstKind = shown.sections.find(({ events }) => events.length > 0)?.kind;

  const onChange = (next: string) => {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => {
      setSearch(next);
      showInAddress(next);
    }, typingPauseMs);
  };

  // What was typed before this program was there, or is put back into the fields by the browser.
  useEffect(() => {
    const typed = form.current ? readForm(form.current) : given;
    if (!isLive || typed === given) return;
    setSearch(typed);
    showInAddress(typed);
  }, [isLive, given]);
  return (
    <>
      <div className="directory-controls">
        <FilterForm ref={form} filters={readFilterTexts(given)} {...(isLive && { onChange })} />
        <DirectoryCounts counts={shown.counts} isFiltered={isFiltered} />
        <RepresentationLinks forms={toDirectoryRepresentations(search, shown.paging?.page ?? 1)} />
      </div>
      {live.error && (
        <p className="notice notice-wrong" role="alert">
          The list could not be renewed; below is the last one.{' '}
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

function showInAddress(search: string): void {
  history.replaceState(history.state, '', `/${search}`);
}
