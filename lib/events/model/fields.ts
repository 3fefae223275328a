import { z } from 'zod';
import { eventFormats, eventStateSchema, eventStatusSchema, projectTypes } from './choices.ts';
import type { DetailField, Field } from './field.ts';
import { stylingFields } from './styling-fields.ts';
import {
  calendarDateSchema,
  eventInPersonSchema,
  eventOrganizerSchema,
  eventPlaceSchema,
  timeSchemas,
} from './time-and-place.ts';

const text = z.string().nullable();
const amount = z.number().min(0);
const priceRangeSchema = z.object({
  min: amount.meta({ description: 'The lowest price; 0 if attending is free.' }),
  max: amount.nullable().meta({
    description: 'The highest price; `null` where only the lowest is known, as of `from €5`.',
  }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .meta({
      description:
        'ISO 4217. Prices are never converted. `null` for free events, and where `price` does not say it: a `$` is of the event’s country, if that has one.',
      examples: ['EUR'],
    }),
});
const markdown = text.meta({ description: 'Markdown, whatever the table has.' });
const when = ['posters', 'calendar', 'changes'] as const;

/**
 * The fields of an event, in the order of the JSON API. A row with `read` is all that a field needs; the others have
 * code of their own, which reads their columns in `source/airtable/` and shows them.
 */
export const fields = {
  id: {
    schema: z.string().meta({
      description: 'Never changes. Store this to refer to an event.',
      examples: ['recV7kQ2mXw4Tn9Lb'],
    }),
    shownIn: ['posters'],
  },
  slug: {
    schema: z.string().meta({
      description: 'Derived from the name; changes when the event is renamed.',
      examples: ['lantern-jam'],
    }),
    shownIn: ['posters', 'calendar', 'changes'],
  },
  name: {
    columns: { Name: 'the name, on one line; a row without it is left out' },
    isRequired: true,
    schema: z.string(),
    shownIn: ['posters', 'calendar', 'changes', 'notable', 'search'],
  },
  description: {
    columns: { Description: 'text, as Markdown or HTML' },
    schema: markdown,
    shownIn: ['calendar', 'search'],
  },
  url: {
    columns: { URL: 'the event’s own website' },
    schema: z.url().nullable().meta({ description: 'The event’s own website.' }),
    shownIn: ['posters', 'changes'],
  },
  status: { schema: eventStatusSchema, shownIn: ['posters', 'changes'] },
  state: {
    columns: {
      State: '`Scheduled`, `Cancelled`, `Postponed` or `Moved online`; empty: `Scheduled`',
    },
    schema: eventStateSchema,
    shownIn: [...when, 'notable', 'facts', 'moves'],
  },
  startDate: {
    columns: {
      'Start Date':
        'a date, or one with a time, which is in the event’s zone, or several days; a row without it is left out',
    },
    isRequired: true,
    schema: calendarDateSchema,
    shownIn: [...when, 'notable', 'facts', 'moves'],
  },
  endDate: {
    columns: { 'End Date': 'the same, not before the start; empty: the event is open-ended' },
    schema: calendarDateSchema.nullable().meta({
      description: 'The last day, inclusive; `null` for an open-ended event.',
    }),
    shownIn: [...when, 'notable', 'facts', 'moves'],
  },
  startTime: {
    columns: {
      'Start Time':
        '`18:30`, `6:30 pm CET`, `18:00-20:00`, `noon`, a duration, or a date with a time, whose day is ignored',
    },
    schema: timeSchemas.startTime,
    shownIn: [...when, 'notable', 'facts', 'moves', 'feedJson'],
  },
  endTime: {
    columns: { 'End Time': 'the same; an end before the start is on the next day' },
    schema: timeSchemas.endTime,
    shownIn: [...when, 'notable', 'facts', 'feedJson'],
  },
  timeZone: {
    columns: {
      'Time Zone':
        '`Europe/Brussels`, `CET`, `UTC+2` or `London`; empty: the zone of the place, or `EVENTS_TIME_ZONE`',
    },
    schema: timeSchemas.timeZone,
    shownIn: [...when, 'facts', 'feedJson'],
  },
  startsAt: { schema: timeSchemas.startsAt, shownIn: [...when, 'feedJson'] },
  endsAt: { schema: timeSchemas.endsAt, shownIn: [...when, 'feedJson'] },
  schedule: {
    columns: {
      Schedule: '`19:00 Doors`, one a line; `Day 2`, `Saturday` or `2026-12-05` begin another day',
    },
    schema: timeSchemas.schedule,
    shownIn: ['calendar', 'feedJson'],
  },
  announcedAt: {
    columns: {
      'Announced At':
        'a date with a time; empty: when the row was created; in the future: when it was first read',
    },
    schema: z.iso.datetime().meta({ description: 'When the event was added to the table.' }),
    shownIn: [],
  },
  format: {
    columns: { Format: '`In-person`, `Online` or `Both`' },
    schema: z.enum(eventFormats).nullable(),
    shownIn: ['posters', 'calendar', 'notable', 'facts'],
  },
  inPerson: {
    columns: {
      'In-Person Start': 'the first day on which people meet, if not the start',
      'In-Person End': 'the last such day, if not the end',
      Location: 'the name of the place',
    },
    schema: eventInPersonSchema.nullable().meta({ description: '`null` for an online event.' }),
    shownIn: [...when, 'notable', 'facts'],
  },
  place: {
    columns: {
      Address: 'street and number, for events in person',
      City: 'a city, for events in person; may have its state or country: `New York, NY`',
      Region: 'a state or province, such as `NY`',
      Country: 'a name in any of 50 languages, an ISO code or a flag, for events in person',
      Latitude: 'degrees, -90 to 90, together with the longitude',
      Longitude: 'degrees, -180 to 180',
    },
    schema: eventPlaceSchema.nullable().meta({
      description:
        '`null` for an online event, and if nothing but its `inPerson.location` is known.',
    }),
    shownIn: [...when, 'notable', 'facts', 'feedJson'],
  },
  organizer: {
    columns: {
      Organizer: 'who runs the event',
      'Organizer URL': 'their website, email address or phone number',
    },
    schema: eventOrganizerSchema.nullable(),
    shownIn: ['posters', 'calendar', 'facts', 'feedJson'],
  },
  series: {
    column: 'Series',
    holds: 'the series that the event belongs to, by name, such as `Things that Glow`',
    read: 'line',
    schema: text.meta({ description: 'The series that the event belongs to, by name.' }),
    label: 'Series',
    shownIn: ['calendar', 'feedText', 'feedJson', 'search'],
    example: 'Things that Glow',
  },
  price: {
    column: 'Price',
    holds: 'what it costs to attend, in words, such as `€12`',
    read: 'line',
    schema: text.meta({
      description: 'What it costs to attend, in words.',
      examples: ['Free', '€12'],
    }),
    label: 'Price',
    shownIn: ['posters', 'calendar', 'facts', 'terms', 'feedJson', 'search'],
    example: '€12',
  },
  placesLeft: {
    column: 'Places Left',
    holds: 'how many more people can sign up, such as `18`',
    read: 'count',
    schema: z.int().min(0).nullable().meta({ description: 'How many more people can sign up.' }),
    label: 'Places left',
    shownIn: ['posters', 'terms', 'feedJson'],
    example: 18,
  },
  audience: {
    column: 'Age',
    holds: 'whom the event is for, mostly an age, such as `13–18`',
    read: 'line',
    schema: text.meta({
      description: 'Whom the event is for, mostly an age.',
      examples: ['13–18'],
    }),
    label: 'Age',
    shownIn: ['posters', 'calendar', 'terms', 'feedText', 'feedJson', 'search'],
    example: '13–18',
  },
  priceRange: {
    schema: priceRangeSchema.nullable().meta({
      description:
        '`price` as numbers; `null` if it is unknown, or in words that no program reads for sure, such as `up to €20`.',
    }),
    shownIn: ['feedJson'],
  },
  projectTypes: {
    columns: {
      'Project Types': 'any of `Electronics`, `Websites`, `Software`, `Gamedev`, `CAD` and `Other`',
    },
    schema: z.array(z.enum(projectTypes)),
    shownIn: ['posters', 'calendar'],
  },
  slackChannel: {
    columns: { 'Slack Channel': 'the name of its Slack channel, with or without `#`' },
    schema: text.meta({ description: 'Name of the channel, without the leading `#`.' }),
    shownIn: ['search'],
  },
  slackUrl: {
    columns: { 'Slack URL': 'a link to that channel' },
    schema: z.url().nullable(),
    shownIn: [],
  },
  requirements: {
    columns: { Requirements: 'text, as Markdown or HTML' },
    schema: markdown,
    shownIn: ['calendar', 'search'],
  },
  pinned: {
    columns: { Pinned: 'a checkbox: pinned events that are not over are above all others' },
    schema: z.boolean(),
    shownIn: ['posters'],
  },
  ...stylingFields,
} as const satisfies Readonly<Record<string, Field | DetailField>>;
