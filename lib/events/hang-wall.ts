import type { DirectoryAddress } from './directory-address.ts';
import { toSearch } from './filters.ts';
import { selectEvents } from './select.ts';
import type { EventsSnapshot } from './snapshot.ts';
import { toWall, type Wall } from './wall.ts';

/** The wall that an address of the directory shows: the same events in every form of it. */
export function hangWall(
  snapshot: EventsSnapshot,
  { filters, page }: Pick<DirectoryAddress, 'filters' | 'page'>,
): Wall {
  const isFiltered = toSearch(filters) !== '';
  const events = isFiltered ? selectEvents(snapshot, filters) : snapshot.events;
  return toWall(events, { page, isOneStatus: filters.status?.length === 1 });
}
