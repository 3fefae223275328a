import type { DirectoryLayout } from './directory-search.ts';
import { parseEventsQuery, type QueryProblem } from './events-query.ts';
import { type FilterName, type Filters, filterNames } from './filters.ts';
import { listParameters } from './query-parameters.ts';

/** The query of the directory's URL. */
export type DirectoryQuery = Readonly<{
  filters: Filters;
  /** Page number, from 1. */
  page: number;
  layout: DirectoryLayout;
  /** Invalid parameters, which are ignored. */
  problems: readonly QueryProblem[];
}>;

/** The `searchParams` of a Next.js page. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The filters in a URL's query; other parameters are left out.
 * @param others further parameters, by default the directory's page number and layout.
 */
export function readSearchParams(
  search: string,
  others: readonly string[] = ['page', 'view'],
): SearchParams {
  const given = new URLSearchParams(search);
  return Object.fromEntries([...filterNames, ...others].map((name) => [name, given.getAll(name)]));
}

/**
 * Parses the directory's query by the rules of the API's list, but leniently: invalid values are ignored and
 * reported, and unknown parameters (`utm_source`) are ignored.
 */
export function parseDirectoryQuery(search: SearchParams): DirectoryQuery {
  const filters: { -readonly [Name in FilterName]?: Filters[Name] } = {};
  const problems: QueryProblem[] = [];
  for (const name of filterNames) {
    const values = [search[name] ?? []].flat().filter((value) => value.trim() !== '');
    const result = parse(values.map((value) => [name, value]));
    if (result.ok) Object.assign(filters, result.query);
    else problems.push(result.problem);
  }
  const { from, to } = filters;
  if (from !== undefined && to !== undefined && from > to) {
    const result = parse([
      ['from', from],
      ['to', to],
    ]);
    if (!result.ok) problems.push(result.problem);
    delete filters.from;
    delete filters.to;
  }
  const layout = parseLayout(search.view, problems);
  return { filters, problems, layout, ...parsePage(search.page, problems) };
}

function parse(pairs: [string, string][]) {
  return parseEventsQuery(new URLSearchParams(pairs), listParameters);
}

function parseLayout(input: SearchParams[string], problems: QueryProblem[]): DirectoryLayout {
  const [text = 'posters', ...more] = [input ?? []].flat().filter(Boolean);
  if (more.length === 0 && (text === 'list' || text === 'posters')) return text;
  problems.push({
    message: 'Invalid value for the parameter `view`.',
    hint: '`view` must be `posters` or `list`.',
  });
  return 'posters';
}

function parsePage(input: SearchParams[string], problems: QueryProblem[]): { page: number } {
  const [text = '', ...more] = [input ?? []].flat();
  if (text === '') return { page: 1 };
  if (more.length === 0 && /^[1-9]\d{0,3}$/.test(text)) return { page: Number(text) };
  problems.push({
    message: 'Invalid value for the parameter `page`.',
    hint: '`page` must be an integer from 1 to 9999.',
  });
  return { page: 1 };
}
