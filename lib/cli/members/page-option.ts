import { type Paging, pagesMax } from '#lib/accounts/admin/paging.ts';

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
