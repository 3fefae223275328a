import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { listFields, pick, pickSchemas } from '../model/field-lists.ts';
import type { MarqueeEvent } from '../model/schema.ts';

export const changeTypes = ['event.added', 'event.changed', 'event.removed'] as const;

export type ChangeType = (typeof changeTypes)[number];

/** The fields whose values a change has; of the others it has only the names. */
export const valueFields = listFields('changes');

export const changedValuesSchema = z.object(pickSchemas(valueFields)).partial().meta({
  id: 'ChangedValues',
  description:
    'The values of these fields, as far as they changed; all of them if the event was added or removed.',
});

/** Values of the changed fields. */
export type ChangedValues = z.infer<typeof changedValuesSchema>;

export const eventChangeSchema = z
  .object({
    id: z.string().meta({
      description: 'The cursor: pass it as `since` to get what came after. Only ever grows.',
      examples: ['1042'],
    }),
    type: z.enum(changeTypes),
    timestamp: z.iso.datetime().meta({ description: 'When the change was found.' }),
    eventId: z.string(),
    slug: z.string().meta({ description: 'The event’s slug after the change.' }),
    fields: z.array(z.string()).meta({
      description:
        'The names of the fields that changed; empty for `event.added` and `event.removed`.',
    }),
    old: changedValuesSchema,
    new: changedValuesSchema,
  })
  .meta({
    id: 'EventChange',
    description:
      'Something that happened to an event. `old` is empty for `event.added`, `new` for `event.removed`.',
  });

export type EventChange = z.infer<typeof eventChangeSchema>;

/** A change and the day on which it was found, `YYYY-MM-DD` in the site's time zone. */
export type DatedChange = Readonly<{ change: EventChange; day: string }>;

/** An event as it is stored to be compared with the next read: without pictures, whose URLs do not count. */
export type ComparedEvent = Omit<MarqueeEvent, 'pictures'>;

/** A change with the whole event before and after it; null where it did not exist. */
export type RecordedChange = Readonly<{
  change: EventChange;
  before: ComparedEvent | null;
  after: ComparedEvent | null;
}>;

/** What happened to an event, without when and in which order. */
type Difference = Pick<EventChange, 'type' | 'fields' | 'old' | 'new'>;

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

const notableFields: readonly string[] = listFields('notable');

/** Whether the event's page says it: what visitors planned with has changed. */
export function isNotable({ type, fields }: Pick<EventChange, 'type' | 'fields'>): boolean {
  return type === 'event.changed' && fields.some((field) => notableFields.includes(field));
}

function pickValues(event: ComparedEvent, fields: readonly string[] = valueFields): ChangedValues {
  return pick(
    event,
    valueFields.filter((field) => fields.includes(field)),
  );
}

/** Identifies everything that is compared. */
export function toDigest(event: ComparedEvent): string {
  return createHash('sha256').update(JSON.stringify(event)).digest('base64url');
}

/** Identifies what a calendar entry shows, besides the day: its SEQUENCE rises with it. */
export function toFingerprint(event: ComparedEvent): string {
  const shown = calendarFields.map((field) => [field, event[field]]);
  // A field that is new to this program and empty is no revision.
  const known = shown.filter(([, value]) => value != null);
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url');
}

const calendarFields = listFields('calendar');
