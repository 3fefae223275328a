import { z } from 'zod';
import { eventSchema, type MarqueeEvent } from '../model/schema.ts';

export const changeTypes = ['event.added', 'event.changed', 'event.removed'] as const;

export type ChangeType = (typeof changeTypes)[number];

/** The fields whose values a change has; of the others it has only the names. */
export const changedValuesSchema = eventSchema
  .pick({
    slug: true,
    name: true,
    url: true,
    status: true,
    state: true,
    startDate: true,
    endDate: true,
    startTime: true,
    endTime: true,
    timeZone: true,
    startsAt: true,
    endsAt: true,
    inPerson: true,
    place: true,
  })
  .partial()
  .meta({
    id: 'ChangedValues',
    description:
      'Of the changed fields among these, the values; of an event that came or went, all.',
  });

/** The fields whose values a change has; of the others it has only the names. */
export const valueFields = changedValuesSchema.keyof().options;

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
