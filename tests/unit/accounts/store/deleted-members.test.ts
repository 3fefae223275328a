import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import type { Database } from '#lib/database.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeUsage } from '../../../support/store-usage.ts';

const budget = parseBudget('1 USD/day');

describeEachDatabase((createTestDatabase) => {
  async function openWithAda() {
    const options = await createTestDatabase();
    const clock = createFakeClock();
    clock.moveTo('2026-03-10T12:00:00.000Z');
    const database = await openTestDatabase({ ...options, now: clock.now });
    const { id } = await database.members.save(makeMember());
    await database.groups.create('staff', null);
    await database.members.setGroup(id, 'staff');
    await database.members.setBudget(id, budget);
    return { database, clock, id };
  }

  /** As a new sign-in, which makes up an id. */
  const signIn = ({ members }: Database, round = 0) =>
    members.save(makeMember({ id: `mbr_new_${round}` }), ['current', 'hash of ada']);

  test('who deletes the account and signs in again has used what was used', async () => {
    const { database, id } = await openWithAda();
    for (let round = 0; round < 4; round += 1) {
      await storeUsage(database, [makeUsageRecord({ memberId: id, costUsd: 1.7 })]);
      await database.members.remove(id, 'hash of ada');
      expect(await database.members.find(id)).toBe(null);
      expect(await signIn(database, round)).toMatchObject({
        id,
        budget,
        group: { name: 'staff' },
      });
    }
    const used = await findBalance(database, `member:${id}`, '2026-03-10');
    expect(used).toMatchObject({ nanoUsd: 6_800_000_000 });
    expect(await database.balances.audit()).toEqual([]);
  });

  test('keys count for the pace of their creation, without name and hash', async () => {
    const { database, clock, id } = await openWithAda();
    const bounds = { activeMax: 20, perDayMax: 3 };
    const owner = makeKeyOwner({ id });
    const create = () =>
      database.keys.insert(makeKeyRecord({ owner, createdAt: clock.now() }), id, bounds);
    expect([await create(), await create()]).toEqual(['inserted', 'inserted']);
    await database.members.remove(id, 'hash of ada');
    for (const key of await database.keys.list(id)) {
      expect(key).toMatchObject({ name: 'deleted', hint: '', pepperId: null });
      expect(key.hash).toBe(`deleted ${key.id}`);
    }
    await signIn(database);
    expect([await create(), await create()]).toEqual(['inserted', 'too-many-today']);
  });

  test('a disabled member stays disabled, and a group that is gone is no group', async () => {
    const { database, id } = await openWithAda();
    await database.members.setDisabled(id, true);
    await database.members.remove(id, 'hash of ada');
    await database.groups.remove('staff');
    const { disabledAt, group } = await signIn(database);
    expect(disabledAt).not.toBe(null);
    expect(group).toBe(null);
  });

  test('a week that goes on in the next month is remembered until its end', async () => {
    const { database, clock, id } = await openWithAda();
    clock.moveTo('2026-03-31T12:00:00.000Z');
    await database.members.remove(id, 'hash of ada');
    clock.moveTo('2026-04-05T23:59:59.000Z');
    expect(await signIn(database)).toMatchObject({ id, budget });
    await database.members.remove(id, 'hash of ada');
    clock.moveTo('2026-05-01T00:00:00.000Z');
    expect(await signIn(database)).toMatchObject({ id: 'mbr_new_0', budget: null });
  });

  test('when the month has ended, nobody is recognized', async () => {
    const { database, clock, id } = await openWithAda();
    await database.members.remove(id, 'hash of ada');
    clock.moveTo('2026-04-01T00:00:00.000Z');
    expect(await signIn(database)).toMatchObject({ id: 'mbr_new_0', budget: null, group: null });
  });

  // ASVS 6.8.1, 10.5.2
  test('another person, and one who never left, have ids of their own', async () => {
    const { database, id } = await openWithAda();
    await database.members.remove(id, 'hash of ada');
    const other = makeMember({ id: 'mbr_bo', subject: 'bo' });
    expect(await database.members.save(other, ['hash of bo'])).toMatchObject({ id: 'mbr_bo' });
    expect(await signIn(database)).toMatchObject({ id });
    expect(await signIn(database, 1)).toMatchObject({ id });
  });
});
