import { pick } from '../model/field-lists.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { type EventsQuery, expandFormats } from '../query/events-query.ts';
import type { SearchChip } from '../search/parse-search.ts';
import { selectEvents, toSeen } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { findNearCity } from './city-marks.ts';
import { type DirectoryEvent, toDirectoryEvent } from './directory/directory-event.ts';
import { findNearEvents } from './near-events.ts';
import { selectPeriodStart, selectSearchChips } from './select-views.ts';

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
  const near = isEmpty ? findNearEvents(snapshot, filters) : null;
  return {
    chips: selectSearchChips(snapshot, filters),
    periodStart: selectPeriodStart(snapshot, filters),
    seen: toSeenDays(snapshot, filters),
    nearCity: filters.near === undefined ? null : findNearCity(snapshot, filters.near),
    near: near && { title: near.title, events: near.events.map(toDirectoryEvent) },
  };
}

function toSeenDays(snapshot: EventsSnapshot, filters: EventsQuery): Record<string, SeenDays> {
  const query = expandFormats(filters);
  const toSeenEvent = toSeen(query, snapshot);
  const days: Record<string, SeenDays> = {};
  for (const event of selectEvents(snapshot, query)) {
    const seen = toSeenEvent(event);
    if (seen !== event) days[event.id] = pick(seen, seenFields);
  }
  return days;
}
