import { formatQuery } from '#lib/events/query/events-query.ts';
import {
  invalidMonth,
  parsePageQuery,
  readPageParameters,
  type SearchParams,
} from '#lib/events/query/page-query.ts';
import { parseMapView, toMapPath } from '#lib/representations/map/areas.ts';
import { parseModelFilter, toModelSearch } from '../playground/model-filter.ts';

/**
 * The canonical query of a page with its `?`: known parameters in a fixed order, all others dropped, so that a cache
 * keeps it once. Invalid values stay, since the page reports them.
 */
export type ToCanonicalSearch = (search: string) => string;

/** Invalid values are truncated, so that the URL fits into headers; they stay too long to be valid. */
const valueLengthMax = 300;
const valuesMax = 10;

export const toCanonicalDirectorySearch: ToCanonicalSearch = (search) =>
  toCanonicalQuery('directory', search);

export const toCanonicalMonthSearch: ToCanonicalSearch = (search) =>
  toCanonicalQuery('month', search);

export const toCanonicalFilterSearch: ToCanonicalSearch = (search) =>
  toCanonicalQuery('subscribe', search);

function toCanonicalQuery(page: 'directory' | 'month' | 'subscribe', search: string): string {
  const parameters = readPageParameters(page, search);
  const { query, problems } = parsePageQuery(page, parameters);
  // All invalid months share one 404 page.
  if (query.month === invalidMonth) return formatQuery({ month: invalidMonth });
  return problems.length === 0 ? formatQuery(query) : toShortSearch(parameters);
}

/** An area that does not exist is shown as the world, with a note. */
export const toCanonicalMapSearch: ToCanonicalSearch = (search) => {
  const { area, hasPast } = parseMapView(new URLSearchParams(search));
  return area === null ? '?area=unknown' : toMapPath({ area, hasPast }).slice('/map'.length);
};

export const toCanonicalModelSearch: ToCanonicalSearch = (search) =>
  toModelSearch(parseModelFilter(new URLSearchParams(search)));

/** So much that cursors, which contain the value that a list is sorted by, such as a name, are kept whole. */
const privateLengthMax = 3_000;
const parametersMax = 100;

/** Of a page that no cache keeps: all that was sent, in its order, but for what is empty. */
export const toPrivateSearch: ToCanonicalSearch = (search) => {
  const kept = [...new URLSearchParams(search)]
    // A NUL is no text for PostgreSQL.
    .map(([name, value]) => [name, value.replaceAll('\0', '').slice(0, privateLengthMax)])
    .filter(([, value]) => value !== '')
    .slice(0, parametersMax);
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
};

function toShortSearch(params: SearchParams): string {
  const short = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .slice(0, valuesMax)
      .map((value): [string, string] => [name, value.slice(0, valueLengthMax)]),
  );
  return `?${new URLSearchParams(short)}`;
}
