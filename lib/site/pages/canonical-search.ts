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
 * The canonical query of a page with its `?`: known parameters in a fixed order, all others dropped. Invalid
 * values stay, since the page reports them.
 */
export type ToCanonicalSearch = (search: string) => string;

/** Invalid values are truncated, so that the URL fits into headers; they stay too long to be valid. */
const valueLengthMax = 300;
const valuesMax = 10;

const accountParameters = [
  'problem',
  'done',
  'key',
  // Which client is connected to which model.
  'client',
  'model',
  // Which requests are shown, and from which one on.
  'key',
  'status',
  'session',
  'day',
  'sort',
  'after',
  // Of which time usage is shown.
  'days',
  'from',
  'to',
  // What was typed into a form that was refused.
  'name',
  'budget',
  'expires',
  'models',
];
const accountValuesMax = 50;

const adminParameters = [
  // Of lists: text, filters, order.
  'q',
  'state',
  'owner',
  'group',
  'kind',
  'target',
  'sort',
  'person',
  'key',
  'model',
  'status',
  'session',
  'day',
  'action',
  'days',
  'page',
  'problem',
  'done',
  // What was typed into a form that was refused.
  'name',
  'budget',
  'url',
  'types',
  'filter',
];

/** Cursors contain the value that a list is sorted by, such as a name. */
const adminCursors = ['after', 'before'];
const cursorLengthMax = 3_000;

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

export const toCanonicalAccountSearch: ToCanonicalSearch = (search) =>
  keepKnown(search, [
    { names: accountParameters, valuesMax: accountValuesMax, lengthMax: valueLengthMax },
  ]);

export const toCanonicalAdminSearch: ToCanonicalSearch = (search) =>
  keepKnown(search, [
    { names: adminParameters, valuesMax: 1, lengthMax: valueLengthMax },
    { names: adminCursors, valuesMax: 1, lengthMax: cursorLengthMax },
  ]);

type Known = Readonly<{ names: readonly string[]; valuesMax: number; lengthMax: number }>;

function keepKnown(search: string, known: readonly Known[]): string {
  const params = new URLSearchParams(search);
  const kept = known.flatMap(({ names, valuesMax, lengthMax }) =>
    names.flatMap((name) =>
      params
        .getAll(name)
        .slice(0, valuesMax)
        // A NUL is no text for PostgreSQL.
        .map((value) => [name, value.replaceAll('\0', '').slice(0, lengthMax)])
        .filter(([, value]) => value !== ''),
    ),
  );
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}

function toShortSearch(params: SearchParams): string {
  const short = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .slice(0, valuesMax)
      .map((value): [string, string] => [name, value.slice(0, valueLengthMax)]),
  );
  return `?${new URLSearchParams(short)}`;
}
