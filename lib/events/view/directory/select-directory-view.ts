import type { DirectoryQuery } from '../../query/directory-query.ts';
import { toListFilters, toSearch } from '../../query/filters.ts';
import { selectEvents } from '../../search/select-events.ts';
import type { EventsSnapshot } from '../../source/snapshot.ts';
import { type DirectoryView, toDirectoryView } from './directory-view.ts';

/**
 * The directory view of a query, for its page and its Markdown. Apart from `directory-view.ts`, so that the
 * browser does not load the search.
 */
export function selectDirectoryView(
  snapshot: EventsSnapshot,
  { filters, page }: Pick<DirectoryQuery, 'filters' | 'page'>,
): DirectoryView {
  const isFiltered = toSearch(filters) !== '';
  const events = isFiltered ? selectEvents(snapshot, toListFilters(filters)) : snapshot.events;
  return toDirectoryView(events, { page, isOneStatus: filters.status?.length === 1 });
}
