import { expect, test } from 'vitest';
import { readListQuery } from '#lib/accounts/lists/list-query.ts';
import { memberList } from '#lib/accounts/store/member-queries.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';

describeEachDatabase((createTestDatabase) => {
  async function openMembers(names: readonly string[]) {
    const database = await openTestDatabase(await createTestDatabase());
    for (const [index, name] of names.entries()) {
      const email = `person-${index}@makers.example`;
      await database.members.save(
        makeMember({ id: `mbr_${index}`, subject: `${index}`, name, email }),
      );
    }
    const search = async (q: string) => {
      const page = await database.readList(memberList, readListQuery(memberList, { q }), 0);
      return { names: page.rows.map(({ name }) => name), total: page.total };
    };
    return search;
  }

  test('members are found by a part of their name or address, in any case, by name', async () => {
    const search = await openMembers(['Robin Osei', 'ada Moreno', 'Zoë Lind', 'ÉVA Øst']);
    expect((await search('')).names).toEqual(['ada Moreno', 'Robin Osei', 'Zoë Lind', 'ÉVA Øst']);
    expect((await search('éva ø')).names).toEqual(['ÉVA Øst']);
    expect((await search('MORENO')).names).toEqual(['ada Moreno']);
    for (const text of ['zoë', 'ZOË']) expect((await search(text)).names).toEqual(['Zoë Lind']);
    expect((await search('PERSON-0@')).names).toEqual(['Robin Osei']);
    expect(await search('nobody')).toEqual({ names: [], total: 0 });
  });

  // ASVS 1.2.4
  test('a percent sign, an underscore and a quote are only characters', async () => {
    const search = await openMembers(['100 % real', 'a_b', "O'Hara\\", 'other']);
    expect((await search('%')).names).toEqual(['100 % real']);
    expect((await search('a_b')).names).toEqual(['a_b']);
    expect((await search("'")).names).toEqual(["O'Hara\\"]);
    expect((await search('\\')).names).toEqual(["O'Hara\\"]);
  });
});
