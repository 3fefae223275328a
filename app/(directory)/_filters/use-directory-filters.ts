import { useRef } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  isReversed,
  withoutFilters,
} from '#lib/events/query/events-query.ts';
import type { ChangeKind } from '../../_components/use-url-history.ts';
import { readForm, rememberLayout, useDirectoryUrl, writeForm } from './use-directory-url.ts';

const typingPauseMs = 200;
/** Where each change loads a page. */
const loadPauseMs = 500;

type DirectoryFiltersOptions = Readonly<{
  /** Those that the server rendered. */
  filters: EventsQuery;
  layout: DirectoryLayout;
  /** Whether filters apply in this tab; otherwise the filtered page is loaded. */
  isLive: boolean;
}>;

export type DirectoryFilters = ReturnType<typeof useDirectoryFilters>;

/** The filters and the layout, and what the controls of the page do to them. */
export function useDirectoryFilters(options: DirectoryFiltersOptions) {
  const { isLive } = options;
  const form = useRef<HTMLFormElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { filters, layout, change, settle } = useDirectoryUrl({ form, ...options });

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
  return {
    form,
    filters,
    /** Until the days are put right, the list ignores them. */
    applied: isReversed(filters) ? withoutFilters(filters, 'from', 'to') : filters,
    layout,
    changeFilters,
    chooseFilters,
    changeLayout,
    settle,
  };
}
