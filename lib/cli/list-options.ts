import {
  findSort,
  isFilterValue,
  type ListNames,
  listSorts,
} from '#lib/accounts/admin/list-query.ts';
import { type Paging, pagesMax, toOffset } from '#lib/accounts/admin/paging.ts';
import type { ListQuery } from '#lib/storage/lists.ts';
import type { CommandInput } from './database-command.ts';

/** What a command asks of a list: a word that is searched, `--page`, `--sort`, and its filters. @throws Error with one line */
export function readListOptions<Sort extends string, Filter extends string>(
  list: ListNames<Sort, Filter>,
  { words, options }: Pick<CommandInput, 'words' | 'options'>,
): Readonly<{ page: number; query: ListQuery<Sort, Filter> }> {
  const page = readPageOption(options.page);
  const { limit, offset } = toOffset(page);
  const sorts = listSorts(list);
  const sort = options.sort === undefined ? sorts[0] : findSort(list, options.sort);
  if (sort === undefined) throw new Error(`--sort must be one of ${sorts.join(', ')}.`);
  const names = Object.keys(list.filters) as Filter[];
  const filters = names.flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    if (isFilterValue(list, name, value)) return [[name, value]];
    const known = Object.keys(list.filters[name]).join(', ');
    throw new Error(`--${name} must be ${known === '' ? 'a name' : `one of ${known}`}.`);
  });
  const query = {
    text: (words[0] ?? '').trim(),
    sort,
    filters: Object.fromEntries(filters),
    start: { kind: 'offset', offset } as const,
    limit,
  };
  return { page, query };
}

/** The value of `--page`. @throws Error with one line that says what to change. */
export function readPageOption(text = '1'): number {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (page >= 1 && page <= pagesMax) return page;
  const given = JSON.stringify(text);
  throw new Error(`--page must be a whole number from 1 to ${pagesMax}, not ${given}.`);
}

/** A table with the number of its page, if there are several. @throws Error if there is no such page. */
export function toPageText(table: string, { page, pages }: Paging): string {
  if (page > pages) throw new Error(`There is no page ${page}: the last is ${pages}.`);
  return pages === 1 ? table : `${table}\n\nPage ${page} of ${pages}: --page N`;
}
