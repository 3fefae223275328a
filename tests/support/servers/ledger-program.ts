import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '#lib/database.ts';
import { createRandom, toSeed } from '#lib/demo/seeded-random.ts';
import { silentLog } from '#lib/http/log.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { makeUsageRecord } from '../factories/key-factory.ts';
import { makeDemand, makeLimitedKey } from '../factories/limits-factory.ts';

/** A process that does nothing but spend: tests kill it. It tells what is certain to be in the database. */
const [databaseUrl = '', dataDir = '', seed = ''] = process.argv.slice(2);
const random = createRandom(toSeed(seed));
const database = createDatabase({ databaseUrl: databaseUrl || null, dataDir });
const ledger = createLedger({ transactions: database.ledger, log: silentLog });
const tell = (message: object) => process.send?.(message);
let waiting = 0;
channels.ledgerWaiting.subscribe((ends) => {
  waiting = ends;
});

async function spend(): Promise<void> {
  const isSent = random() < 0.9;
  const id = `${isSent ? 'sent' : 'cancelled'} ${randomUUID()}`;
  const key = makeLimitedKey({
    id: `key_${Math.floor(random() * 5)}`,
    memberId: `mbr_${Math.floor(random() * 3)}`,
    all: { tokensPerMonth: 1e12 },
  });
  const limits = key.limits.filter(({ owner }) => owner === 'all');
  const record = makeUsageRecord({ ...key.payer, id, tokensIn: 1, tokensOut: 1 });
  const { at } = record;
  const request = ledger.begin({ id: key.id, requestsPerMinute: 1e9 });
  const demand = makeDemand(100);
  await ledger.reserve(id, { limits, at, demand, toRecord: () => record, request });
  tell({ id, state: 'reserved' });
  if (random() < 0.3) await ledger.extend({ id, limits, at, demand });
  if (random() < 0.3) await ledger.renew([{ ...record, tokensOut: 5 }]);
  if (isSent) ledger.end({ ...record, tokensOut: 9 });
  else ledger.cancel(id);
  await ledger.flush();
  // The database did not take it, since it was busy.
  while (waiting > 0) {
    await delay(20);
    await ledger.flush();
  }
  tell({ id, state: 'ended' });
}

// As a server's sockets do: the ledger's own timers keep no process alive.
process.channel?.ref();
tell({ id: '', state: 'started' });
await Promise.all(
  Array.from({ length: 4 }, async () => {
    // A busy database is a 503 to a client, which tries again.
    for (;;) {
      await spend().catch((error: unknown) => {
        if (!isStorageError(error)) throw error;
      });
    }
  }),
);
