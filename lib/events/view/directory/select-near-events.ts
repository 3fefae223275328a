import { parseDirectoryQuery } from '../../query/directory-query.ts';
import type { FilterTexts } from '../../query/filters.ts';
import { toNearFilters } from '../../query/near-filters.ts';
import { findNearestEvents } from '../../query/nearest-events.ts';
import { selectEvents } from '../../query/select-events.ts';
import type { EventsSnapshot } from '../../store/snapshot.ts';
import { toDirectoryEvent } from './directory-view.ts';
import { type NearEvents, nearMax } from './near-events.ts';

/** Anything more different is another word. */
const misspelledMax = 0.3;

/** The events nearest to filters that match none: by the spelling of the search, or with fewer filters. */
export function selectNearEvents(
  snapshot: EventsSnapshot,
  filters: FilterTexts,
): NearEvents | null {
  const spelled = findNearestEvents(snapshot.events, filters.q ?? '', nearMax, misspelledMax);
  if (filters.q && spelled.length > 0) {
    return { title: 'Did you mean', events: spelled.map(toDirectoryEvent) };
  }
  for (const near of toNearFilters(filters)) {
    const query = parseDirectoryQuery(near.filters).filters;
    const events = selectEvents(snapshot, { ...query, order: 'asc', limit: nearMax });
    if (events.length > 0) return { title: near.title, events: events.map(toDirectoryEvent) };
  }
  return null;
}
