import {
  parseDirectoryQuery,
  readSearchParams,
  type SearchParams,
} from '#lib/events/query/directory-query.ts';
import { toDirectorySearch } from '#lib/events/query/directory-search.ts';
import { toSearch } from '#lib/events/query/filters.ts';
import {
  invalidMonth,
  parseMonthQuery,
  readMonthParams,
  toMonthSearch,
} from '#lib/events/query/month-query.ts';
import { parseModelFilter, toModelSearch } from '../playground/model-search.ts';
import type { Page } from './classify-url.ts';

/** Invalid values are truncated, so that the URL fits into headers; they stay too long to be valid. */
const valueLengthMax = 300;
const valuesMax = 10;

const adminParameters = [
  ...['q', 'person', 'action', 'days', 'page', 'problem'],
  // What was typed into a form that was refused.
  ...['name', 'budget'],
];

/**
 * The canonical URL of a page or its Markdown, by which it is cached: known query parameters in a fixed order,
 * all others dropped. Invalid values stay, since the page reports them.
 */
export function toCanonicalUrl(page: Page, path: string, search: string): string {
  if (search === '') return path;
  switch (page.kind) {
    case 'directory': {
      const params = readSearchParams(search);
      const { problems, ...state } = parseDirectoryQuery(params);
      return path + (problems.length === 0 ? toDirectorySearch(state) : toShortSearch(params));
    }
    case 'month': {
      const params = readMonthParams(search);
      const { filters, month, problems } = parseMonthQuery(params);
      // All invalid months share one 404 page.
      if (month === invalidMonth) return path + toMonthSearch({}, month);
      if (problems.length === 0) return path + toMonthSearch(filters, month);
      return path + toShortSearch(params);
    }
    case 'subscribe': {
      const params = readSearchParams(search, []);
      const { filters, problems } = parseDirectoryQuery(params);
      return path + (problems.length === 0 ? toSearch(filters) : toShortSearch(params));
    }
    case 'models':
      return path + toModelSearch(parseModelFilter(new URLSearchParams(search)));
    case 'account': {
      const problem = new URLSearchParams(search).get('problem') ?? '';
      return /^[a-z-]{1,20}$/.test(problem) ? `${path}?problem=${problem}` : path;
    }
    case 'admin': {
      const given = new URLSearchParams(search);
      const known = adminParameters.flatMap((name) => {
        const value = given.get(name) ?? '';
        return value === '' ? [] : [[name, value.slice(0, valueLengthMax)]];
      });
      return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
    }
    default:
      return path;
  }
}

function toShortSearch(params: SearchParams): string {
  const given = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .slice(0, valuesMax)
      .map((value): [string, string] => [name, value.slice(0, valueLengthMax)]),
  );
  return `?${new URLSearchParams(given)}`;
}
