import { LRUCache } from 'lru-cache';
import { createApiError } from '#lib/http/errors/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { type EventsQuery, parseEventsQuery } from './events-query.ts';
import { feedParameters, listParameters, type QueryParameter } from './query-parameters.ts';

/** A query and its cache key: equal queries have equal keys, however they were written. */
export type KeyedQuery = Readonly<{ query: EventsQuery; key: string }>;

const cachedMax = 1000;
const cachedLengthMax = 300;

/**
 * Parses the query of the list or of the calendar from a URL.
 * @throws HttpError 400 with the parameter and its valid values.
 */
export const parseListQuery = createQueryParser(listParameters);

/**
 * Parses the query of a feed: the list’s filters and `limit`.
 * @throws HttpError 400 with the parameter and its valid values.
 */
export const parseFeedQuery = createQueryParser(feedParameters);

// Most requests repeat a few queries.
function createQueryParser(parameters: Readonly<Record<string, QueryParameter>>) {
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
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
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
