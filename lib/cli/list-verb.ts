import {
  findSort,
  isFilterValue,
  type ListFields,
  listFilters,
  listSorts,
  pageRows,
  pagesMax,
  readPage,
  startPage,
} from '#lib/accounts/lists/list-query.ts';
import type { ListQuery } from '#lib/storage/lists.ts';
import type { CommandInput, Verb } from './database-command.ts';

/** `list`: finds, filters and orders the rows of a list as its page does. */
export function createListVerb(list: ListFields, run: Verb['run']): Verb {
  const filters = listFilters(list);
  const usages = filters.map((name) => {
    const values = list.filters[name]?.options?.map(([value]) => value) ?? [name.toUpperCase()];
    return `[--${name} ${values.join('|')}]`;
  });
  return {
    usage: `list [TEXT] ${usages.join(' ')} [--sort ${listSorts(list).join('|')}] [--page 1]`,
    words: [0, 1],
    options: [...filters, 'sort', 'page'],
    check: (input) => void readListOptions(list, input),
    run,
  };
}

/** What a command asks of a list: a word that is searched, `--page`, `--sort`, and its filters. @throws Error with one line */
export function readListOptions<Sort extends string, Filter extends string>(
  list: ListFields<Sort, Filter>,
  { words, options }: Pick<CommandInput, 'words' | 'options'>,
): Readonly<{ page: number; query: ListQuery<Sort, Filter> }> {
  const page = readPage(options.page ?? '1');
  if (page === null) {
    const given = JSON.stringify(options.page);
    throw new Error(`--page must be a whole number from 1 to ${pagesMax}, not ${given}.`);
  }
  const sorts = listSorts(list);
  const sort = options.sort === undefined ? sorts[0] : findSort(list, options.sort);
  if (sort === undefined) throw new Error(`--sort must be one of ${sorts.join(', ')}.`);
  const filters = listFilters(list).flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    if (isFilterValue(list.filters[name], value)) return [[name, value]];
    const known = list.filters[name].options?.map(([option]) => option).join(', ');
    throw new Error(`--${name} must be ${known === undefined ? 'a name' : `one of ${known}`}.`);
  });
  const query = {
    text: (words[0] ?? '').trim(),
    sort,
    filters: Object.fromEntries(filters),
    start: startPage(page),
    limit: pageRows,
  };
  return { page, query };
}

type Paging = Readonly<{ page: number; pages: number; total: number }>;

export function toPaging(page: number, total: number): Paging {
  return { page, pages: Math.max(Math.ceil(total / pageRows), 1), total };
}

/** A table with the number of its page, if there are several. @throws Error if there is no such page. */
export function toPageText(table: string, { page, pages }: Paging): string {
  if (page > pages) throw new Error(`There is no page ${page}: the last is ${pages}.`);
  return pages === 1 ? table : `${table}\n\nPage ${page} of ${pages}: --page N`;
}
