import type { MarqueeEvent } from '../model/schema.ts';
import { type Filters, toListFilters } from '../query/filters.ts';
import { selectEvents } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toSections } from './directory/sections.ts';

/** Events that match the filters: those that start next, then those that are on. */
export function selectNext(snapshot: EventsSnapshot, filters: Filters): MarqueeEvent[] {
  const { comingUp, onNow, openEnded } = toSections(selectEvents(snapshot, toListFilters(filters)));
  return [...comingUp, ...onNow, ...openEnded];
}
