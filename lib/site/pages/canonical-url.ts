import { formatQuery } from '#lib/events/query/events-query.ts';
import {
  invalidMonth,
  parsePageQuery,
  readPageParameters,
  type SearchParams,
} from '#lib/events/query/page-query.ts';
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
    case 'directory':
    case 'month':
    case 'subscribe': {
      const parameters = readPageParameters(page.kind, search);
      const { query, problems } = parsePageQuery(page.kind, parameters);
      // All invalid months share one 404 page.
      if (query.month === invalidMonth) return path + formatQuery({ month: invalidMonth });
      return path + (problems.length === 0 ? formatQuery(query) : toShortSearch(parameters));
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
