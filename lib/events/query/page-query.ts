import { isMonth, isMonthInReach, toMonth } from '../model/dates.ts';
import { roundPosition } from '../model/position.ts';
import { type EventsQuery, filterNames, isReversed, withoutFilters } from './events-query.ts';
import {
  findConflict,
  parseParameters,
  type QueryProblem,
  type QueryResult,
} from './parse-query.ts';
import { listParameters } from './query-parameters.ts';

const days: readonly string[] = ['when', 'from', 'to'];

/** The pages with a query, and the parameters that each of them takes, in the order of its URL. */
const pageParameters = {
  directory: [...filterNames, 'page', 'view'],
  subscribe: filterNames,
  // The month is the range of dates.
  month: [...filterNames.filter((name) => !days.includes(name)), 'month'],
} as const satisfies Record<string, readonly (keyof EventsQuery)[]>;

type QueriedPage = keyof typeof pageParameters;

/** The `searchParams` of a Next.js page. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The query of a page, and its invalid parameters, which are ignored. */
export type PageQuery = Readonly<{ query: EventsQuery; problems: readonly PageProblem[] }>;

/** With the days that are the wrong way round, if that is the problem. */
type PageProblem = QueryProblem & Readonly<{ range?: Pick<EventsQuery, 'from' | 'to'> }>;

export const invalidMonth = 'invalid';

/** The parameters in a URL's query that a page takes; others are left out. */
export function readPageParameters(page: QueriedPage, search: string): SearchParams {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(pageParameters[page].map((name) => [name, parameters.getAll(name)]));
}

/**
 * Parses the query of a page by the rules of the API's list, but leniently: invalid values are ignored and reported,
 * and unknown parameters (`utm_source`) are ignored.
 */
export function parsePageQuery(page: QueriedPage, search: string | SearchParams): PageQuery {
  const parameters = typeof search === 'string' ? readPageParameters(page, search) : search;
  const problems: PageProblem[] = [];
  let query: EventsQuery = {};
  for (const name of pageParameters[page]) {
    const values = [parameters[name] ?? []].flat().filter((value) => value.trim() !== '');
    const result = parseParameter(name, values);
    if (result.ok) query = { ...query, ...result.query };
    else problems.push(result.problem);
  }
  if (query.near !== undefined) query = { ...query, near: roundPosition(query.near) };
  // The form of `/subscribe` sends a hidden `within` even after `near` was taken off.
  if (page === 'subscribe' && query.near === undefined) query = withoutFilters(query, 'within');
  for (let found = findConflict(query); found !== null; found = findConflict(query)) {
    const { from = '', to = '' } = query;
    problems.push(isReversed(query) ? { ...found.problem, range: { from, to } } : found.problem);
    query = withoutFilters(query, ...found.names);
  }
  return { query, problems };
}

/** The month that a URL of the month view shows; null if there is no such month. */
export function findMonth(url: string, today: string): string | null {
  const { month = toMonth(today) } = parsePageQuery('month', url.split('?')[1] ?? '').query;
  return isMonth(month) && isMonthInReach(month, today) ? month : null;
}

function parseParameter(name: keyof EventsQuery, values: readonly string[]): QueryResult {
  const [text, ...more] = values;
  if (name !== 'page' && name !== 'view' && name !== 'month') {
    return parse(values.map((value) => [name, value]));
  }
  if (text === undefined) return { ok: true, query: {} };
  if (name === 'month') {
    const isValid = more.length === 0 && isMonth(text);
    // It is no problem to report, but a 404.
    return { ok: true, query: { month: isValid ? text : invalidMonth } };
  }
  if (name === 'page') {
    if (more.length === 0 && /^[1-9]\d{0,3}$/.test(text)) {
      return { ok: true, query: { page: Number(text) } };
    }
    return failed(
      'page',
      '`page` must be an integer from 1 to 9999.',
      'There is no such page of the list.',
    );
  }
  if (more.length === 0 && (text === 'list' || text === 'posters')) {
    return { ok: true, query: { view: text } };
  }
  return failed(
    'view',
    '`view` must be `posters` or `list`.',
    'There are posters, a list and a month.',
  );
}

function parse(pairs: [string, string][]): QueryResult {
  return parseParameters(new URLSearchParams(pairs), listParameters);
}

function failed(name: string, hint: string, words: string): QueryResult {
  return {
    ok: false,
    problem: { message: `Invalid value for the parameter \`${name}\`.`, hint, words },
  };
}
