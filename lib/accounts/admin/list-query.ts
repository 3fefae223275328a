import { firstPage, type List, type ListQuery, type ListStart } from '#lib/storage/lists.ts';
import { pageRows } from './paging.ts';

/** The parameters of a URL. */
type Values = Readonly<Record<string, string | undefined>>;

/** What can be asked of a list. */
export type ListNames<Sort extends string, Filter extends string> = Pick<
  List<never, Sort, Filter>,
  'sorts' | 'filters'
>;

/** The page of a list that a URL asks for. What it does not know counts as not given. */
export function readListQuery<Sort extends string, Filter extends string>(
  list: ListNames<Sort, Filter>,
  values: Values,
): ListQuery<Sort, Filter> {
  const names = Object.keys(list.filters) as Filter[];
  const known = names.flatMap((name) => {
    const value = (values[name] ?? '').trim();
    return isFilterValue(list, name, value) ? [[name, value]] : [];
  });
  return {
    text: (values.q ?? '').trim(),
    sort: findSort(list, values.sort) ?? listSorts(list)[0],
    filters: Object.fromEntries(known),
    start: readStart(values),
    limit: pageRows,
  };
}

/** The names of its orders; the first one is the default. */
export function listSorts<Sort extends string>({ sorts }: Pick<ListNames<Sort, never>, 'sorts'>) {
  return Object.keys(sorts) as [Sort, ...Sort[]];
}

export function findSort<Sort extends string>(
  list: Pick<ListNames<Sort, never>, 'sorts'>,
  text: string | undefined,
): Sort | undefined {
  return listSorts(list).find((name) => name === text);
}

export function isFilterValue<Filter extends string>(
  { filters }: Pick<ListNames<never, Filter>, 'filters'>,
  name: Filter,
  value: string,
): boolean {
  const filter = filters[name];
  return typeof filter === 'function' ? value !== '' : Object.hasOwn(filter, value);
}

/** The parameters of a list: all pages of it, and its file, have the same. */
export function toListParameters<Sort extends string, Filter extends string>(
  list: ListNames<Sort, Filter>,
  { text, sort, filters }: ListQuery<Sort, Filter>,
): Readonly<Record<string, string>> {
  const isDefault = sort === listSorts(list)[0];
  return { q: text, ...filters, ...(!isDefault && { sort }) };
}

/** The URL of a page of a list: its path, parameters and cursor. */
export function toListPath(
  path: string,
  parameters: Readonly<Record<string, string>>,
  start: ListStart = firstPage,
): string {
  const cursor = 'cursor' in start ? [[start.kind, start.cursor]] : [];
  const asked = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...asked, ...cursor]);
  return query.size === 0 ? path : `${path}?${query}`;
}

function readStart({ after, before }: Values): ListStart {
  if (after) return { kind: 'after', cursor: after };
  return before ? { kind: 'before', cursor: before } : firstPage;
}
