import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '#lib/database.ts';
import { createStoredSource } from '#lib/events/source/stored-read/stored-source.ts';
import { silentLog } from '#lib/http/log.ts';
import { makeDrafts } from '../factories/draft-factory.ts';

/** An instance that does nothing but read a table of its own and store it, with a short lease: tests kill it. */
const [databaseUrl = '', dataDir = ''] = process.argv.slice(2);
const database = createDatabase({ databaseUrl: databaseUrl || null, dataDir });
const source = createStoredSource(
  {
    async read() {
      // All rows say when they were read.
      const name = `Read ${Date.now()}`;
      return { drafts: makeDrafts(1_000, () => ({ name })), signedUrls: new Map(), repairs: {} };
    },
  },
  {
    store: database.tableReads('events'),
    now: Date.now,
    signal: new AbortController().signal,
    log: silentLog,
    toPicture: () => null,
    leaseMs: 300,
  },
);
for (;;) {
  await source.read({ ageMaxMs: 0 });
  await source.close();
  process.send?.('stored');
  // It is the turn of another one.
  await sleep(100);
}
