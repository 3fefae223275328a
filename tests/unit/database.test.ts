import { expect, test } from 'vitest';
import { noUsage } from '#lib/spend/usage/usage-totals.ts';
import { makeKeyRecord, makeUsageRecord } from '../support/factories/key-factory.ts';
import { findBalance } from '../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../support/servers/each-database.ts';
import { storeUsage } from '../support/store-usage.ts';

describeEachDatabase((createTestDatabase) => {
  test('a stored key is found by id, name and hash', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const plain = makeKeyRecord({ createdAt: 1 });
    const full = makeKeyRecord({
      name: 'Zoë’s “laptop” 🎪',
      models: ['demo/small', 'other/*'],
      requestsPerMinute: 1_000_000,
      tokensPerDay: 9_000_000_000_000,
      createdAt: 1_773_144_000_123,
      expiresAt: 4_102_444_800_000,
    });
    for (const key of [plain, full]) expect(await database.keys.insert(key)).toBe('inserted');
    expect(await database.keys.find('id', full.id)).toEqual(full);
    expect(await database.keys.find('name', full.name)).toEqual(full);
    expect(await database.keys.findByHash([plain.hash, 'none'])).toEqual([plain]);
    expect(await database.keys.find('name', 'nobody')).toBeNull();
    expect(await database.keys.list()).toEqual([plain, full]);
  });

  test('a second key with the same name, id or hash is rejected and changes nothing', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const first = makeKeyRecord();
    await database.keys.insert(first);
    for (const same of ['name', 'id', 'hash'] as const) {
      const second = makeKeyRecord({ [same]: first[same] });
      expect(await database.keys.insert(second), same).toBe('taken');
    }
    expect(await database.keys.list()).toEqual([first]);
  });

  test('a key is revoked once, and not rotated afterwards', async () => {
    const database = await openTestDatabase({ ...(await createTestDatabase()), now: () => 1_000 });
    const key = makeKeyRecord();
    await database.keys.insert(key);
    expect(
      await database.keys.rotate(key.id, { hash: 'second', hint: 'mq_2…', pepperId: 'pepper-2' }),
    ).toBe(true);
    expect(await database.keys.findByHash([key.hash])).toEqual([]);
    expect(await database.keys.revoke(key.id)).toBe(true);
    expect(await database.keys.revoke(key.id)).toBe(false);
    expect(
      await database.keys.rotate(key.id, { hash: 'third', hint: 'mq_3…', pepperId: null }),
    ).toBe(false);
    expect(await database.keys.revoke('nobody')).toBe(false);
    expect(await database.keys.find('id', key.id)).toEqual({
      ...key,
      hash: 'second',
      hint: 'mq_2…',
      pepperId: 'pepper-2',
      revokedAt: 1_000,
    });
  });

  test('usage is summed by day and model, with known prices only', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const [early = 0, at = 0] = ['2026-03-09T23:59:59.999Z', '2026-03-10T00:00:00Z'].map(
      Date.parse,
    );
    const priced = { at, tokensIn: 4, tokensOut: 8, costUsd: 0.125, cachedTokens: 3 };
    const unpriced = { at, tokensIn: 16, tokensOut: 32, costUsd: null, cachedTokens: 5 };
    await storeUsage(database, [
      makeUsageRecord({ at: early, tokensIn: 1, tokensOut: 2, costUsd: 0.5 }),
      makeUsageRecord(priced),
      makeUsageRecord({ ...unpriced, cacheWriteTokens: 2 }),
      makeUsageRecord({ at, model: 'other/one', costUsd: null, firstByteMs: null }),
      makeUsageRecord({ at, keyId: 'key_two' }),
    ]);
    const small = { ...noUsage, day: '2026-03-10', model: 'demo/small', costUsd: 0.125 };
    const cached = { cachedTokens: 8, cacheWriteTokens: 2 };
    const other = { ...noUsage, day: '2026-03-10', model: 'other/one', costUsd: null };
    const before = { ...noUsage, day: '2026-03-09', model: 'demo/small', costUsd: 0.5 };
    const sums = [
      { ...small, ...cached, requests: 2, tokensIn: 20, tokensOut: 40 },
      { ...other, requests: 1, tokensIn: 10, tokensOut: 20 },
      { ...before, requests: 1, tokensIn: 1, tokensOut: 2 },
    ];
    expect(await database.usage.sumByDayAndModel('key_one', '2026-03-01')).toEqual(sums);
    expect(await database.usage.sumByDayAndModel('key_one', '2026-03-10')).toEqual(
      sums.slice(0, 2),
    );
    expect(await findBalance(database, 'key:key_one', '2026-03-10')).toMatchObject({ tokens: 90 });
    expect(await findBalance(database, 'key:key_one', '2026-03-11')).toMatchObject({ tokens: 0 });
  });

  test('a batch counts once, however often it is written, and may be large or empty', async () => {
    const options = await createTestDatabase();
    const [database, other] = [await openTestDatabase(options), await openTestDatabase(options)];
    const batch = Array.from({ length: 1_201 }, () =>
      makeUsageRecord({ tokensIn: 1, tokensOut: 0 }),
    );
    await storeUsage(database, []);
    await Promise.all([storeUsage(database, batch), storeUsage(other, batch)]);
    expect(await findBalance(database, 'key:key_one', '2026-03-10')).toMatchObject({
      tokens: 1_201,
    });
  });

  test('stored data is there when the database is opened again', async () => {
    const place = await createTestDatabase();
    const key = makeKeyRecord();
    const before = await openTestDatabase(place);
    await before.keys.insert(key);
    const record = makeUsageRecord({ keyId: key.id });
    await storeUsage(before, [record]);
    await before.close();
    const database = await openTestDatabase(place);
    expect(await database.keys.list()).toEqual([{ ...key, usedAt: record.at }]);
    expect(await findBalance(database, `key:${key.id}`, '2026-03-10')).toMatchObject({
      tokens: 30,
    });
  });

  test('concurrent openings migrate the tables once', async () => {
    const place = await createTestDatabase();
    const databases = await Promise.all(Array.from({ length: 6 }, () => openTestDatabase(place)));
    await Promise.all(databases.map(({ keys }) => keys.insert(makeKeyRecord())));
    expect(await databases[0]?.keys.list()).toHaveLength(6);
  });
});
