import { parseDirectoryQuery } from '#lib/events/query/directory-query.ts';
import { filterNames, toSearch } from '#lib/events/query/filters.ts';
import { fromMarkdownPath, parsePagePath } from './classify-url.ts';

/**
 * The canonical URL of a page or its Markdown, by which it is cached: known query parameters in a fixed order, all others
 * dropped. Invalid values stay, since the page reports them.
 */
export function toCanonicalUrl(path: string, search: string): string {
  if (search === '') return path;
  const page = parsePagePath(path.endsWith('.md') ? fromMarkdownPath(path) : path);
  if (page.kind !== 'directory') return path;
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
