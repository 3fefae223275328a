import { closestMatch } from 'leven';
import { z } from 'zod';
import {
  calendarDateSchema,
  type EventFormat,
  type EventState,
  type EventStatus,
  eventFormats,
  eventStates,
  eventStatuses,
  type ProjectType,
  projectTypes,
} from '../model/schema.ts';
import { type SortKey, type SortOrder, sortKeys } from '../store/events-index.ts';
import { type QuickDates, quickDates } from './quick-dates.ts';

/** A validated query, with the parameters that were sent. */
export type EventsQuery = Readonly<{
  id?: readonly string[];
  status?: readonly EventStatus[];
  state?: readonly EventState[];
  projectType?: readonly ProjectType[];
  format?: readonly EventFormat[];
  q?: string;
  when?: QuickDates;
  from?: string;
  to?: string;
  sort?: SortKey;
  order?: SortOrder;
  limit?: number;
}>;

/** Why a query is invalid, and how to fix it. */
export type QueryProblem = Readonly<{ message: string; hint: string }>;

export type QueryResult =
  | Readonly<{ ok: true; query: EventsQuery }>
  | Readonly<{ ok: false; problem: QueryProblem }>;

export type QueryParameter = Readonly<{
  /** Schema of one value. */
  schema: z.ZodType;
  /** Whether there may be several values, repeated or separated by commas. */
  many?: true;
  choices?: readonly string[];
  /** Whether `choices` match in any case. */
  anyCase?: true;
  /** For integers. */
  bounds?: Readonly<{ min: number; max: number }>;
  /** The default value, if there is one. */
  defaultsTo?: string | number;
  /** The accepted values in words: “`limit` must be …”. */
  takes: string;
  description: string;
}>;

export const searchLengthMax = 200;
export const limitMax = 100;
/** Events of a feed without `limit`. */
export const feedLength = 20;

const wholeNumber = /^[1-9]\d{0,2}$/;

function oneOf(choices: readonly string[], options: { many?: true; anyCase?: true } = {}) {
  const count = options.many ? 'one or more of' : 'one of';
  return {
    ...options,
    choices,
    schema: z.enum(choices),
    takes: `${count} ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
  };
}

const limitParameter: QueryParameter = {
  // Plain digits only: `01`, `+5`, `1e2` and full-width digits are more likely mistakes.
  schema: z.string().regex(wholeNumber).transform(Number).pipe(z.int().max(limitMax)),
  bounds: { min: 1, max: limitMax },
  takes: `an integer from 1 to ${limitMax}, in plain digits`,
  description: 'Maximum number of events to return.',
};

const dateParameter = {
  schema: calendarDateSchema,
  takes: 'a valid date, as `YYYY-MM-DD`',
};

const filterParameters = {
  status: {
    ...oneOf(eventStatuses, { many: true, anyCase: true }),
    description:
      'Only events with one of these statuses. Separate several values with commas, or repeat the parameter.',
  },
  state: {
    ...oneOf(eventStates, { many: true, anyCase: true }),
    description: 'Only events in one of these states: whether they take place as announced.',
  },
  projectType: {
    ...oneOf(projectTypes, { many: true, anyCase: true }),
    description: 'Only events for one of these project types.',
  },
  format: {
    ...oneOf(eventFormats, { many: true, anyCase: true }),
    description: 'Only events in one of these formats.',
  },
  q: {
    schema: z
      .string()
      .max(searchLengthMax)
      .regex(/^[^\x00-\x1f\x7f]*$/),
    takes: `text of up to ${searchLengthMax} characters`,
    description:
      'Only events that contain all of these words in their name, description, requirements, place, Slack channel or project types. Case and accents are ignored. Words that name days (`december`, `this weekend`, `tomorrow`) also find the events on these days.',
  },
  when: {
    ...oneOf(quickDates, { anyCase: true }),
    description:
      'Only events on these days, counted from the current day in the site’s time zone: `today`, the days that are left of this week’s Saturday and Sunday, the next seven days from today on, or the days that are left of this month. Together with `from` and `to`, all must match.',
  },
  from: {
    ...dateParameter,
    description: 'Only events that end on this day or later, or have no end.',
  },
  to: {
    ...dateParameter,
    description: 'Only events that start on this day or earlier.',
  },
} satisfies Record<string, QueryParameter>;

/** Parameters of the list and of the calendar, for validation, hints and the OpenAPI document. */
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
    ...oneOf(sortKeys),
    defaultsTo: 'startDate',
    description: 'Field to sort by. Ties are sorted by id.',
  },
  order: {
    ...oneOf(['asc', 'desc'], { anyCase: true }),
    defaultsTo: 'desc',
    description: 'Sort order.',
  },
  limit: {
    ...limitParameter,
    description: 'Maximum number of events to return. Without it, all events are returned.',
  },
} satisfies Record<string, QueryParameter>;

/** Parameters of RSS and JSON Feed, which are sorted by announcement. */
export const feedParameters = {
  ...filterParameters,
  limit: {
    ...limitParameter,
    defaultsTo: feedLength,
    description: 'Number of latest events to return.',
  },
} satisfies Record<string, QueryParameter>;

type Parameters = Readonly<Record<string, QueryParameter>>;

/**
 * Validates query parameters. Empty values are ignored, since HTML forms send them.
 */
export function parseEventsQuery(search: URLSearchParams, parameters: Parameters): QueryResult {
  const query: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) return failed(unknownParameter(name, Object.keys(parameters)));
    const values = splitValues(search.getAll(name), parameter);
    if (values.length === 0) continue;
    if (!parameter.many && values.length > 1) {
      return failed({
        message: `The parameter \`${name}\` was sent ${values.length} times.`,
        hint: `Send \`${name}\` once. It must be ${parameter.takes}.`,
      });
    }
    const parsed: unknown[] = [];
    for (const value of values) {
      const result = parameter.schema.safeParse(toChoice(value, parameter));
      if (!result.success) return failed(badValue(name, value, parameter));
      if (!parsed.includes(result.data)) parsed.push(result.data);
    }
    // Sorted, so that equal queries have equal keys.
    query[name] = parameter.many ? parsed.sort() : parsed[0];
  }
  return checkRange(query as EventsQuery);
}

function checkRange(query: EventsQuery): QueryResult {
  if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
    return failed({
      message: '`from` is later than `to`, so no event can match.',
      hint: `Swap them: \`from=${query.to}&to=${query.from}\`.`,
    });
  }
  return { ok: true, query };
}

function splitValues(values: readonly string[], parameter: QueryParameter): string[] {
  const single = parameter.many ? values.flatMap((value) => value.split(',')) : values;
  return single.map((value) => (parameter.choices ? value.trim() : value)).filter(Boolean);
}

function toChoice(value: string, { choices, anyCase }: QueryParameter): string {
  if (!anyCase) return value;
  const lower = value.toLowerCase();
  return choices?.find((choice) => choice.toLowerCase() === lower) ?? value;
}

function unknownParameter(name: string, known: readonly string[]): QueryProblem {
  if (known.length === 0) {
    return {
      message: `Unknown parameter ${quote(name)}.`,
      hint: 'This endpoint has no parameters: remove everything after the `?`.',
    };
  }
  return {
    message: `Unknown parameter ${quote(name)}.`,
    hint: `${didYouMean(name, known)}Parameters: ${known.map((one) => `\`${one}\``).join(', ')}.`,
  };
}

function badValue(name: string, value: string, parameter: QueryParameter): QueryProblem {
  return {
    message: `Invalid value ${quote(value)} for the parameter \`${name}\`.`,
    hint: `${didYouMean(value, parameter.choices ?? [])}\`${name}\` must be ${parameter.takes}.`,
  };
}

function didYouMean(input: string, choices: readonly string[]): string {
  const nearest = findClosestChoice(input.toLowerCase(), choices);
  return nearest === undefined ? '' : `Did you mean \`${nearest}\`? `;
}

function findClosestChoice(input: string, choices: readonly string[]): string | undefined {
  if (input.length > 40 || choices.length === 0) return undefined;
  const lower = new Map(choices.map((choice) => [choice.toLowerCase(), choice]));
  const completed = [...lower.keys()].find(
    (choice) => input.length > 1 && choice.startsWith(input),
  );
  const nearest =
    completed ??
    closestMatch(input, [...lower.keys()], {
      // Short words are always close to each other.
      maxDistance: Math.min(3, Math.floor(input.length / 2)),
    });
  return nearest === undefined ? undefined : lower.get(nearest);
}

// A client's input is shortened and stripped of characters that could break a terminal or a log.
function quote(value: string): string {
  const plain = value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return `“${plain.length > 60 ? `${[...plain].slice(0, 60).join('')}…` : plain}”`;
}

function failed(problem: QueryProblem): QueryResult {
  return { ok: false, problem };
}
