import { pick } from '../model/field-lists.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { type EventsQuery, expandFormats } from '../query/events-query.ts';
import type { SearchChip } from '../search/parse-search.ts';
import { type Scores, scoreEvents } from '../search/score-events.ts';
import { selectEvents, toSeen } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { findNearCity } from './city-marks.ts';
import { closestMax, describeClosest, findClosest } from './closest-events.ts';
import { type DirectoryEvent, toDirectoryEvent } from './directory/directory-event.ts';
import { selectNext, selectPeriodStart, selectSearchChips } from './select-views.ts';

/** Events to suggest when nothing matches. */
export type NearEvents = Readonly<{ title: string; events: readonly DirectoryEvent[] }>;

const seenFields = [
  'status',
  'startDate',
  'endDate',
  'startTime',
  'endTime',
  'startsAt',
  'endsAt',
] as const;
type SeenDays = Pick<MarqueeEvent, (typeof seenFields)[number]>;

/** What the directory says about its filters, beside the events. */
export type SearchNotes = Readonly<{
  /** What is understood of the search: see `Search`. */
  chips: readonly SearchChip[];
  /** See `selectPeriodStart`. */
  periodStart: string | null;
  /** Of events that are shown on other days than those that are published: see `toSeen`. By their ids. */
  seen: Readonly<Record<string, SeenDays>>;
  scores: Scores;
  /** The city of `near`, if events take place in one there. */
  nearCity: string | null;
  /** Null if events match. */
  near: NearEvents | null;
}>;

/** @param isEmpty whether no event matches. */
export function selectSearchNotes(
  snapshot: EventsSnapshot,
  filters: EventsQuery,
  isEmpty: boolean,
): SearchNotes {
  const query = expandFormats(filters);
  const events = isEmpty ? [] : selectEvents(snapshot, query);
  return {
    chips: selectSearchChips(snapshot, filters),
    periodStart: selectPeriodStart(snapshot, filters),
    seen: toSeenDays(events, toSeen(query, snapshot)),
    scores: scoreEvents(snapshot, filters.q ?? '', events),
    nearCity: filters.near === undefined ? null : findNearCity(snapshot, filters.near),
    near: isEmpty ? selectNearEvents(snapshot, filters) : null,
  };
}

/** What comes closest to filters that no event meets; if nothing does, what is on. */
export function selectNearEvents(
  snapshot: EventsSnapshot,
  filters: EventsQuery,
): NearEvents | null {
  const closest = findClosest(snapshot, filters);
  const events = closest?.events ?? selectNext(snapshot, {});
  if (events.length === 0) return null;
  const title = closest === null ? 'What else is on' : describeClosest(closest);
  return { title, events: events.slice(0, closestMax).map(toDirectoryEvent) };
}

function toSeenDays(
  events: readonly MarqueeEvent[],
  toSeenEvent: (event: MarqueeEvent) => MarqueeEvent,
): Record<string, SeenDays> {
  const days: Record<string, SeenDays> = {};
  for (const event of events) {
    const seen = toSeenEvent(event);
    if (seen !== event) days[event.id] = pick(seen, seenFields);
  }
  return days;
}
