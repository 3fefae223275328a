import { parseDirectoryQuery, readSearchParams } from '#lib/events/query/directory-query.ts';
import { toSearch } from '#lib/events/query/filters.ts';
import type { Page } from './classify-url.ts';

/** Invalid values are cut, so that the URL fits into headers; still too long, they stay invalid. */
const valueLengthMax = 300;
const valuesMax = 10;

/**
 * The canonical URL of a page or its Markdown, by which it is cached: known query parameters in a fixed order,
 * all others dropped. Invalid values stay, since the page reports them.
 */
export function toCanonicalUrl(page: Page, path: string, search: string): string {
  if (page.kind !== 'directory' || search === '') return path;
  const params = readSearchParams(search);
  const { filters, page: number, problems } = parseDirectoryQuery(params);
  if (problems.length === 0) return path + toSearch(filters, number);
  const given = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .slice(0, valuesMax)
      .map((value): [string, string] => [name, value.slice(0, valueLengthMax)]),
  );
  return `${path}?${new URLSearchParams(given)}`;
}
