import { expect, test } from 'vitest';
import { keys } from '#lib/accounts/admin/key-list.ts';
import { members } from '#lib/accounts/admin/member-list.ts';
import { firstPage } from '#lib/storage/lists.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeUsage } from '../../../support/store-usage.ts';

const now = Date.parse('2026-03-20T12:00:00Z');
const dayMs = 86_400_000;
const query = { text: '', sort: 'cost', filters: {}, start: firstPage, limit: 50 } as const;

describeEachDatabase((createTestDatabase) => {
  /** Two members with a key each. */
  async function openKeys() {
    const database = await openTestDatabase(await createTestDatabase());
    for (const name of ['a', 'b']) {
      await database.members.save(makeMember({ id: `mbr_${name}`, subject: name, name }));
      const owner = makeKeyOwner({ id: `mbr_${name}` });
      await database.keys.insert(makeKeyRecord({ id: `key_${name}`, name, owner }));
    }
    const spend = (name: string, costUsd: number, at: number) =>
      storeUsage(database, [
        makeUsageRecord({ keyId: `key_${name}`, memberId: `mbr_${name}`, costUsd, at }),
      ]);
    const sortAt = async (at: number) => {
      const source = { database, admins: [], now: at };
      const pages = [await keys.load(source, query), await members.load(source, query)];
      return pages.map(({ rows }) => rows.map(({ name }) => name).join(''));
    };
    return { database, spend, sortAt };
  }

  test('the dearest of thirty days come first, by today’s requests at once', async () => {
    const { spend, sortAt } = await openKeys();
    await spend('b', 9, now - 30 * dayMs);
    await spend('a', 1, now - 29 * dayMs);
    expect(await sortAt(now)).toEqual(['ab', 'ab']);
    await spend('b', 2, now);
    expect(await sortAt(now)).toEqual(['ba', 'ba']);
  });

  test('a new day begins without those of thirty days before', async () => {
    const { spend, sortAt } = await openKeys();
    await spend('b', 9, now - 29 * dayMs);
    await spend('a', 1, now);
    expect(await sortAt(now)).toEqual(['ba', 'ba']);
    expect(await sortAt(now + dayMs)).toEqual(['ab', 'ab']);
  });

  test('what ends after its day counts once costs are summed up again, as each hour', async () => {
    const { database, spend, sortAt } = await openKeys();
    await spend('b', 1, now - dayMs);
    expect(await sortAt(now)).toEqual(['ba', 'ba']);
    await spend('a', 5, now - dayMs);
    await database.usage.sumUpRecentCosts('2026-03-20');
    expect(await sortAt(now)).toEqual(['ab', 'ab']);
  });

  test('usage that cost nothing is summed up once, not for each page', async () => {
    const { database, spend, sortAt } = await openKeys();
    await spend('a', 0, now - dayMs);
    await sortAt(now);
    const kept = await database.run((db) =>
      db.selectFrom('marquee_recent_costs').select(['account', 'nano_usd']).execute(),
    );
    expect(kept).toEqual([
      { account: 'key:key_a', nano_usd: 0 },
      { account: 'member:mbr_a', nano_usd: 0 },
    ]);
  });

  test('of thousands of keys, every cost is summed up', async () => {
    const { database } = await openKeys();
    const count = 2_300;
    const key = await database.run((db) =>
      db.selectFrom('marquee_keys').selectAll().limit(1).executeTakeFirstOrThrow(),
    );
    for (let from = 0; from < count; from += 100) {
      const numbers = Array.from({ length: 100 }, (_, index) => from + index);
      const keys = numbers.map((at) => ({ ...key, id: `key_${at}`, name: `${at}`, hash: `${at}` }));
      await database.run((db) => db.insertInto('marquee_keys').values(keys).execute());
      const rows = numbers.map((at) => ({
        account: `key:key_${at}`,
        day: '2026-03-19',
        tokens: 1,
        nano_usd: at + 1,
      }));
      await database.run((db) => db.insertInto('marquee_balances').values(rows).execute());
    }
    await database.usage.sumUpRecentCosts('2026-03-20');
    const costs = database.run((db) =>
      db.selectFrom('marquee_recent_costs').select(['account', 'nano_usd']).execute(),
    );
    expect(new Set((await costs).map(({ nano_usd }) => nano_usd)).size).toBe(count);
  });
});
