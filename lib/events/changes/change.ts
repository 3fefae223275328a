import { z } from 'zod';
import type { MarqueeEvent } from '../model/schema.ts';

export const changeTypes = ['event.added', 'event.changed', 'event.removed'] as const;

export type ChangeType = (typeof changeTypes)[number];

/** The fields whose values a change has; of the others it has only the names. */
export const valueFields = [
  'slug',
  'name',
  'url',
  'status',
  'state',
  'startDate',
  'endDate',
  'startTime',
  'endTime',
  'timeZone',
  'startsAt',
  'endsAt',
  'inPerson',
  'place',
] as const satisfies readonly (keyof MarqueeEvent)[];

const valuesSchema = z.record(z.string(), z.unknown());

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
    old: valuesSchema.meta({
      description: `The values before: ${valueFields.map((field) => `\`${field}\``).join(', ')}. Empty for \`event.added\`.`,
    }),
    new: valuesSchema.meta({ description: 'The values after. Empty for `event.removed`.' }),
  })
  .meta({ id: 'EventChange', description: 'Something that happened to an event.' });

export type EventChange = z.infer<typeof eventChangeSchema>;

/** An event as it is stored to be compared with the next read: without pictures, whose URLs do not count. */
export type ComparedEvent = Omit<MarqueeEvent, 'pictures'>;

/** A change with the whole event before and after it; null where it did not exist. */
export type RecordedChange = Readonly<{
  change: EventChange;
  before: ComparedEvent | null;
  after: ComparedEvent | null;
}>;
