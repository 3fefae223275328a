import { z } from 'zod';
import { eventFormats, eventStateSchema, eventStatusSchema, projectTypes } from './choices.ts';
import {
  eventBackgroundSchema,
  eventPicturesSchema,
  eventThemeSchema,
  signedUrlNote,
} from './poster.ts';
import {
  calendarDateSchema,
  eventInPersonSchema,
  eventOrganizerSchema,
  eventPlaceSchema,
  timeSchemas,
} from './time-and-place.ts';

/**
 * Where a field is shown, besides the JSON API. `posters`: sent with every list of posters. `calendar`: raises SEQUENCE
 * when it changes. `feedText`: in the text of feeds and calendars. `feedJson`: in JSON Feed, if it is known. `changes`:
 * with its values in the list of changes. `notable`: the event's page says that it has changed. `search`: found by `q`.
 */
export type Place =
  | 'posters'
  | 'calendar'
  | 'feedText'
  | 'feedJson'
  | 'changes'
  | 'notable'
  | 'search';

type Field = Readonly<{
  schema: z.ZodType;
  shownIn: readonly Place[];
  /** Of the events table. */
  columns?: readonly string[];
  /** A table may do without these columns: their empty cells have a meaning of their own. */
  isOptional?: true;
}>;

/** A field of one optional cell that is shown as it is: among the facts of a page and in Markdown, by its label. */
type DetailField = Field &
  Readonly<{
    columns: readonly [string];
    /** How its cell is read. */
    read: 'line' | 'count';
    label: string;
    /** In the documentation. */
    example: string | number;
  }>;

const text = z.string().nullable();
const markdown = text.meta({ description: 'May contain Markdown.' });
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
    columns: ['Name'],
    schema: z.string(),
    shownIn: ['posters', 'calendar', 'changes', 'notable', 'search'],
  },
  description: { columns: ['Description'], schema: markdown, shownIn: ['calendar', 'search'] },
  url: {
    columns: ['URL'],
    schema: z.url().nullable().meta({ description: 'The event’s own website.' }),
    shownIn: ['posters', 'changes'],
  },
  status: { schema: eventStatusSchema, shownIn: ['posters', 'changes'] },
  state: {
    columns: ['State'],
    isOptional: true,
    schema: eventStateSchema,
    shownIn: [...when, 'notable'],
  },
  startDate: {
    columns: ['Start Date'],
    schema: calendarDateSchema,
    shownIn: [...when, 'notable'],
  },
  endDate: {
    columns: ['End Date'],
    schema: calendarDateSchema.nullable().meta({
      description: 'The last day, inclusive; `null` for an open-ended event.',
    }),
    shownIn: [...when, 'notable'],
  },
  startTime: {
    columns: ['Start Time'],
    isOptional: true,
    schema: timeSchemas.startTime,
    shownIn: [...when, 'notable', 'feedJson'],
  },
  endTime: {
    columns: ['End Time'],
    isOptional: true,
    schema: timeSchemas.endTime,
    shownIn: [...when, 'notable', 'feedJson'],
  },
  timeZone: {
    columns: ['Time Zone'],
    isOptional: true,
    schema: timeSchemas.timeZone,
    shownIn: [...when, 'feedJson'],
  },
  startsAt: { schema: timeSchemas.startsAt, shownIn: [...when, 'feedJson'] },
  endsAt: { schema: timeSchemas.endsAt, shownIn: [...when, 'feedJson'] },
  schedule: {
    columns: ['Schedule'],
    isOptional: true,
    schema: timeSchemas.schedule,
    shownIn: ['calendar', 'feedJson'],
  },
  announcedAt: {
    columns: ['Announced At'],
    isOptional: true,
    schema: z.iso.datetime().meta({ description: 'When the event was added to the table.' }),
    shownIn: [],
  },
  format: {
    columns: ['Format'],
    schema: z.enum(eventFormats).nullable(),
    shownIn: ['posters', 'calendar', 'notable'],
  },
  inPerson: {
    columns: ['In-Person Start', 'In-Person End', 'Location'],
    schema: eventInPersonSchema.nullable().meta({ description: '`null` for an online event.' }),
    shownIn: [...when, 'notable'],
  },
  place: {
    columns: ['Address', 'City', 'Country', 'Latitude', 'Longitude'],
    isOptional: true,
    schema: eventPlaceSchema.nullable().meta({
      description:
        '`null` for an online event, and if nothing but its `inPerson.location` is known.',
    }),
    shownIn: [...when, 'notable', 'feedJson'],
  },
  organizer: {
    columns: ['Organizer', 'Organizer URL'],
    isOptional: true,
    schema: eventOrganizerSchema.nullable(),
    shownIn: ['posters', 'calendar', 'feedJson'],
  },
  series: {
    columns: ['Series'],
    read: 'line',
    schema: text.meta({ description: 'The series that the event belongs to, by name.' }),
    label: 'Series',
    shownIn: ['calendar', 'feedText', 'feedJson'],
    example: 'Things that Glow',
  },
  price: {
    columns: ['Price'],
    read: 'line',
    schema: text.meta({
      description: 'What it costs to attend, in words.',
      examples: ['Free', '€12'],
    }),
    label: 'Price',
    shownIn: ['calendar', 'feedJson'],
    example: '€12',
  },
  placesLeft: {
    columns: ['Places Left'],
    read: 'count',
    schema: z.int().min(0).nullable().meta({ description: 'How many more people can sign up.' }),
    label: 'Places left',
    shownIn: ['feedJson'],
    example: 18,
  },
  audience: {
    columns: ['Age'],
    read: 'line',
    schema: text.meta({
      description: 'Whom the event is for, mostly an age.',
      examples: ['13–18'],
    }),
    label: 'Age',
    shownIn: ['calendar', 'feedText', 'feedJson'],
    example: '13–18',
  },
  projectTypes: {
    columns: ['Project Types'],
    schema: z.array(z.enum(projectTypes)),
    shownIn: ['posters', 'calendar'],
  },
  slackChannel: {
    columns: ['Slack Channel'],
    schema: text.meta({ description: 'Name of the channel, without the leading `#`.' }),
    shownIn: ['search'],
  },
  slackUrl: { columns: ['Slack URL'], schema: z.url().nullable(), shownIn: [] },
  requirements: { columns: ['Requirements'], schema: markdown, shownIn: ['calendar', 'search'] },
  pinned: { columns: ['Pinned'], schema: z.boolean(), shownIn: ['posters'] },
  logoUrl: {
    columns: ['Logo'],
    schema: z.url().nullable().meta({ description: signedUrlNote }),
    shownIn: [],
  },
  background: {
    columns: ['Background Type', 'Background Color', 'Background Image'],
    schema: eventBackgroundSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    shownIn: ['posters'],
  },
  theme: {
    columns: [
      'Text Color',
      'Accent Color',
      'Logo Size',
      'Button Color',
      'Button Text Color',
      'Button Border Radius',
      'Button Border Width',
      'Button Border Color',
    ],
    schema: eventThemeSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    shownIn: ['posters'],
  },
  pictures: { schema: eventPicturesSchema, shownIn: ['posters'] },
} as const satisfies Readonly<Record<string, Field | DetailField>>;
