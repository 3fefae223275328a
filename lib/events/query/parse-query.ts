import { LRUCache } from 'lru-cache';
import { HttpError } from '#lib/http/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import {
  type EventsQuery,
  feedParameters,
  listParameters,
  parseEventsQuery,
  type QueryParameter,
} from './events-query.ts';

/** A query and its canonical text: equal queries, however they were spelt, have equal keys. */
export type KeyedQuery = Readonly<{ query: EventsQuery; key: string }>;

const rememberedMax = 1000;
const rememberedLengthMax = 300;

/**
 * Reads the query of the list or of the calendar from an address.
 * @throws HttpError 400 that names the parameter and what it may be.
 */
export const parseListQuery = createQueryReader(listParameters);

/**
 * Reads the query of a feed, which takes `limit` alone.
 * @throws HttpError 400 that names the parameter and what it may be.
 */
export const parseFeedQuery = createQueryReader(feedParameters);

// The same few queries are asked again and again, so each is parsed once.
function createQueryReader(parameters: Readonly<Record<string, QueryParameter>>) {
  const remembered = new LRUCache<string, KeyedQuery>({ max: rememberedMax });
  return (url: string): KeyedQuery => {
    const search = searchOf(url);
    const known = remembered.get(search);
    if (known !== undefined) return known;
    const result = parseEventsQuery(readSearchParameters(search), parameters);
    if (!result.ok) throw new HttpError('bad_request', result.problem);
    const read = { query: result.query, key: toKey(result.query) };
    if (search.length <= rememberedLengthMax) remembered.set(search, read);
    return read;
  };
}

function toKey(query: EventsQuery): string {
  const given = Object.entries(query).filter(
    ([name, value]) =>
      !(name === 'sort' && value === 'startDate') && !(name === 'order' && value === 'desc'),
  );
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * For addresses that take no parameters.
 * @throws HttpError 400 where one was given.
 */
export function requireNoQuery(url: string): void {
  const search = searchOf(url);
  if (search === '') return;
  const result = parseEventsQuery(readSearchParameters(search), {});
  if (!result.ok) throw new HttpError('bad_request', result.problem);
}
