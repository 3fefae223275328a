import { firstPage, type ListQuery, type ListStart } from '#lib/storage/lists.ts';

/** What can be asked of a list: the fields of its form, the parameters of its URLs, the options of its command. */
export type ListFields<Sort extends string = string, Filter extends string = string> = Readonly<{
  /** The label of the search; left out: there is nothing to search. */
  search?: string;
  filters: Readonly<Record<Filter, ListField>>;
  /** The first one is the default. */
  sorts: Readonly<Record<Sort, SortField>>;
  /** Filters that hold where none is given. */
  toDefaults?: (sort: string, now: number) => Readonly<Record<string, string>>;
}>;

export type ListField = Readonly<{
  /** null: it is in links alone. */
  label: string | null;
  /** Its values; left out: any, or those that its page offers. */
  options?: readonly (readonly [value: string, words: string, ...others: unknown[]])[];
  /** What none of them is called, if not All. */
  all?: string;
  /** Which other values it takes. */
  accepts?: (value: string) => boolean;
  /** It is typed. */
  input?: Readonly<{ type?: 'date'; maxLength?: number }>;
}>;

type SortField = Readonly<{
  words: string;
  /** What links to the pages beside one are called, if not Previous and Next. */
  pages?: readonly [before: string, after: string];
}>;

/** What a page shows of a list, but for where it starts. */
export type ListState<Sort extends string = string, Filter extends string = string> = Pick<
  ListQuery<Sort, Filter>,
  'text' | 'sort' | 'filters'
>;

/** The parameters of a URL. */
export type Values = Readonly<Record<string, string | undefined>>;

/** How many rows pages and commands show at a time. */
export const pageRows = 50;
export const pagesMax = 100_000;

/** The page of a list that a URL asks for. What it does not know counts as not given. */
export function readListQuery<Sort extends string, Filter extends string>(
  list: ListFields<Sort, Filter>,
  values: Values,
  now = Date.now(),
): ListQuery<Sort, Filter> {
  const sort = findSort(list, values.sort) ?? listSorts(list)[0];
  const known = listFilters(list).flatMap((name) => {
    const value = (values[name] ?? '').trim();
    return isFilterValue(list.filters[name], value) ? [[name, value]] : [];
  });
  return {
    text: list.search === undefined ? '' : (values.q ?? '').trim(),
    sort,
    filters: { ...list.toDefaults?.(sort, now), ...Object.fromEntries(known) },
    start: readStart(values),
    limit: pageRows,
  };
}

/** The query of a URL with its `?`, in a fixed order: all pages of a list, and its file, have the same but for the start. */
export function toListSearch(
  list: ListFields,
  { text, sort, filters }: ListState,
  start: ListStart = firstPage,
): string {
  const parameters = [
    ['q', text],
    ...listFilters(list).map((name) => [name, filters[name] ?? '']),
    ['sort', sort === listSorts(list)[0] ? '' : sort],
    ...('cursor' in start ? [[start.kind, start.cursor]] : []),
  ];
  const query = new URLSearchParams(parameters.filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
}

export function listFilters<Filter extends string>({
  filters,
}: Pick<ListFields<never, Filter>, 'filters'>): Filter[] {
  return Object.keys(filters) as Filter[];
}

/** The names of its orders; the first one is the default. */
export function listSorts<Sort extends string>({ sorts }: Pick<ListFields<Sort>, 'sorts'>) {
  return Object.keys(sorts) as [Sort, ...Sort[]];
}

export function findSort<Sort extends string>(
  list: Pick<ListFields<Sort>, 'sorts'>,
  text: string | undefined,
): Sort | undefined {
  return listSorts(list).find((name) => name === text);
}

export function isFilterValue({ options, accepts }: ListField, value: string): boolean {
  if (value === '') return false;
  if (options?.some(([name]) => name === value)) return true;
  return accepts?.(value) ?? options === undefined;
}

/** The number of a page, from 1 on; null: it is none. */
export function readPage(text: string): number | null {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return page >= 1 && page <= pagesMax ? page : null;
}

export function startPage(page: number): ListStart {
  return { kind: 'offset', offset: (page - 1) * pageRows };
}

function readStart({ after, before, page = '' }: Values): ListStart {
  if (after) return { kind: 'after', cursor: after };
  return before ? { kind: 'before', cursor: before } : startPage(readPage(page) ?? 1);
}
