import type { DirectoryQuery } from '../query/directory-query.ts';
import { toSearch } from '../query/filters.ts';
import { selectEvents } from '../query/select-events.ts';
import type { EventsSnapshot } from '../store/snapshot.ts';
import { type DirectoryView, toDirectoryView } from './directory-view.ts';

/** The wall that an address of the directory shows: the same events in every form of it. */
export function selectDirectoryView(
  snapshot: EventsSnapshot,
  { filters, page }: Pick<DirectoryQuery, 'filters' | 'page'>,
): DirectoryView {
  const isFiltered = toSearch(filters) !== '';
  const events = isFiltered ? selectEvents(snapshot, filters) : snapshot.events;
  return toDirectoryView(events, { page, isOneStatus: filters.status?.length === 1 });
}
