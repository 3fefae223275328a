import { z } from 'zod';

/** What an event is: the public shape, from which the types, the checks and the OpenAPI document are made. */

export const eventStatuses = ['upcoming', 'ongoing', 'ended'] as const;
export const eventFormats = ['in-person', 'online', 'both'] as const;
export const projectTypes = [
  'Electronics',
  'Websites',
  'Software',
  'Gamedev',
  'CAD',
  'Other',
] as const;

export type EventStatus = (typeof eventStatuses)[number];
export type EventFormat = (typeof eventFormats)[number];
export type ProjectType = (typeof projectTypes)[number];

export const eventStatusSchema = z.enum(eventStatuses).meta({
  id: 'EventStatus',
  description:
    'Taken from the dates alone, on the server’s calendar day: before `startDate` an event is upcoming, through `endDate` (or for good, without one) it is ongoing, then it has ended.',
});

export const calendarDateSchema = z.iso.date().meta({
  description: 'A calendar day, `YYYY-MM-DD`, that belongs to no time zone.',
  examples: ['2026-12-12'],
});

const signedUrlNote =
  'Signed by the upstream and good for about two hours: fetch it and keep the picture, do not link to it.';

export const eventInPersonSchema = z
  .object({
    start: calendarDateSchema.nullable(),
    end: calendarDateSchema.nullable(),
    location: z.string().nullable().meta({ description: 'Where people meet.' }),
  })
  .meta({ id: 'EventInPerson', description: 'The part of an event that happens in one place.' });

const cssColor = z.string().meta({
  description: 'A colour as `#rrggbb`, or `#rrggbbaa` where it lets something through.',
  examples: ['#ff5a36'],
});

export const eventBackgroundSchema = z
  .object({
    type: z.enum(['color', 'image']).meta({
      description: 'Which of `color` and `imageUrl` the card uses.',
    }),
    color: cssColor,
    imageUrl: z.url().nullable().meta({ description: signedUrlNote }),
  })
  .meta({ id: 'EventBackground', description: 'What an event’s card is painted on.' });

export const eventThemeSchema = z
  .object({
    text: cssColor,
    accent: cssColor,
    logoSize: z.number().meta({ description: 'Height of the logo on the card, in CSS pixels.' }),
    button: z.object({
      color: cssColor,
      textColor: cssColor,
      borderRadius: z.number().meta({ description: 'In CSS pixels.' }),
      borderWidth: z.number().meta({ description: 'In CSS pixels.' }),
      borderColor: cssColor,
    }),
  })
  .meta({ id: 'EventTheme', description: 'Colours and sizes of an event’s card.' });

export const eventSchema = z
  .object({
    id: z.string().meta({
      description: 'Never changes. Store this one.',
      examples: ['recV7kQ2mXw4Tn9Lb'],
    }),
    slug: z.string().meta({
      description: 'Made from the name, so it changes when the event is renamed.',
      examples: ['lantern-jam'],
    }),
    name: z.string(),
    description: z.string().nullable().meta({ description: 'May hold Markdown.' }),
    url: z.url().nullable().meta({ description: 'The event’s own website.' }),
    status: eventStatusSchema,
    startDate: calendarDateSchema,
    endDate: calendarDateSchema.nullable().meta({
      description: 'The last day, inclusive; `null` for an event without an end.',
    }),
    announcedAt: z.iso.datetime().meta({ description: 'When the event was added to the table.' }),
    format: z.enum(eventFormats).nullable(),
    inPerson: eventInPersonSchema.nullable().meta({
      description: '`null` for an event that is online only.',
    }),
    projectTypes: z.array(z.enum(projectTypes)),
    slackChannel: z.string().nullable().meta({
      description: 'A channel’s name, without the leading `#`.',
    }),
    slackUrl: z.url().nullable(),
    requirements: z.string().nullable().meta({ description: 'May hold Markdown.' }),
    pinned: z.boolean(),
    logoUrl: z.url().nullable().meta({ description: signedUrlNote }),
    background: eventBackgroundSchema.nullable().meta({
      description: '`null` while the event has no look of its own.',
    }),
    theme: eventThemeSchema.nullable().meta({
      description: '`null` while the event has no look of its own.',
    }),
  })
  .meta({ id: 'Event' });

export type EventInPerson = z.infer<typeof eventInPersonSchema>;
export type EventBackground = z.infer<typeof eventBackgroundSchema>;
export type EventTheme = z.infer<typeof eventThemeSchema>;
export type MarqueeEvent = z.infer<typeof eventSchema>;

/** An event before the table's other rows and the day are known: those give it its slug and status. */
export type EventDraft = Omit<MarqueeEvent, 'slug' | 'status'>;
