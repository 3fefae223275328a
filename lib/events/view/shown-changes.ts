import type { DatedChange } from '../changes/change.ts';
import { isNotable } from '../changes/compare-events.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toChangeInWords } from '../words/change-words.ts';
import { toOneLine } from '../words/clean-text.ts';
import { toDayInWords } from '../words/dates-in-words.ts';
import { toEventTitle } from './event-facts.ts';

/** A change as pages and feeds show it. */
export type ShownChange = Readonly<{
  id: string;
  /** RFC 3339. */
  timestamp: string;
  /** The day on which it was found. */
  day: string;
  title: string;
  words: string;
  /** The event as it is now; null if it was removed. */
  event: MarqueeEvent | null;
}>;

/** What visitors should know of the last thirty days, the newest first. */
export function selectChanges(
  snapshot: Pick<EventsSnapshot, 'history' | 'events' | 'positionById'>,
): ShownChange[] {
  return snapshot.history.recent
    .filter(({ change }) => change.type !== 'event.changed' || isNotable(change))
    .map((dated) => toShown(dated, findById(snapshot, dated.change.eventId)));
}

function findById(
  { events, positionById }: Pick<EventsSnapshot, 'events' | 'positionById'>,
  id: string,
): MarqueeEvent | null {
  return events[positionById.get(id) ?? -1] ?? null;
}

function toShown({ change, day }: DatedChange, event: MarqueeEvent | null): ShownChange {
  const { id, timestamp, slug, old, new: values } = change;
  const formerName = toOneLine(values.name ?? old.name ?? slug);
  return {
    id,
    timestamp,
    day,
    title: event === null ? formerName : toEventTitle(event),
    words: toChangeInWords(change),
    event,
  };
}

/** What has changed last about an event: `Changed on 21 Nov 2026: moved from …`; null without it, and once it has ended. */
export function describeLastChange(
  { history }: Pick<EventsSnapshot, 'history'>,
  { id, status }: Pick<MarqueeEvent, 'id' | 'status'>,
): string | null {
  const last = history.lastChanges.get(id);
  if (last === undefined || status === 'ended') return null;
  const words = toChangeInWords(last.change);
  return `Changed on ${toDayInWords(last.day)}: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`;
}
