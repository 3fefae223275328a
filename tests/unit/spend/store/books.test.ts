import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeUsage } from '../../../support/store-usage.ts';
import { openRaw } from '../../../support/version-one.ts';

const at = Date.parse('2026-03-10T12:30:00Z');
const hour = Date.parse('2026-03-10T12:00:00Z');

describeEachDatabase((createTestDatabase) => {
  /** Ten records of two members on two days, with sums. */
  async function openBooks() {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    const records = Array.from({ length: 10 }, (_, index) =>
      makeUsageRecord({
        keyId: `key_${index % 3}`,
        memberId: index % 3 === 2 ? null : 'mbr_ada',
        groupName: index % 3 === 0 ? 'makers' : null,
        at: at - (index % 2) * 86_400_000,
        status: index === 4 ? 502 : 200,
        upstream: index === 4 ? null : 'north',
        costUsd: index === 6 ? null : 0.25,
        firstByteMs: index === 4 ? null : 40,
        isStreamed: index !== 8,
      }),
    );
    await storeUsage(database, records);
    const raw = openRaw(options);
    onTestFinished(() => raw.destroy());
    return { database, raw };
  }

  test('sums are what the records say', async () => {
    const { database, raw } = await openBooks();
    expect(await database.balances.audit()).toEqual([]);
    const ofAda = await raw
      .selectFrom('marquee_usage_by_member')
      .selectAll()
      .where('day', '=', '2026-03-10')
      .orderBy('upstream')
      .execute();
    // Records 0, 4 and 6 are of this member and day.
    expect(ofAda).toMatchObject([
      { upstream: '', requests: 1, errors: 1, priced: 1, first_bytes: 0, rests: 0, rest_ms: 0 },
      {
        upstream: 'north',
        requests: 2,
        errors: 0,
        tokens_in: 20,
        tokens_out: 40,
        cost_nano_usd: 250_000_000,
        priced: 1,
        first_byte_ms: 80,
        first_bytes: 2,
        rest_ms: 1_720,
        rest_tokens_out: 40,
        rests: 2,
      },
    ]);
    const hours = await raw.selectFrom('marquee_usage_by_hour').selectAll().execute();
    expect(hours.find((row) => row.status === 502)).toMatchObject({ hour, requests: 1 });
  });

  test('the audit names whatever differs, and a repair makes it right', async () => {
    const { database, raw } = await openBooks();
    for (const change of [
      `update marquee_balances set tokens = 31 where account = 'all' and day = '2026-03-10'`,
      `update marquee_balances set reserved_tokens = 7 where account = 'key:key_0' and day = '2026-03-09'`,
      `delete from marquee_balances where account = 'group:makers' and day = '2026-03-10'`,
      `insert into marquee_balances (account, day, tokens, nano_usd) values ('member:nobody', '2026-03-08', 5, 0)`,
      `update marquee_usage_by_key set errors = 3, rests = 9 where key_id = 'key_1' and upstream = ''`,
      `delete from marquee_usage_by_hour where status = 502`,
    ]) {
      await sql.raw(change).execute(raw);
    }
    const drifts = await database.balances.audit();
    expect(
      drifts.map(({ table, key }) => `${table} ${Object.values(key).join(' ')}`).sort(),
    ).toEqual([
      'marquee_balances all 2026-03-10',
      'marquee_balances group:makers 2026-03-10',
      'marquee_balances key:key_0 2026-03-09',
      'marquee_balances member:nobody 2026-03-08',
      `marquee_usage_by_hour ${hour} demo/small  502`,
      'marquee_usage_by_key key_1 2026-03-10 demo/small ',
    ]);
    expect(drifts).toContainEqual({
      table: 'marquee_balances',
      key: { account: 'all', day: '2026-03-10' },
      expected: { tokens: 150 },
      actual: { tokens: 31 },
    });
    // What comes meanwhile stays counted.
    await sql`update marquee_balances set tokens = tokens + 30 where account = 'all' and day = '2026-03-10'`.execute(
      raw,
    );
    await database.balances.repair(drifts);
    expect(await database.balances.audit()).toMatchObject([
      { key: { account: 'all' }, expected: { tokens: 150 }, actual: { tokens: 180 } },
    ]);
  });

  test('what was deleted by age is not audited', async () => {
    const { database } = await openBooks();
    await database.usage.prune('2026-03-10');
    expect(await database.balances.audit()).toEqual([]);
  });

  test('those with the most tokens of several days are found', async () => {
    const { database } = await openBooks();
    const records = Array.from({ length: 80 }, (_, index) =>
      makeUsageRecord({
        keyId: `key_of_${index}`,
        memberId: `mbr_${index}`,
        tokensIn: 10 ** (1 + (index % 5)) + index,
        at: at - (index % 4) * 86_400_000,
      }),
    );
    await storeUsage(database, records);
    const tokensOf = ({ tokensIn, tokensOut }: (typeof records)[number]) => tokensIn + tokensOut;
    const largest = records.toSorted((a, b) => tokensOf(b) - tokensOf(a));
    const found = await database.usage.findLargest('key', '2026-03-07', '2026-03-10');
    expect(found).toEqual(largest.slice(0, 20).map(({ keyId }) => keyId));
    const members = await database.usage.findLargest('member', '2026-03-10', '2026-03-10');
    const ofDay = largest.filter((record) => record.at === at);
    expect(members.slice(0, 4)).toEqual(ofDay.slice(0, 4).map(({ memberId }) => memberId));
  });

  test('sums of days and of hours are the same, hour by hour, with what speed follows from', async () => {
    const { database } = await openBooks();
    const days = { firstDay: '2026-03-10', lastDay: '2026-03-10' };
    const ofDay = await database.usage.sumOfKeys(['key_0', 'key_1'], days);
    const ofHours = await database.usage.sumOfHours('mbr_ada', Date.parse('2026-03-10'));
    const byKey = (sums: typeof ofDay) => sums.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
    expect(byKey(ofHours)).toEqual(
      byKey(ofDay).map((sum) => ({ ...sum, period: '2026-03-10T12:00Z' })),
    );
    // Records 4, and 0 and 6, of which one has no cost.
    expect(byKey(ofDay)).toMatchObject([
      { keyId: 'key_0', requests: 2, errors: 0, priced: 1, costUsd: 0.25, restTokensOut: 40 },
      { keyId: 'key_1', requests: 1, errors: 1, priced: 1, firstBytes: 0, restMs: 0 },
    ]);
    expect(await database.usage.sumOfHours('mbr_ada', at + 1)).toEqual([]);
  });

  test('coding sessions are those of a member’s newest requests', async () => {
    const { database } = await openBooks();
    const ofAda = { memberId: 'mbr_ada', keyId: 'key_0', session: 'codex-1' };
    await storeUsage(database, [
      makeUsageRecord({ ...ofAda, at: at + 5 }),
      makeUsageRecord({ ...ofAda, at: at + 9, costUsd: null }),
      makeUsageRecord({ ...ofAda, at: at + 7, keyId: 'key_1', session: 'opencode-2' }),
      makeUsageRecord({ ...ofAda, at: at - 1, session: 'too-old' }),
      makeUsageRecord({ ...ofAda, at: at + 9, memberId: 'mbr_robin', session: 'of-robin' }),
    ]);
    expect(await database.usage.sumOfSessions('mbr_ada', at)).toMatchObject([
      {
        session: 'codex-1',
        keyId: 'key_0',
        requests: 2,
        tokensOut: 40,
        costUsd: 0.25,
        lastAt: at + 9,
      },
      { session: 'opencode-2', keyId: 'key_1', requests: 1, lastAt: at + 7 },
    ]);
  });
});
