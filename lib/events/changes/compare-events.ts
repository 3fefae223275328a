import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MarqueeEvent } from '../model/schema.ts';
import { type ChangedValues, type ComparedEvent, type EventChange, valueFields } from './change.ts';

/** What happened to an event, without when and in which order. */
export type Difference = Pick<EventChange, 'type' | 'fields' | 'old' | 'new'>;

/** The part of an event that is compared: all but its pictures. */
export function toCompared({ pictures: _, ...event }: MarqueeEvent): ComparedEvent {
  return event;
}

/**
 * What differs between two reads of one event; null if nothing does. Null stands for an event that does not exist.
 * A field that the earlier program did not know yet is no change.
 */
export function compareEvents(
  before: ComparedEvent | null,
  after: ComparedEvent | null,
): Difference | null {
  if (before === null) {
    return after && { type: 'event.added', fields: [], old: {}, new: pickValues(after) };
  }
  if (after === null) {
    return { type: 'event.removed', fields: [], old: pickValues(before), new: {} };
  }
  const names = Object.keys(after) as (keyof ComparedEvent)[];
  const fields = names.filter(
    (field) => field in before && !isDeepStrictEqual(before[field], after[field]),
  );
  if (fields.length === 0) return null;
  return {
    type: 'event.changed',
    fields,
    old: pickValues(before, fields),
    new: pickValues(after, fields),
  };
}

/** Whether nothing but the day has changed an event. */
export function isStatusOnly({ fields }: Pick<EventChange, 'fields'>): boolean {
  return fields.length === 1 && fields[0] === 'status';
}

const notableFields: readonly string[] = [
  'name',
  'state',
  'startDate',
  'endDate',
  'startTime',
  'endTime',
  'format',
  'inPerson',
  'place',
];

/** Whether the event's page says it: what visitors planned with has changed. */
export function isNotable({ type, fields }: Pick<EventChange, 'type' | 'fields'>): boolean {
  return type === 'event.changed' && fields.some((field) => notableFields.includes(field));
}

function pickValues(event: ComparedEvent, fields: readonly string[] = valueFields): ChangedValues {
  const picked = valueFields.filter((field) => fields.includes(field));
  return Object.fromEntries(picked.map((field) => [field, event[field]]));
}

/** Identifies everything that is compared. */
export function toDigest(event: ComparedEvent): string {
  return createHash('sha256').update(JSON.stringify(event)).digest('base64url');
}

/** Identifies what a calendar entry shows, besides the day: its SEQUENCE rises with it. */
export function toFingerprint(event: ComparedEvent): string {
  const { slug, name, description, requirements, state, startDate, endDate, format } = event;
  const { startsAt, endsAt, startTime, endTime, timeZone, schedule } = event;
  const { inPerson, projectTypes, place, organizer, series, price, audience } = event;
  const texts = [slug, name, description, requirements, state, format, projectTypes, inPerson];
  const times = [startDate, endDate, startsAt, endsAt, startTime, endTime, timeZone, schedule];
  const details = [place, organizer, series, price, audience];
  return createHash('sha256')
    .update(JSON.stringify([...texts, ...times, ...details]))
    .digest('base64url');
}
