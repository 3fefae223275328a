import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '#lib/database.ts';
import { createLedger, type Ledger } from '#lib/spend/ledger/ledger.ts';
import { LedgerError, type LedgerTransactions } from '#lib/spend/ledger/ledger-error.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { isStorageError, StorageError } from '#lib/storage/storage-error.ts';
import { makeUsageRecord, uncountable } from '../../../support/factories/key-factory.ts';
import { makeDemand, makeLimitedKey } from '../../../support/factories/limits-factory.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { createTestLog } from '../../../support/test-log.ts';

const day = '2026-03-10';
const { limits } = makeLimitedKey();

function openLedger(transactions: LedgerTransactions) {
  const log = createTestLog();
  return { ledger: createLedger({ transactions, log }), log };
}

/** Reserves tokens for a record, which is charged as it is given if its process dies. */
function reserve(ledger: Ledger, record: UsageRecord, tokens = 100) {
  const demand = makeDemand(tokens);
  return ledger.reserve(record.id, { limits, at: record.at, demand, toRecord: () => record });
}

/** All leases have run out. */
function endLeases({ run }: Database) {
  return run((db) =>
    db
      .updateTable('marquee_usage')
      .set({ lease_until: 1 })
      .where('lease_until', 'is not', null)
      .execute(),
  );
}

async function readReserved({ run }: Database): Promise<number[]> {
  const rows = await run((db) =>
    db.selectFrom('marquee_balances').select('reserved_tokens').orderBy('account').execute(),
  );
  return rows.map((row) => row.reserved_tokens);
}

async function readSums({ run }: Database) {
  const columns = sql<string>`requests || ' ' || errors || ' ' || tokens_out || ' ' || rest_ms`;
  return Promise.all(
    (['key', 'member', 'hour'] as const).map(async (part) => {
      const rows = await run((db) =>
        db.selectFrom(`marquee_usage_by_${part}`).select(columns.as('sums')).execute(),
      );
      return rows.map(({ sums }) => sums);
    }),
  );
}

describeEachDatabase((createTestDatabase) => {
  async function open() {
    const database = await openTestDatabase(await createTestDatabase());
    return { database, ...openLedger(database.ledger) };
  }

  test('a transaction that the server ends while its process gets no turn is repeated', async () => {
    const { ledger } = await openTestDatabase(await createTestDatabase());
    const nothing = { spans: [], recordIds: [], newIds: [], counted: [], expiredMax: 0 };
    await ledger.run(nothing, () => {});
    const running = ledger.run(nothing, () => {});
    // Its first message is sent, and PostgreSQL ends the transaction after a second.
    await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await running).toBeUndefined();
  });

  test('what a request has reserved is in the database until it ends, and what it used from then on', async () => {
    const { database, ledger } = await open();
    const record = makeUsageRecord({ memberId: 'mbr_ada', groupName: 'staff', costUsd: 0.5 });
    await reserve(ledger, record);
    // All, group, key and member.
    expect(await readReserved(database)).toEqual([100, 100, 100, 100]);
    expect(await findBalance(database, 'all', day)).toMatchObject({ tokens: 0 });
    ledger.end(record);
    ledger.end({ ...record, tokensIn: 999 });
    await ledger.flush();
    expect(await readReserved(database)).toEqual([0, 0, 0, 0]);
    for (const account of ['all', 'group:staff', 'key:key_one', 'member:mbr_ada']) {
      const used = { tokens: 30, nanoUsd: 500_000_000 };
      expect(await findBalance(database, account, day)).toMatchObject(used);
    }
    expect(await readSums(database)).toEqual([['1 0 20 860'], ['1 0 20 860'], ['1 0 20 860']]);
    expect(await database.keys.list()).toEqual([]);
    expect(await database.balances.audit()).toEqual([]);
  });

  test('a request that was never sent leaves nothing behind', async () => {
    const { database, ledger } = await open();
    const record = makeUsageRecord();
    await reserve(ledger, record);
    ledger.cancel(record.id);
    ledger.cancel('unknown');
    await ledger.flush();
    expect(await readReserved(database)).toEqual([0, 0]);
    expect(await readSums(database)).toEqual([[], [], []]);
    expect(await database.usage.sumByDayAndModel(record.keyId, '')).toEqual([]);
  });

  test('a lost process’s request counts as it last stood, and its real end corrects that once', async () => {
    const options = await createTestDatabase();
    const [database, other] = [await openTestDatabase(options), await openTestDatabase(options)];
    const { ledger: slow } = openLedger(database.ledger);
    const { ledger } = openLedger(other.ledger);
    const counts = { tokensIn: 10, tokensOut: 1 };
    const record = makeUsageRecord({ memberId: 'mbr_ada', ...counts, status: 500 });
    await reserve(slow, record);
    await slow.renew([{ ...record, tokensOut: 5 }]);
    expect(await ledger.closeExpired()).toBe(0);
    await endLeases(database);
    expect(await ledger.closeExpired()).toBe(1);
    expect(await ledger.closeExpired()).toBe(0);
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 15 });
    expect(await readReserved(database)).toEqual([0, 0, 0]);
    expect(await readSums(database)).toEqual([['1 1 5 860'], ['1 1 5 860'], ['1 1 5 860']]);
    // It is closed: what it still does changes nothing, but its end does.
    const extension = { id: record.id, limits, at: record.at, demand: makeDemand(9) };
    expect(await slow.extend(extension)).toBe(0);
    await slow.renew([{ ...record, tokensOut: 6 }]);
    slow.end({ ...record, tokensOut: 99, status: 200 });
    slow.end({ ...record, tokensOut: 7 });
    await slow.flush();
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 109 });
    const [byKey, byMember, byHour] = await readSums(database);
    expect([byKey, byMember]).toEqual([['1 0 99 860'], ['1 0 99 860']]);
    expect(byHour?.toSorted()).toEqual(['0 0 0 0', '1 0 99 860']);
    expect(await readReserved(database)).toEqual([0, 0, 0]);
    expect(await database.balances.audit()).toEqual([]);
  });

  test('a reply that is extended frees all of it in the end', async () => {
    const { database, ledger } = await open();
    const record = makeUsageRecord();
    await reserve(ledger, record, 900);
    const demand = makeDemand(256, { outputTokensMin: 0 });
    const extension = { id: record.id, limits, at: record.at, demand };
    expect(await ledger.extend(extension)).toBe(100);
    expect(await ledger.extend(extension)).toBe(0);
    expect(await ledger.extend({ ...extension, id: 'unknown' })).toBe(0);
    expect(await readReserved(database)).toEqual([1_000, 1_000]);
    ledger.end(record);
    await ledger.flush();
    expect(await readReserved(database)).toEqual([0, 0]);
  });

  test('a record that cannot be counted is set aside by name, and the others of its transaction are counted', async () => {
    const { database, ledger, log } = await open();
    for (const record of [
      makeUsageRecord({ id: 'one' }),
      makeUsageRecord({ id: 'no amount', ...uncountable }),
      makeUsageRecord({ id: 'no model', model: undefined as never }),
      makeUsageRecord({ id: 'two' }),
    ]) {
      try {
        ledger.end(record);
      } catch {}
    }
    await ledger.flush();
    await ledger.flush();
    const setAside = (await database.usage.listSetAside()).map(({ id }) => id);
    expect(setAside).toEqual(['no amount', 'no model']);
    expect(log.lines).toMatchObject([
      { level: 'error', fields: { reason: 'usage_set_aside', id: 'no amount' } },
      { level: 'error', fields: { reason: 'usage_set_aside', id: 'no model' } },
    ]);
    expect(await findBalance(database, 'all', day)).toMatchObject({ tokens: 60 });
    expect(await database.balances.audit()).toEqual([]);
  });

  test('two processes that write the same records at once neither count twice nor deadlock', async () => {
    const options = await createTestDatabase();
    const databases = [await openTestDatabase(options), await openTestDatabase(options)] as const;
    const [database] = databases;
    const [a, b] = [openLedger(database.ledger).ledger, openLedger(databases[1].ledger).ledger];
    const records = Array.from({ length: 60 }, (_, index) =>
      makeUsageRecord({ id: `id_${index}`, keyId: `key_${index % 7}`, tokensIn: 1, tokensOut: 0 }),
    );
    await Promise.all(records.slice(0, 30).map((record) => reserve(a, record, 10)));
    await endLeases(database);
    for (const round of [0, 1, 2, 3, 4]) {
      for (const record of records.slice(round * 10)) a.end(record);
      for (const record of records.toReversed()) b.end(record);
      await Promise.all([
        b.closeExpired(),
        a.closeExpired(),
        a.renew(records.slice(0, 20)),
        a.flush(),
        b.flush(),
      ]);
    }
    expect(await findBalance(database, 'all', day)).toMatchObject({ tokens: 60 });
    expect(await readReserved(database)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await database.balances.audit()).toEqual([]);
  });

  // ASVS 1.4.2
  test('a sum ends at 2^53 - 1, and the ledger goes on', async () => {
    const { database, ledger } = await open();
    const dear = { tokensIn: 1e10, tokensOut: 1e10, costUsd: 1 };
    ledger.end(makeUsageRecord(dear));
    await ledger.flush();
    const high = { nano_usd: Number.MAX_SAFE_INTEGER - 7 };
    await database.run((db) => db.updateTable('marquee_balances').set(high).execute());
    for (let index = 0; index < 2; index += 1) ledger.end(makeUsageRecord(dear));
    await ledger.flush();
    expect(await findBalance(database, 'all', day)).toMatchObject({
      tokens: 6e10,
      nanoUsd: Number.MAX_SAFE_INTEGER,
    });
    const reserved = await reserve(ledger, makeUsageRecord({ keyId: 'key_two' }));
    expect(reserved).toMatchObject({ decision: { outcome: 'spent' } });
  });
});

/** Transactions that fail, or whose response is lost after they were committed. */
function withFailures(transactions: LedgerTransactions) {
  const state: { now: 'works' | 'away' | 'lost' } = { now: 'works' };
  const cause = new StorageError('The database is away.', { code: 'ECONNREFUSED' });
  const failing: LedgerTransactions = {
    async run(reads, change) {
      if (state.now === 'away') throw new LedgerError(cause);
      await transactions.run(reads, change);
      if (state.now === 'lost') throw new LedgerError(cause, { isOutcomeUnknown: true });
    },
    close: transactions.close,
  };
  return { state, transactions: failing };
}

test('while the database is away requests fail at once, and ends are stored when it is back', async () => {
  const database = await openTestDatabase();
  const { state, transactions } = withFailures(database.ledger);
  const { ledger, log } = openLedger(transactions);
  const records = Array.from({ length: 250 }, () => makeUsageRecord());
  await Promise.all(records.slice(0, 5).map((record) => reserve(ledger, record, 1)));
  state.now = 'away';
  for (const record of records) ledger.end(record);
  for (let tries = 0; tries < 3; tries += 1) {
    const request = ledger.begin({ id: 'key_one', requestsPerMinute: 9 });
    await expect(ledger.count(request)).rejects.toSatisfy(isStorageError);
    await expect(reserve(ledger, makeUsageRecord())).rejects.toSatisfy(isStorageError);
  }
  await expect(ledger.renew(records.slice(0, 5))).rejects.toSatisfy(isStorageError);
  state.now = 'works';
  await expect.poll(async () => (await findBalance(database, 'all', day))?.tokens).toBe(7_500);
  expect(await readReserved(database)).toEqual([0, 0]);
  await expect
    .poll(() => log.lines.map(({ message }) => message))
    .toEqual(['usage cannot be stored: new requests get a 503', 'usage can be stored again']);
});

test('a client that tries again as soon as its request has failed is not left waiting', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ledger } = openLedger({
    async run() {
      vi.advanceTimersByTime(5_000);
      throw new LedgerError(new StorageError('The database is busy.', { code: 'SQLITE_5' }));
    },
    close: async () => {},
  });
  const again = reserve(ledger, makeUsageRecord()).catch(() => reserve(ledger, makeUsageRecord()));
  await expect(again).rejects.toSatisfy(isStorageError);
});

test('a request whose reservation may have been stored is cancelled, and an end counts once', async () => {
  const database = await openTestDatabase();
  const { state, transactions } = withFailures(database.ledger);
  const { ledger } = openLedger(transactions);
  const record = makeUsageRecord();
  await reserve(ledger, record, 100);
  state.now = 'lost';
  await expect(reserve(ledger, makeUsageRecord(), 200)).rejects.toSatisfy(isStorageError);
  expect(await readReserved(database)).toEqual([300, 300]);
  ledger.end(record);
  await expect.poll(() => readReserved(database)).toEqual([0, 0]);
  state.now = 'works';
  await ledger.close();
  expect(await findBalance(database, 'all', day)).toMatchObject({ tokens: 30 });
  expect(await database.balances.audit()).toEqual([]);
});

test('a process that closes stores what it can, and does not wait for a database that stays away', async () => {
  const database = await openTestDatabase();
  const { state, transactions } = withFailures(database.ledger);
  const log = createTestLog();
  const ledger = createLedger({ transactions, log, closeWithinMs: 300 });
  state.now = 'away';
  ledger.end(makeUsageRecord());
  await ledger.close();
  expect(log.lines.at(-1)).toMatchObject({
    level: 'error',
    message: 'usage is not stored: leases end what it leaves open',
    fields: { records: 1 },
  });
});
