import { parseDirectoryQuery } from '#lib/events/query/directory-query.ts';
import { filterNames, toSearch } from '#lib/events/query/filters.ts';
import type { Page } from './classify-url.ts';

/**
 * The canonical URL of a page, by which it is cached: known query parameters in a fixed order, all others
 * dropped. Values that are not understood stay, since the page says so.
 */
export function toCanonicalUrl(page: Page, path: string, search: string): string {
  if (page.kind !== 'directory' || search === '') return path;
  const parameters = new URLSearchParams(search);
  const values = Object.fromEntries(
    [...parameters.keys()].map((name) => [name, parameters.getAll(name)]),
  );
  const query = parseDirectoryQuery(values);
  if (query.problems.length === 0) return path + toSearch(query.filters, query.page);
  const known = [...filterNames, 'page'].flatMap((name) =>
    parameters.getAll(name).map((value): [string, string] => [name, value]),
  );
  return `${path}?${new URLSearchParams(known)}`;
}
