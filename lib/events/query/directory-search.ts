import { type FilterValues, toSearch } from './filters.ts';

/** How the directory shows events: as posters, or as a compact list. */
export type DirectoryLayout = 'posters' | 'list';

/** What the URL of a page of the directory says. */
export type DirectoryState = Readonly<{
  filters: FilterValues;
  /** From 1. */
  page?: number;
  layout?: DirectoryLayout;
}>;

/** The query of a page of the directory with its `?`; empty for the first page of posters without filters. */
export function toDirectorySearch({
  filters,
  page = 1,
  layout = 'posters',
}: DirectoryState): string {
  const search = toSearch(filters, page);
  if (layout === 'posters') return search;
  return search === '' ? '?view=list' : `${search}&view=list`;
}

/** The layout in a URL's query. */
export function readLayout(search: string): DirectoryLayout {
  return new URLSearchParams(search).get('view') === 'list' ? 'list' : 'posters';
}
