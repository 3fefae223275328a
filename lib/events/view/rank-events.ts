import { type Position, parsePosition, toDistanceKm } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { joinableFirst } from '../model/status.ts';
import type { EventsQuery } from '../query/events-query.ts';
import { findSearchCenter, scoreEvents } from '../search/score-events.ts';
import { understandSearch } from '../search/search-matcher.ts';
import { selectEvents } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { inDirectoryOrder } from './directory/sections.ts';

/** How far an event is from a point, in km; null without a place. */
export type ToDistance = (event: MarqueeEvent) => number | null;

export function createDistances(center: Position | null, snapshot: EventsSnapshot): ToDistance {
  return ({ id }) => {
    const at = snapshot.positionById.get(id) ?? -1;
    const position = snapshot.search.positions[at] ?? null;
    if (center === null || position === null) return null;
    return Math.round(toDistanceKm(center, position) * 10) / 10;
  };
}

/** The nearest first; those without a place keep their order behind the others. */
export function byDistance(
  events: readonly MarqueeEvent[],
  toDistance: ToDistance,
): MarqueeEvent[] {
  const distances = new Map(events.map((event) => [event, toDistance(event) ?? Infinity]));
  const compare = (a: number, b: number) => (a === b ? 0 : a - b);
  return events.toSorted((a, b) => compare(distances.get(a) ?? 0, distances.get(b) ?? 0));
}

/** The point that a query asks to be near to, of its filter or its search; null without one. */
export function findCenter(
  snapshot: EventsSnapshot,
  { q = '', near }: EventsQuery,
): Position | null {
  if (near !== undefined) return parsePosition(near);
  return findSearchCenter(understandSearch(snapshot, q).understood);
}

/**
 * The events that a query selects, for who asks in words: the nearest first if it asks for a distance, else the best
 * match of the name, then what is on or starts next. What is full, cancelled or over comes after the others.
 */
export function rankEvents(snapshot: EventsSnapshot, query: EventsQuery): MarqueeEvent[] {
  const events = selectEvents(snapshot, query);
  const center = findCenter(snapshot, query);
  const ranked = inDirectoryOrder(events, scoreEvents(snapshot, query.q ?? '', events));
  return joinableFirst(
    center === null ? ranked : byDistance(ranked, createDistances(center, snapshot)),
  );
}
