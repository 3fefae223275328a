import { expect, test } from 'vitest';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
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
    const search = async (q: string, limit = 50, offset = 0) => {
      const query = readListQuery(memberList, { q });
      const start = { kind: 'offset', offset } as const;
      const { members, total } = await database.members.search({
        ...query,
        limit,
        start,
        today: '2026-03-30',
      });
      return { names: members.map(({ name }) => name), total };
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

  test('a long list has pages', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Member ${10 + index}`);
    const search = await openMembers(names);
    expect(await search('member', 5, 10)).toEqual({
      names: ['Member 20', 'Member 21'],
      total: 12,
    });
  });
});
