import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { openRaw } from '../../../support/version-one.ts';

describeEachDatabase((createTestDatabase) => {
  test('a record counts once for its key, member, group and all, however often it is written', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { usage, balances, members } = database;
    await members.save(makeMember());
    const record = makeUsageRecord({ memberId: 'mbr_ada', groupName: 'staff', costUsd: 0.5 });
    await usage.lease([record], Date.now() + 45_000);
    const accounts = ['all', 'group:staff', 'key:key_one', 'member:mbr_ada'];
    const march = { firstDay: '2026-03-01', lastDay: '2026-03-31' };
    expect(await balances.find(accounts, march)).toEqual([]);
    await usage.insert([record]);
    await usage.insert([record, { ...record, tokensIn: 999 }].slice(0, 1));
    await usage.insert([{ ...record, tokensIn: 999 }]);
    await usage.lease([record], Date.now() + 45_000);
    const used = { tokens: 30, nanoUsd: 500_000_000 };
    const found = await balances.find(accounts, march);
    expect(found.toSorted((a, b) => a.account.localeCompare(b.account))).toEqual(
      accounts.map((account) => ({ account, period: '2026-03-10', ...used })),
    );
    expect(await balances.audit()).toEqual([]);
  });

  test('a record that cannot be counted is set aside by name, and the others are counted', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { usage, balances } = database;
    const records = [
      makeUsageRecord({ id: 'one' }),
      makeUsageRecord({ id: 'no amount', tokensIn: 0.5 }),
      makeUsageRecord({ id: 'no day', at: Number.NaN }),
      makeUsageRecord({ id: 'two' }),
    ];
    const { setAside } = await usage.insert(records);
    expect(setAside.map(({ id }) => id)).toEqual(['no amount', 'no day']);
    expect((await usage.listSetAside()).map(({ id }) => id)).toEqual(['no amount', 'no day']);
    expect(await findBalance(database, 'all', '2026-03')).toMatchObject({ tokens: 60 });
    expect(await balances.audit()).toEqual([]);
  });

  test('instances that write the same records at once neither count twice nor deadlock', async () => {
    const options = await createTestDatabase();
    const one = await openTestDatabase(options);
    const other = await openTestDatabase(options);
    const records = Array.from({ length: 60 }, (_, index) =>
      makeUsageRecord({ id: `id_${index}`, keyId: `key_${index % 7}`, tokensIn: 1, tokensOut: 0 }),
    );
    await one.usage.lease(records.slice(0, 30), 1_000);
    const writes = [0, 1, 2, 3, 4].flatMap((round) => [
      one.usage.insert(records.slice(round * 10)),
      other.usage.insert(records.toReversed()),
      other.usage.closeExpired(2_000),
      one.usage.lease(records.slice(0, 20).toReversed(), 1_000),
    ]);
    await Promise.all(writes);
    expect(await findBalance(one, 'all', '2026-03')).toMatchObject({ tokens: 60 });
    expect(await one.balances.audit()).toEqual([]);
  });

  test('an instance without requests under way does not wait for one that writes', async () => {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    const raw = openRaw(options);
    await raw.transaction().execute(async (transaction) => {
      await sql`update marquee_usage_pruned set before_day = before_day`.execute(transaction);
      await database.usage.lease([], Date.now() + 45_000);
    });
    await raw.destroy();
  });

  test('a batch of several days and more rows than a statement takes is counted', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    for (let index = 0; index < 5; index += 1) {
      await database.members.save(makeMember({ id: `mbr_${index}`, subject: `${index}` }));
    }
    const day = 86_400_000;
    const records = Array.from({ length: 1_203 }, (_, index) =>
      makeUsageRecord({
        keyId: `key_${index}`,
        memberId: `mbr_${index % 5}`,
        tokensIn: 1,
        tokensOut: 0,
        at: Date.parse('2026-03-30T12:00:00Z') + (index % 3) * day,
      }),
    );
    await database.usage.insert(records);
    expect(await findBalance(database, 'all', '2026-03')).toMatchObject({ tokens: 802 });
    expect(await findBalance(database, 'all', '2026-04')).toMatchObject({ tokens: 401 });
    expect(await database.balances.audit()).toEqual([]);
  });

  test('the audit names every balance that differs from its usage', async () => {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    await database.usage.insert([makeUsageRecord({ costUsd: null })]);
    const raw = openRaw(options);
    await sql`update marquee_balances set tokens = 31 where account = 'all' and day = '2026-03-10'`.execute(
      raw,
    );
    await sql`delete from marquee_balances where account = 'key:key_one' and day = '2026-03-10'`.execute(
      raw,
    );
    await sql`insert into marquee_balances (account, day, tokens, nano_usd) values ('member:nobody', '2026-03-09', 5, 0)`.execute(
      raw,
    );
    await raw.destroy();
    const drift = await database.balances.audit();
    expect(drift.map(({ account, period }) => `${account} ${period}`).sort()).toEqual([
      'all 2026-03-10',
      'key:key_one 2026-03-10',
      'member:nobody 2026-03-09',
    ]);
    expect(drift).toContainEqual({
      account: 'all',
      period: '2026-03-10',
      expected: { tokens: 30, nanoUsd: 0 },
      actual: { tokens: 31, nanoUsd: 0 },
    });
  });

  test('deleted usage is no drift, and a month keeps what its days have used', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
    const days = ['2026-02-27', '2026-03-01', '2026-03-09', '2026-03-10'];
    await database.usage.insert(days.map((day) => makeUsageRecord({ at: at(day), costUsd: null })));
    expect(await database.usage.prune('2026-03-10')).toBe(3);
    expect(await database.usage.prune('2026-03-05')).toBe(0);
    expect(await database.balances.audit()).toEqual([]);
    expect(await findBalance(database, 'all', '2026-03')).toMatchObject({ tokens: 90 });
    expect(await findBalance(database, 'all', '2026-02')).toMatchObject({ tokens: 0 });
    // A record that waited in a queue all the time.
    await database.usage.insert([makeUsageRecord({ at: at('2026-02-27'), costUsd: null })]);
    await database.usage.insert([makeUsageRecord({ at: at('2026-03-09'), costUsd: null })]);
    expect(await database.balances.audit()).toEqual([]);
  });
});
