import type { Database } from '#lib/database.ts';

/** The id of a member by id or e-mail address. @throws Error with one line if there is no such member, or several. */
export async function findMemberId(
  { members }: Pick<Database, 'members'>,
  reference: string,
): Promise<string> {
  if ((await members.find(reference)) !== null) return reference;
  const named = await members.findByAddress(reference);
  const [member] = named;
  if (member !== undefined && named.length === 1) return member.id;
  const shown = JSON.stringify(reference);
  throw new Error(
    named.length > 1
      ? `Several members have the address ${shown}. Use an id: \`npm run members -- list\` shows them.`
      : `There is no member ${shown}. \`npm run members -- list\` shows ids and addresses.`,
  );
}
