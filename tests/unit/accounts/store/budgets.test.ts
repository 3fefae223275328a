import { expect, test } from 'vitest';
import { noBudget, parseBudget } from '#lib/config/budget.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';

describeEachDatabase((createTestDatabase) => {
  test('a member’s budget and group reach the member and the key', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { id } = await database.members.save(makeMember());
    await database.keys.insert(makeKeyRecord({ id: 'key_ada', owner: makeKeyOwner({ id }) }));
    expect(await database.members.find(id)).toMatchObject({ budget: null, group: null });

    await database.groups.create('staff', parseBudget('50 USD/month'));
    expect(await database.members.setGroup(id, 'staff')).toBe(true);
    expect(await database.members.setBudget(id, parseBudget('5 USD/day'))).toBe(true);
    const expected = {
      budget: { ...noBudget, nanoUsdPerDay: 5e9 },
      group: { name: 'staff', budget: { ...noBudget, nanoUsdPerMonth: 50e9 } },
    };
    expect(await database.members.find(id)).toMatchObject(expected);
    expect(await database.keys.find('id', 'key_ada')).toMatchObject({ owner: expected });

    // Signing in again changes neither.
    expect(await database.members.save(makeMember({ name: 'Ada M.' }))).toMatchObject(expected);
  });

  test('a change of a group reaches the keys of its members, and only theirs', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    for (const name of ['ada', 'bo']) {
      const { id } = await database.members.save(makeMember({ id: `mbr_${name}`, subject: name }));
      await database.keys.insert(makeKeyRecord({ id: `key_${name}`, owner: makeKeyOwner({ id }) }));
    }
    await database.groups.create('staff', null);
    await database.members.setGroup('mbr_ada', 'staff');
    const groups = async () =>
      (await database.keys.list()).map(({ owner }) => owner?.group ?? null);

    expect(await database.groups.setBudget('staff', parseBudget('100 tokens/day'))).toBe(true);
    const staff = { name: 'staff', budget: { ...noBudget, tokensPerDay: 100 } };
    expect(await groups()).toEqual([staff, null]);

    expect(await database.groups.remove('staff')).toBe(true);
    expect(await groups()).toEqual([null, null]);
    expect(await database.groups.list()).toEqual([]);
  });

  test('what does not exist is not changed', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { id } = await database.members.save(makeMember());
    expect(await database.members.setGroup(id, 'nobody')).toBe(false);
    expect(await database.members.setBudget('mbr_nobody', noBudget)).toBe(false);
    expect(await database.groups.remove('nobody')).toBe(false);
    expect(await database.groups.setBudget('nobody', noBudget)).toBe(false);
    expect(await database.groups.list()).toEqual([]);
    expect(await database.members.find(id)).toMatchObject({ budget: null, group: null });
  });

  test('groups are listed by name, and a name that is taken changes nothing', async () => {
    const options = await createTestDatabase();
    let time = 1_000;
    const database = await openTestDatabase({ ...options, now: () => time });
    await database.groups.create('staff', null);
    time = 2_000;
    expect(await database.groups.create('guests', noBudget)).toBe(true);
    time = 3_000;
    expect(await database.groups.create('staff', parseBudget('5 USD/day'))).toBe(false);
    expect(await database.groups.list()).toEqual([
      { name: 'guests', budget: noBudget, createdAt: 2_000 },
      { name: 'staff', budget: null, createdAt: 1_000 },
    ]);
  });
});
