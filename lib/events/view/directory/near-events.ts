import type { MarqueeEvent } from '../../model/schema.ts';
import { type EventsQuery, expandFormats, toNearFilters } from '../../query/events-query.ts';
import { findMisspelled, type NearEvents, nearMax } from '../../search/nearest-events.ts';

type Found = readonly MarqueeEvent[] | Promise<readonly MarqueeEvent[]>;

/** The snapshot on the server, the API in a browser. */
type EventsAccess = Readonly<{
  all: () => Found;
  find: (query: EventsQuery) => Found;
}>;

/** Events to suggest for filters that match none: with a similar name, or found by fewer filters. */
export async function findNearEvents(
  filters: EventsQuery,
  { all, find }: EventsAccess,
): Promise<NearEvents | null> {
  const spelled = filters.q ? findMisspelled(await all(), filters.q) : null;
  if (spelled !== null) return spelled;
  for (const { title, filters: near } of toNearFilters(filters)) {
    const events = await find({ ...expandFormats(near), order: 'asc', limit: nearMax });
    if (events.length > 0) return { title, events };
  }
  return null;
}
