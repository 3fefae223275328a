import { randomUUID } from 'node:crypto';
import { createDatabase } from '#lib/database.ts';
import { silentLog } from '#lib/http/log.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { makeUsageRecord } from '../../support/factories/key-factory.ts';
import { makeDemand, makeLimitedKey } from '../../support/factories/limits-factory.ts';

/** A process that does nothing but reserve and settle requests, so many at once. It tells how long each reserve took, in ms. */
const [databaseUrl = '', dataDir = '', clients = '', seconds = '', groups = '1', total = 'yes'] =
  process.argv.slice(2);
const database = createDatabase({ databaseUrl: databaseUrl || null, dataDir });
const ledger = createLedger({ transactions: database.ledger, log: silentLog });
const keys = Array.from({ length: 1_000 }, (_, index) =>
  makeLimitedKey({
    id: `key_${index}`,
    key: { tokensPerDay: 1e12 },
    memberId: `mbr_${index % 500}`,
    member: { tokensPerDay: 1e12 },
    groupName: `group_${index % Number(groups)}`,
    group: { tokensPerDay: 1e12 },
    all: total === 'yes' ? { tokensPerDay: 1e12, tokensPerMonth: 1e12 } : {},
  }),
);
const demand = makeDemand(100);
const times: number[] = [];

async function spend(): Promise<void> {
  const key = keys[Math.floor(Math.random() * keys.length)];
  if (key === undefined) return;
  const record = makeUsageRecord({ ...key.payer, id: randomUUID(), at: Date.now() });
  const request = ledger.begin({ id: key.id, requestsPerMinute: 1e9 });
  const startedAt = performance.now();
  const { id, at } = record;
  await ledger.reserve(id, { limits: key.limits, at, demand, toRecord: () => record, request });
  times.push(performance.now() - startedAt);
  ledger.end(record);
}

async function runClient(): Promise<void> {
  while (performance.now() < endsAt) await spend();
}

await database.open();
const endsAt = performance.now() + Number(seconds) * 1000;
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(clients) }, runClient));
await ledger.flush();
const { user, system } = process.cpuUsage(before);
await ledger.close();
process.send?.({ times, cpuMicroseconds: user + system }, undefined, {}, () => process.exit());
