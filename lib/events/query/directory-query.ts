import { listParameters, parseEventsQuery, type QueryProblem } from './events-query.ts';
import { type FilterName, type Filters, filterNames } from './filters.ts';

/** What the address of the directory asks for. */
export type DirectoryQuery = Readonly<{
  filters: Filters;
  /** Page of a long list, from 1. */
  page: number;
  /** What was not understood, and therefore left out. */
  problems: readonly QueryProblem[];
}>;

/** Parameters as Next gives them to a page. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the directory's address by the rules of the list, but as a page for people: a value that is not
 * understood is left out and said, and parameters of others (campaigns, say) are passed over.
 */
export function parseDirectoryQuery(given: SearchParams): DirectoryQuery {
  const filters: { -readonly [Name in FilterName]?: Filters[Name] } = {};
  const problems: QueryProblem[] = [];
  for (const name of filterNames) {
    const values = [given[name] ?? []].flat().filter((value) => value.trim() !== '');
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
  return { filters, problems, ...readPage(given.page, problems) };
}

function parse(pairs: [string, string][]) {
  return parseEventsQuery(new URLSearchParams(pairs), listParameters);
}

function readPage(given: SearchParams[string], problems: QueryProblem[]): { page: number } {
  const [text = '', ...more] = [given ?? []].flat();
  if (text === '') return { page: 1 };
  if (more.length === 0 && /^[1-9]\d{0,3}$/.test(text)) return { page: Number(text) };
  problems.push({
    message: 'Invalid value for the parameter `page`.',
    hint: '`page` must be an integer from 1 to 9999.',
  });
  return { page: 1 };
}
