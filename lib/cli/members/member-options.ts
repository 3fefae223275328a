import { type Paging, pagesMax } from '#lib/accounts/admin/paging.ts';
import type { Database } from '#lib/database.ts';

/** The id of a member by id or e-mail address. @throws Error with one line if there is no such member, or several. */
export async function findMemberId(
  { members }: Pick<Database, 'members'>,
  reference: string,
): Promise<string> {
  if ((await members.find(reference)) !== null) return reference;
  const found = await members.search({ text: reference, limit: 50, offset: 0 });
  const named = found.members.filter(
    ({ email }) => email?.toLowerCase() === reference.toLowerCase(),
  );
  const [member] = named;
  if (member !== undefined && named.length === 1) return member.id;
  const shown = JSON.stringify(reference);
  throw new Error(
    named.length > 1
      ? `Several members have the address ${shown}. Use an id: \`npm run members -- list\` shows them.`
      : `There is no member ${shown}. \`npm run members -- list\` shows ids and addresses.`,
  );
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
