import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLedger, type Ledger } from '#lib/spend/ledger/ledger.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { makeUsageRecord } from '../../../../support/factories/key-factory.ts';
import {
  type LimitedKey,
  makeDemand,
  makeLimitedKey,
} from '../../../../support/factories/limits-factory.ts';
import { findBalance } from '../../../../support/find-balance.ts';
import { random } from '../../../../support/seed.ts';
import { openTestDatabase } from '../../../../support/servers/each-database.ts';
import { setUpOwnPostgres } from '../../../../support/servers/postgres-server.ts';
import { closeOpenUsage } from '../../../../support/store-usage.ts';
import { createTestLog } from '../../../../support/test-log.ts';

/** `npm run chaos:ledger` sends a hundred thousand. */
const requests = Number(process.env.MARQUEE_LEDGER_REQUESTS ?? 3_000);
const crashes = 4;

const postgres = setUpOwnPostgres();

async function openProcess(databaseUrl: string) {
  const database = await openTestDatabase({ databaseUrl, dataDir: '/nowhere' });
  return {
    database,
    ledger: createLedger({ transactions: database.ledger, log: createTestLog() }),
  };
}

const choose = (count: number) => Math.floor(random() * count);

/** Members, groups and the site have budgets, which any two keys may share. */
function makeKey(): LimitedKey {
  const budget = { tokensPerDay: 1e12, tokensPerMonth: 1e12 };
  return makeLimitedKey({
    id: `key_${choose(40)}`,
    requestsPerMinute: 1e9,
    key: budget,
    memberId: `mbr_${choose(10)}`,
    member: budget,
    groupName: `group_${choose(5)}`,
    group: budget,
    all: random() < 0.5 ? budget : {},
  });
}

const tokensOfRequest = 30;

/** Returns whether it was sent. */
async function spend(ledger: Ledger): Promise<boolean> {
  const { id: keyId, requestsPerMinute, payer, limits } = makeKey();
  const id = randomUUID();
  const record = makeUsageRecord({ ...payer, id });
  const { at } = record;
  const demand = makeDemand(100);
  const request = ledger.begin({ id: keyId, requestsPerMinute });
  await ledger.reserve(id, { limits, at, demand, toRecord: () => record, request });
  try {
    if (random() < 0.2) await ledger.extend({ id, limits, at, demand });
    if (random() < 0.2) await ledger.renew([record]);
    if (random() < 0.1) await ledger.closeExpired();
  } catch (error) {
    // While the database is away, a reply goes on.
    if (!isStorageError(error)) throw error;
  }
  const isSent = random() < 0.9;
  if (isSent) ledger.end(record);
  else ledger.cancel(id);
  return isSent;
}

test('keys that share groups and a total in any order cause no deadlock, and the books agree', async () => {
  const databaseUrl = await postgres.createDatabase();
  const processes = [await openProcess(databaseUrl), await openProcess(databaseUrl)] as const;
  const [{ database }] = processes;
  let begun = 0;
  let sent = 0;
  const clients = processes.flatMap(({ ledger }) =>
    Array.from({ length: 20 }, async () => {
      while (begun < requests) {
        begun += 1;
        if (await spend(ledger)) sent += 1;
      }
    }),
  );
  await Promise.all(clients);
  await Promise.all(processes.map(({ ledger }) => ledger.flush()));

  const { rows } = await database.run((db) =>
    sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
      where datname = current_database()`.execute(db),
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
  const used = { tokens: tokensOfRequest * sent };
  expect(await findBalance(database, 'all', '2026-03-10')).toMatchObject(used);
  expect(await database.balances.audit()).toEqual([]);
});

test('PostgreSQL that crashes at any moment loses no request that has ended, and charges none twice', async () => {
  const databaseUrl = await postgres.createDatabase();
  const { database, ledger } = await openProcess(databaseUrl);
  let isOver = false;
  let sent = 0;
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      try {
        if (await spend(ledger)) sent += 1;
      } catch (error) {
        // A client that gets a 503 tries again.
        if (!isStorageError(error)) throw error;
        await delay(20);
      }
    }
  });
  for (let crash = 0; crash < crashes; crash += 1) {
    const before = sent;
    await expect.poll(() => sent).toBeGreaterThan(before);
    await delay(random() * 300);
    await postgres.kill();
    await postgres.start();
  }
  isOver = true;
  await Promise.all(clients);
  const used = { tokens: tokensOfRequest * sent };
  await expect
    .poll(async () => {
      await ledger.flush();
      return findBalance(database, 'all', '2026-03-10').catch(() => null);
    })
    .toMatchObject(used);
  await closeOpenUsage(database);
  expect(await findBalance(database, 'all', '2026-03-10')).toMatchObject(used);
  expect(await database.balances.audit()).toEqual([]);
});
