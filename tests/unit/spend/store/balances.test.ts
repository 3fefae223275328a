import { expect, test } from 'vitest';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeUsage } from '../../../support/store-usage.ts';

describeEachDatabase((createTestDatabase) => {
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
    await storeUsage(database, records);
    expect(await findBalance(database, 'all', '2026-03')).toMatchObject({ tokens: 802 });
    expect(await findBalance(database, 'all', '2026-04')).toMatchObject({ tokens: 401 });
    expect(await database.balances.audit()).toEqual([]);
  });

  test('deleted usage is no drift, and a month keeps what its days have used', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
    const days = ['2026-02-27', '2026-03-01', '2026-03-09', '2026-03-10'];
    await storeUsage(
      database,
      days.map((day) => makeUsageRecord({ at: at(day), costUsd: null })),
    );
    // Three records, and the two balances of February: that of the key and that of all.
    expect(await database.usage.prune('2026-03-10')).toBe(5);
    expect(await database.usage.prune('2026-03-05')).toBe(0);
    expect(await database.balances.audit()).toEqual([]);
    expect(await findBalance(database, 'all', '2026-03')).toMatchObject({ tokens: 90 });
    expect(await findBalance(database, 'all', '2026-02')).toMatchObject({ tokens: 0 });
    // A record that waited in a queue all the time.
    await storeUsage(database, [makeUsageRecord({ at: at('2026-02-27'), costUsd: null })]);
    await storeUsage(database, [makeUsageRecord({ at: at('2026-03-09'), costUsd: null })]);
    expect(await database.balances.audit()).toEqual([]);
  });
});
