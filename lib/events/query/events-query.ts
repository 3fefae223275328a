import { closestMatch } from 'leven';
import type { EventFormat, EventState, EventStatus, ProjectType } from '../model/schema.ts';
import type { SortKey, SortOrder } from '../source/events-index.ts';
import type { QueryParameter } from './query-parameters.ts';
import type { QuickDates } from './quick-dates.ts';

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
  const isPartOf = (choice: string) => input.length > 2 && choice.includes(input);
  const nearest =
    [...lower.keys()].find((choice) => input.length > 1 && choice.startsWith(input)) ??
    [...lower.keys()].find(isPartOf) ??
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
