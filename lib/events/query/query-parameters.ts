import { z } from 'zod';
import { eventFormats, eventStates, eventStatuses, projectTypes } from '../model/choices.ts';
import { parsePosition } from '../model/position.ts';
import { calendarDateSchema } from '../model/time-and-place.ts';
import { sortKeys, withinDefaultKm } from './events-query.ts';
import { type FactFilter, factFilters } from './fact-filters.ts';
import { parseMaxPrice } from './max-price.ts';
import { quickDates } from './quick-dates.ts';

export type QueryParameter = Readonly<{
  /** Schema of one value. */
  schema: z.ZodType;
  /** Whether there may be several values, repeated or separated by commas. */
  many?: boolean;
  choices?: readonly string[];
  /** Whether `choices` match in any case. */
  anyCase?: true;
  /** Schema of one value where it is no text of a URL, but a number. */
  value?: z.ZodType;
  /** The default value, if there is one. */
  defaultsTo?: string | number;
  /** The accepted values in words: “`limit` must be …”. */
  takes: string;
  description: string;
}>;

/** The schema of a parameter where it is no text of a URL: lists, and numbers. */
export function toValueSchema({ schema, many, choices, value }: QueryParameter): z.ZodType {
  const single = value ?? (choices === undefined ? schema : z.enum(choices));
  return many ? z.array(single) : single;
}

export const searchLengthMax = 200;
export const limitMax = 100;
/** Number of events in a feed without `limit`. */
export const feedLength = 20;

const wholeNumber = /^[1-9]\d{0,2}$/;

/** A parameter that is one of several words, or some of them. */
export function choice(choices: readonly string[], options: { many?: true; anyCase?: true } = {}) {
  const count = options.many ? 'one or more of' : 'one of';
  return {
    ...options,
    choices,
    schema: z.enum(choices),
    takes: `${count} ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
  };
}

export const limitParameter: QueryParameter = {
  // Plain digits only: `01`, `+5`, `1e2` and full-width digits are more likely mistakes.
  schema: z.string().regex(wholeNumber).transform(Number).pipe(z.int().max(limitMax)),
  value: z.int().min(1).max(limitMax),
  takes: `an integer from 1 to ${limitMax}, in plain digits`,
  description: 'Maximum number of events to return.',
};

const dateParameter = {
  schema: calendarDateSchema,
  takes: 'a valid date, as `YYYY-MM-DD`',
};

/** As long as a line of the table may be. */
const nameLengthMax = 300;

function oneName(description: string): QueryParameter {
  return {
    schema: z
      .string()
      .max(nameLengthMax)
      .regex(/^[^\x00-\x1f\x7f]*$/),
    takes: `a name of up to ${nameLengthMax} characters`,
    description: `${description} Case, accents and punctuation are ignored. A name that no event has matches nothing.`,
  };
}

function toFactParameter(name: FactFilter, description: string): QueryParameter {
  const choices = Object.keys(factFilters[name]);
  return { ...choice(choices, { anyCase: true }), description };
}

const withinMaxKm = 20_000;

const filterParameters = {
  status: {
    ...choice(eventStatuses, { many: true, anyCase: true }),
    description:
      'Only events with one of these statuses. Separate several values with commas, or repeat the parameter.',
  },
  state: {
    ...choice(eventStates, { many: true, anyCase: true }),
    description: 'Only events in one of these states: whether they take place as announced.',
  },
  projectType: {
    ...choice(projectTypes, { many: true, anyCase: true }),
    description: 'Only events for one of these project types.',
  },
  format: {
    ...choice(eventFormats, { many: true, anyCase: true }),
    description:
      'Only events in one of these formats. One without a format is online if its location says so, as `Zoom` does.',
  },
  q: {
    schema: z
      .string()
      .max(searchLengthMax)
      .regex(/^[^\x00-\x1f\x7f]*$/),
    takes: `text of up to ${searchLengthMax} characters`,
    description:
      'Only events that match this search: `online december`, `game jams in lisbon`, `not in ghent`. A name of an event wins; days, formats, types, places, organizers, prices and ages are understood; texts contain all other words.',
  },
  when: {
    ...choice(quickDates, { anyCase: true }),
    description:
      'Only events on these days, in the site’s time zone: `today`, `tonight` (today from 17:00, or still on after 18:00, in the event’s zone; events without times are left out), what is left of this week’s Saturday and Sunday, today and the next six days, what is left of this month, or the next month. If `from` or `to` is given as well, all must match.',
  },
  from: {
    ...dateParameter,
    description: 'Only events that end on this day or later, or have no end.',
  },
  to: {
    ...dateParameter,
    description: 'Only events that start on this day or earlier.',
  },
  city: oneName('Only events in this city.'),
  country: oneName(
    'Only events in this country or part of the world: an ISO 3166-1 code, a name (`Portugal`), a state (`Texas`, `US-TX`, `Scotland`), a continent, or a region such as `Scandinavia` or `Benelux`.',
  ),
  organizer: oneName('Only events by this organizer.'),
  series: oneName('Only events of this series.'),
  price: toFactParameter(
    'price',
    'Only events that are free, or only those that cost something, if only for some. Unknown prices are neither.',
  ),
  audience: toFactParameter(
    'audience',
    'Only events for children: whose ages include some up to 12 years. An event of unknown ages is not.',
  ),
  hasPlaces: toFactParameter(
    'hasPlaces',
    'Only events that say how many places are left, and have some.',
  ),
  maxPrice: {
    schema: z
      .string()
      .transform((text) => text.replaceAll(' ', '').toUpperCase())
      .refine((text) => parseMaxPrice(text) !== null),
    value: z.union([z.number().min(0), z.string()]),
    takes: 'an amount with up to two decimals, as `10`, `12.50` or `10EUR`',
    description:
      'Only events that cost this much or less, by their lowest price. `10EUR` leaves out other currencies, `10` is compared with any: nothing is converted. Unknown prices are left out.',
  },
  near: {
    schema: z
      .string()
      .max(60)
      .refine((text) => parsePosition(text) !== null),
    takes: 'a latitude and a longitude in degrees, as `51.05,3.72`',
    description:
      'Only events near this point, `latitude,longitude` in degrees, by their coordinates or those of their city. `within` says how near.',
  },
  within: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,4}$/)
      .transform(Number)
      .pipe(z.int().max(withinMaxKm)),
    value: z.int().min(1).max(withinMaxKm),
    takes: `an integer from 1 to ${withinMaxKm}, in plain digits`,
    description: `The distance from \`near\` in km, along a great circle. Only with \`near\`; without it, it is ${withinDefaultKm}.`,
  },
} satisfies Record<string, QueryParameter>;

/** Parameters of the list, for validation, hints and the OpenAPI document. */
export const listParameters = {
  ...filterParameters,
  id: {
    schema: z.string().regex(/^[\w-]{1,100}$/),
    many: true,
    takes: 'one or more ids of events',
    description:
      'Only the events with these ids. Ids without an event are ignored, so that a list of favourites keeps working.',
  },
  sort: {
    ...choice(sortKeys),
    defaultsTo: 'startDate',
    description:
      'Field to sort by. Events that start on the same day are sorted by `startsAt`, those without one first. By `price`, the lowest one counts, in whatever currency, and unknown ones come last. Other ties are sorted by id.',
  },
  order: {
    ...choice(['asc', 'desc'], { anyCase: true }),
    defaultsTo: 'desc',
    description:
      'Sort order. Without it, `status=upcoming` begins with the next event, and a search with the best match.',
  },
  limit: {
    ...limitParameter,
    description: 'Maximum number of events to return. Without it, all events are returned.',
  },
} satisfies Record<string, QueryParameter>;

/** Parameters of the calendar. */
export const calendarParameters = {
  ...listParameters,
  alarms: {
    ...choice(['true']),
    description:
      'Alarms a day and an hour before each event, or at 9:00 on the day before if it has no time. None if cancelled or postponed.',
  },
} satisfies Record<string, QueryParameter>;

/** Parameters of feeds, which are sorted by announcement. */
export const feedParameters = {
  ...filterParameters,
  limit: {
    ...limitParameter,
    defaultsTo: feedLength,
    description: 'Number of latest events to return.',
  },
} satisfies Record<string, QueryParameter>;
