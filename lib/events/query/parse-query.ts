import { closestMatch } from 'leven';
import { LRUCache } from 'lru-cache';
import { createApiError } from '#lib/http/errors/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { compareText } from '../model/dates.ts';
import type { EventsQuery, FilterName } from './events-query.ts';
import {
  calendarParameters,
  feedParameters,
  listParameters,
  type QueryParameter,
} from './query-parameters.ts';

/** A query and its cache key: equal queries have equal keys, however they were written. */
type KeyedQuery = Readonly<{ query: EventsQuery; key: string }>;

const cachedMax = 1000;
const cachedLengthMax = 300;

/**
 * Parses the query of the list from a URL.
 * @throws HttpError 400 with the parameter and its valid values.
 */
export const parseListQuery = createQueryParser(listParameters);

/**
 * Parses the query of the calendar: that of the list, and `alarms`.
 * @throws HttpError 400 with the parameter and its valid values.
 */
export const parseCalendarQuery = createQueryParser(calendarParameters);

/**
 * Parses the query of a feed: the list’s filters and `limit`.
 * @throws HttpError 400 with the parameter and its valid values.
 */
export const parseFeedQuery = createQueryParser(feedParameters);

// Most requests repeat a few queries.
function createQueryParser(parameters: Parameters) {
  const cache = new LRUCache<string, KeyedQuery>({ max: cachedMax });
  return (url: string): KeyedQuery => {
    const search = searchOf(url);
    const cached = cache.get(search);
    if (cached !== undefined) return cached;
    const result = parseEventsQuery(readSearchParameters(search), parameters);
    if (!result.ok) throw createApiError('bad_request', result.problem);
    const parsed = { query: result.query, key: toKey(result.query) };
    if (search.length <= cachedLengthMax) cache.set(search, parsed);
    return parsed;
  };
}

function toKey(query: EventsQuery): string {
  const entries = Object.entries(query).filter(
    ([name, value]) =>
      !(name === 'sort' && value === 'startDate') && !(name === 'order' && value === 'desc'),
  );
  return JSON.stringify(entries.sort(([a], [b]) => compareText(a, b)));
}

/**
 * For endpoints without parameters.
 * @throws HttpError 400 if there is one.
 */
export function requireNoQuery(url: string): void {
  const search = searchOf(url);
  if (search === '') return;
  const result = parseEventsQuery(readSearchParameters(search), {});
  if (!result.ok) throw createApiError('bad_request', result.problem);
}

/** Why a query is invalid, and how to fix it. */
export type QueryProblem = Readonly<{
  message: string;
  hint: string;
  /** For visitors, who know no parameters; and what they may choose instead. */
  words: string;
  choices?: readonly string[] | undefined;
}>;

export type QueryResult =
  | Readonly<{ ok: true; query: EventsQuery }>
  | Readonly<{ ok: false; problem: QueryProblem }>;

type Parameters = Readonly<Record<string, QueryParameter>>;

/**
 * Validates query parameters. Empty values are ignored, since HTML forms send them.
 */
export function parseEventsQuery(search: URLSearchParams, parameters: Parameters): QueryResult {
  const result = parseParameters(search, parameters);
  const conflict = result.ok ? findConflict(result.query) : null;
  return conflict === null ? result : failed(conflict.problem);
}

/** Validates each query parameter for itself. */
export function parseParameters(search: URLSearchParams, parameters: Parameters): QueryResult {
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
        words: `Only one of these can be chosen: ${values.map(quote).join(', ')}.`,
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
  return { ok: true, query };
}

type Conflict = Readonly<{ problem: QueryProblem; names: readonly FilterName[] }>;

/** Filters that are valid alone, but make no sense together; null without any. */
export function findConflict({ from, to, near, within }: EventsQuery): Conflict | null {
  if (from !== undefined && to !== undefined && from > to) {
    const problem = {
      message: '`from` is later than `to`, so no event can match.',
      hint: `Swap them: \`from=${to}&to=${from}\`.`,
      words: 'The first day is after the last.',
    };
    return { problem, names: ['from', 'to'] };
  }
  if (within !== undefined && near === undefined) {
    const problem = {
      message: '`within` is a distance, but `near` does not say from where.',
      hint: `Send both, as in \`near=51.05,3.72&within=${within}\`, or neither.`,
      words: 'A distance needs a place from which it is measured.',
    };
    return { problem, names: ['within'] };
  }
  return null;
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
  const message = `Unknown parameter ${quote(name)}.`;
  const hint =
    known.length === 0
      ? 'This endpoint has no parameters: remove everything after the `?`.'
      : `${didYouMean(name, known)}Parameters: ${known.map((parameter) => `\`${parameter}\``).join(', ')}.`;
  return { message, hint, words: message };
}

function badValue(name: string, value: string, parameter: QueryParameter): QueryProblem {
  return {
    message: `Invalid value ${quote(value)} for the parameter \`${name}\`.`,
    hint: `${didYouMean(value, parameter.choices ?? [])}\`${name}\` must be ${parameter.takes}.`,
    words: parameter.choices
      ? `We don’t know ${quote(value)}.`
      : `We don’t understand ${quote(value)}: we expected ${parameter.takes}.`,
    choices: parameter.choices,
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
