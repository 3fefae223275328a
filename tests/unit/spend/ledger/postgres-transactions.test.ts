import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import { createLedger, type Ledger } from '#lib/spend/ledger/ledger.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import {
  type LimitedKey,
  makeDemand,
  makeLimitedKey,
} from '../../../support/factories/limits-factory.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { setUpOwnPostgres } from '../../../support/servers/postgres-server.ts';
import { createTestLog } from '../../../support/test-log.ts';

// What nobody waits for reaches the disk after the test.
const postgres = setUpOwnPostgres({ wal_writer_delay: '10s' });

async function openLedger(databaseUrl: string) {
  const database = await openTestDatabase({ databaseUrl, dataDir: '/nowhere' });
  return {
    database,
    ledger: createLedger({ transactions: database.ledger, log: createTestLog() }),
  };
}

function reserve(ledger: Ledger, { payer, limits }: LimitedKey, record: UsageRecord) {
  const { id, at } = record;
  const toRecord = () => ({ ...record, ...payer });
  return ledger.reserve(id, { limits, at, demand: makeDemand(100), toRecord });
}

function findRecord({ run }: Database, id: string) {
  return run((db) =>
    db.selectFrom('marquee_usage').selectAll().where('id', '=', id).executeTakeFirst(),
  );
}

/** Like a loss of power: what was not on the disk is lost. */
async function crash(): Promise<void> {
  await postgres.kill();
  await postgres.start();
}

test('a transaction that has stopped delays only requests that ask for a balance that it asks for', async () => {
  const databaseUrl = await postgres.createDatabase();
  const { ledger } = await openLedger(databaseUrl);
  const { ledger: other } = await openLedger(databaseUrl);
  const stopped = new pg.Client({ connectionString: databaseUrl });
  await stopped.connect();
  onTestFinished(() => stopped.end());
  await stopped.query(`begin; select pg_advisory_xact_lock(hashtextextended('group:makers', 0))`);
  const group = { tokensPerDay: 1_000 };
  const maker = makeLimitedKey({ id: 'key_maker', groupName: 'makers', group });
  const walker = makeLimitedKey({ id: 'key_walker', groupName: 'walkers', group });
  // It shares a group, but not a budget.
  const unbounded = makeLimitedKey({ id: 'key_unbounded', groupName: 'makers' });

  await expect(reserve(ledger, maker, makeUsageRecord())).rejects.toSatisfy(isStorageError);
  for (const key of [walker, unbounded]) {
    const reserved = await reserve(other, key, makeUsageRecord());
    expect(reserved).toMatchObject({ decision: { outcome: 'granted' } });
  }
  await stopped.query('rollback');
  const reserved = await reserve(other, maker, makeUsageRecord());
  expect(reserved).toMatchObject({ decision: { outcome: 'granted' } });
});

test('a request whose reservation PostgreSQL loses in a crash is charged by its end, once', async () => {
  const { database, ledger } = await openLedger(await postgres.createDatabase());
  const record = makeUsageRecord();
  await reserve(ledger, makeLimitedKey(), record);
  expect(await findRecord(database, record.id)).toMatchObject({ reserved_tokens: 100 });
  await crash();
  await expect.poll(() => findRecord(database, record.id).catch(() => 'away')).toBe(undefined);
  ledger.end(record);
  await expect
    .poll(() => findRecord(database, record.id))
    .toMatchObject({ is_final: 1, tokens_out: 20 });
  ledger.end(record);
  await ledger.flush();
  expect(await findBalance(database, 'key:key_one', '2026-03-10')).toMatchObject({ tokens: 30 });
  expect(await database.balances.audit()).toEqual([]);
});

test('an end that is stored survives a crash of PostgreSQL', async () => {
  const { database, ledger } = await openLedger(await postgres.createDatabase());
  const record = makeUsageRecord();
  await reserve(ledger, makeLimitedKey(), record);
  ledger.end(record);
  await ledger.flush();
  await crash();
  await expect
    .poll(() => findRecord(database, record.id).catch(() => 'away'))
    .toMatchObject({ is_final: 1, tokens_out: 20 });
  expect(await database.balances.audit()).toEqual([]);
});

/** What the server does as the first record is written, in PL/pgSQL. */
async function failOnce(databaseUrl: string, failure: string): Promise<void> {
  await postgres.query(
    databaseUrl,
    `create sequence writes;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('writes') = 1 then ${failure}; end if;
      return new;
    end $$;
    create trigger fail_once before insert on marquee_usage
      for each row execute function fail_once()`,
  );
}

test.for([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a lock that another transaction has', '55P03'],
])('%s is tried again, and what is written counts once', async ([, code]) => {
  const databaseUrl = await postgres.createDatabase();
  const { database, ledger } = await openLedger(databaseUrl);
  await failOnce(databaseUrl, `raise exception using errcode = '${code}'`);
  const key = makeLimitedKey();
  const record = makeUsageRecord();
  const reserved = await reserve(ledger, key, record);
  expect(reserved).toMatchObject({ decision: { outcome: 'granted' } });
  const limits = key.limits;
  const [use] = await database.balances.readUses(limits, '2026-03-10');
  expect(use).toMatchObject({ reservedTokens: 100, tokens: 0 });
  ledger.end(record);
  await ledger.flush();
  expect(await database.balances.readUses(limits, '2026-03-10')).toMatchObject([
    { reservedTokens: 0, tokens: 30 },
  ]);
  expect(await database.balances.audit()).toEqual([]);
});

test('a connection that is lost as it commits reserves nothing, and an end is stored again and counts once', async () => {
  const databaseUrl = await postgres.createDatabase();
  const { database, ledger } = await openLedger(databaseUrl);
  const hangUp = 'perform pg_terminate_backend(pg_backend_pid())';
  await failOnce(databaseUrl, hangUp);
  const key = makeLimitedKey();
  const rejected = reserve(ledger, key, makeUsageRecord());
  await expect(rejected).rejects.toSatisfy(isStorageError);
  await postgres.query(databaseUrl, `alter sequence writes restart`);
  ledger.end(makeUsageRecord());
  await expect
    .poll(() => database.balances.readUses(key.limits, '2026-03-10'))
    .toMatchObject([{ reservedTokens: 0, tokens: 30 }]);
  await ledger.flush();
  expect(await database.balances.audit()).toEqual([]);
});
