import { sql, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { claimDeliveries } from '#lib/outbox/claim-deliveries.ts';
import { deliveryKinds } from '#lib/outbox/delivery.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { makeDelivery, openDeliveries } from '../../support/outbox-factory.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

type Box = ReturnType<typeof openDeliveries>;

const payloads = (sent: readonly { payload: string }[]) => sent.map(({ payload }) => payload);

/** What queries have taken so far: rows that the server has read in this transaction, or CPU of this thread. */
async function readWork(db: Transaction<Schema>, { databaseUrl }: DatabaseOptions) {
  if (databaseUrl === null) return process.threadCpuUsage().user;
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) as rows from pg_stat_xact_user_tables
  `.execute(db);
  return rows[0]?.rows ?? 0;
}

describeEachDatabase((createTestDatabase) => {
  test('mails start in the order of their time, those to one person one after the other', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const mail = (payload: string, target: string, notBefore: number) =>
      makeDelivery(payload, { kind: 'mail', target, notBefore });
    await box.enqueue(mail('a2', 'ada', 3), mail('a1', 'ada', 2), mail('b', 'bo', 4));
    await box.enqueue(mail('c', 'cy', 1), mail('later', 'di', 2_000));
    const claim = async (now: number, limit: number) => {
      const lease = { owner: 'one', limits: [['mail', limit]], leaseMs: 1_000 } as const;
      return payloads(await box.deliveries.claim({ ...lease, now })).toSorted();
    };
    expect(await claim(10, 2)).toEqual(['a1', 'c']);
    expect(await claim(11, 9)).toEqual(['b']);
    expect(await claim(12, 9)).toEqual([]);
    // Two leases have expired.
    expect(await claim(1_010, 9)).toEqual(['a1', 'c']);
  });

  test('targets have their turn one after the other, each with its oldest new delivery, then with retries', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const add = (payload: string, notBefore = 0) =>
      box.enqueue(makeDelivery(payload, { target: payload.slice(0, 1), notBefore }));
    for (const payload of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await add(payload);
    await add('d later', box.clock.now() + 10);
    let lastTarget = '';
    const claim = async (limit: number) => {
      const claimed = await box.deliveries.claim({
        owner: 'one',
        limits: [['webhook', limit, lastTarget]],
        now: box.clock.now(),
        leaseMs: 5,
      });
      lastTarget = claimed.at(-1)?.target ?? '';
      return claimed;
    };
    const end = async (limit: number, retryAt: number | null) => {
      const claimed = await claim(limit);
      const attempt = { attemptedAt: 0, durationMs: 0, result: '500', outcome: null } as const;
      for (const delivery of claimed) {
        await box.deliveries.end(delivery, 'one', { ...attempt, retryAt, finishedMax: 9 });
      }
      return payloads(claimed);
    };
    expect(await end(2, null)).toEqual(['a1', 'b1']);
    expect(await end(2, box.clock.now())).toEqual(['c1', 'a2']);
    expect(await end(1, null)).toEqual(['b2']);
    // What is leased is passed over, until its lease has expired.
    expect(payloads(await claim(1))).toEqual(['c1']);
    expect(await end(9, null)).toEqual(['a3']);
    expect(await end(9, null)).toEqual(['a2']);
    box.clock.move(10);
    expect(await end(9, null)).toEqual(['c1', 'd later']);
    expect(await end(9, null)).toEqual([]);
  });

  test.each([
    ['mails', 'mail', () => ({})],
    ['webhooks', 'webhook', () => ({})],
    ['webhooks that wait for a retry', 'webhook', (now: number) => ({ notBefore: now + 9_000 })],
    ['pings of one hub', 'ping', () => ({ target: 'hub' })],
  ] as const)('a claim of %s reads no more where many wait', async (_, kind, toDelivery) => {
    const place = await createTestDatabase();
    await using box = openDeliveries(place);
    await addMany(box, 100, { kind, ...toDelivery(box.clock.now()) });
    const few = await measureClaims(box, place);
    await addMany(box, 5_000, { kind, ...toDelivery(box.clock.now()) });
    expect(await measureClaims(box, place)).toBeLessThan(10 * few + 100);
  });
});

function addMany(box: Box, count: number, delivery: Parameters<typeof makeDelivery>[1]) {
  return box.enqueue(
    ...Array.from({ length: count }, (_, index) =>
      makeDelivery('digest', { target: `${count} ${index}`, ...delivery }),
    ),
  );
}

function measureClaims(box: Box, place: DatabaseOptions): Promise<number> {
  const limits = deliveryKinds.map((kind) => [kind, 4] as const);
  const claim = { owner: 'one', limits, now: box.clock.now(), leaseMs: 1_000 };
  return box.transact(async (db) => {
    // The planner knows the rows, as it does where they came one by one.
    if (place.databaseUrl !== null) await sql`analyze`.execute(db);
    const before = await readWork(db, place);
    for (let claims = 0; claims < 20; claims += 1) await claimDeliveries(db, claim);
    return (await readWork(db, place)) - before;
  });
}
