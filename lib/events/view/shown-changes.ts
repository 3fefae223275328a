import {
  type ChangedValues,
  type ChangeType,
  type DatedChange,
  type EventChange,
  isNotable,
} from '../changes/change.ts';
import type { EventState, MarqueeEvent } from '../model/schema.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toOneLine } from '../words/clean-text.ts';
import { toDatesInWords, toDayInWords } from '../words/dates-in-words.ts';
import { toEventTitle } from './event-facts.ts';

/** A change as pages and feeds show it. */
export type ShownChange = Readonly<{
  id: string;
  type: ChangeType;
  eventId: string;
  /** RFC 3339. */
  timestamp: string;
  /** The day on which it was found. */
  day: string;
  title: string;
  /** What it is at a glance. */
  mark: 'New' | 'Moved' | 'Cancelled' | 'Postponed' | 'Back' | 'Changed' | 'Removed';
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
  const { id, type, eventId, timestamp, slug, old, new: values } = change;
  const formerName = toOneLine(values.name ?? old.name ?? slug);
  return {
    id,
    type,
    eventId,
    timestamp,
    day,
    title: event === null ? formerName : toEventTitle(event),
    mark: toMark(change),
    words: toChangeInWords(change),
    event,
  };
}

const stateMarks = {
  scheduled: 'Back',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  'moved-online': 'Moved',
} as const satisfies Record<EventState, ShownChange['mark']>;

/** What happened to an event, at a glance. */
export function toMark({ type, old, new: values }: EventChange): ShownChange['mark'] {
  if (type === 'event.added') return 'New';
  if (type === 'event.removed') return 'Removed';
  if (values.state !== undefined) return stateMarks[values.state];
  const isMoved = describeDates(old, values) ?? describeTimes(values) ?? describePlace(values);
  return isMoved === null ? 'Changed' : 'Moved';
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

const stateWords: Readonly<Record<EventState, string>> = {
  scheduled: 'takes place after all',
  cancelled: 'cancelled',
  postponed: 'postponed',
  'moved-online': 'moved online',
};

/** What happened to an event, as people say it: `Moved from 5 Jan 2027 to 3 Feb 2027, new place: Old Mill`. */
export function toChangeInWords({ type, old, new: values }: EventChange): string {
  if (type === 'event.added') return `Announced: ${toDatesInWords(toDates(values))}`;
  if (type === 'event.removed') return 'Removed from the list';
  const parts = [
    values.state === undefined ? null : stateWords[values.state],
    describeDates(old, values),
    describeTimes(values),
    // An event that moved online has lost its place: its state says so.
    values.state === 'moved-online' ? null : describePlace(values),
    values.name === undefined ? null : `renamed, was “${toOneLine(old.name ?? '')}”`,
  ];
  const words = parts.filter((part) => part !== null).join(', ') || 'details changed';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function toDates({ startDate = '', endDate = null }: ChangedValues) {
  return { startDate, endDate };
}

function describeDates(old: ChangedValues, values: ChangedValues): string | null {
  if (old.startDate !== undefined && values.startDate !== undefined) {
    const [from, to] = [old, values].map(({ startDate = '', endDate }) =>
      endDate === undefined || endDate === null
        ? toDayInWords(startDate)
        : toDatesInWords({ startDate, endDate }),
    );
    return `moved from ${from} to ${to}`;
  }
  if (values.endDate === undefined) return null;
  return values.endDate === null ? 'now open-ended' : `now until ${toDayInWords(values.endDate)}`;
}

function describeTimes({ startTime, endTime }: ChangedValues): string | null {
  if (startTime != null) return `now at ${startTime}${endTime == null ? '' : `–${endTime}`}`;
  if (endTime != null) return `now until ${endTime}`;
  return startTime === null || endTime === null ? 'without a time' : null;
}

function describePlace({ inPerson, place }: ChangedValues): string | null {
  if (inPerson === undefined && place === undefined) return null;
  if (inPerson === null) return 'no longer at a place';
  const parts = [place?.name ?? inPerson?.location, place?.city].map((part) =>
    toOneLine(part ?? ''),
  );
  const where = [...new Set(parts)].filter((part) => part !== '').join(', ');
  return where === '' ? null : `new place: ${where}`;
}
