import type { MarqueeEvent } from '../model/schema.ts';
import type { EventsQuery } from '../query/events-query.ts';
import { selectEvents } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { type Closest, findClosest } from './closest-events.ts';
import { rankEvents } from './rank-events.ts';

/** The events of the API's list, and what comes closest to a search that none meets. */
type Answer = Readonly<{ events: readonly MarqueeEvent[]; closest: Closest | null }>;

/** A search without an order is answered as people are: see `rankEvents`. */
export function answerQuery(snapshot: EventsSnapshot, query: EventsQuery): Answer {
  const { limit, ...asked } = query;
  const isSearch = (query.q ?? '').trim() !== '';
  if (!isSearch) return { events: selectEvents(snapshot, query), closest: null };
  const isRanked = query.sort === undefined && query.order === undefined;
  const found = isRanked ? rankEvents(snapshot, asked) : selectEvents(snapshot, asked);
  return {
    events: found.slice(0, limit),
    closest: found.length > 0 ? null : findClosest(snapshot, asked),
  };
}
