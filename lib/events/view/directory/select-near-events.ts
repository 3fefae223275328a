import { parseDirectoryQuery } from '../../query/directory-query.ts';
import type { FilterTexts } from '../../query/filters.ts';
import { toNearFilters } from '../../query/near-filters.ts';
import { selectEvents } from '../../search/select-events.ts';
import type { EventsSnapshot } from '../../source/snapshot.ts';
import { toDirectoryEvent } from './directory-view.ts';
import { findMisspelled, type NearEvents, nearMax } from './near-events.ts';

/** Events to suggest for filters that match none: with a similar name, or found by fewer filters. */
export function selectNearEvents(
  snapshot: EventsSnapshot,
  filters: FilterTexts,
): NearEvents | null {
  const spelled = findMisspelled(snapshot.events, filters.q ?? '');
  if (spelled) return { ...spelled, events: spelled.events.map(toDirectoryEvent) };
  for (const near of toNearFilters(filters)) {
    const query = parseDirectoryQuery(near.filters).filters;
    const events = selectEvents(snapshot, { ...query, order: 'asc', limit: nearMax });
    if (events.length > 0) return { title: near.title, events: events.map(toDirectoryEvent) };
  }
  return null;
}
