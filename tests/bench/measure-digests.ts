import { parseArgs } from 'node:util';
import { addDays } from '#lib/events/model/dates.ts';
import { runDigests } from '#lib/site/notifications/mail/digest/run-digests.ts';
import { confirmSubscription } from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { createConnection } from '#lib/storage/connection.ts';
import { makeDrafts } from '../support/factories/draft-factory.ts';
import { makeSnapshot } from '../support/factories/snapshot-factory.ts';
import { startDatabase } from './servers/database.ts';

/**
 * `node tests/bench/measure-digests.ts --engine sqlite --readers 50000`: readers of five filters whose digests of forty
 * events are due at once. What planning them costs this process.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    readers: { type: 'string', default: '50000' },
  },
});

const begin = Date.parse('2026-01-05T08:00:00Z');
const dayMs = 86_400_000;
const filters = ['', 'format=online', 'format=in-person', 'when=month', 'q=number'];
const database = await startDatabase(values.engine);
const { run, transact, close } = createConnection(database);
const readers = Number(values.readers);
for (let first = 0; first < readers; first += 1_000) {
  await transact(async (db) => {
    for (let index = first; index < Math.min(readers, first + 1_000); index += 1) {
      const settings = {
        filters: filters[index % filters.length] ?? '',
        weekday: 1,
        hour: 7,
        timeZone: index % 2 === 0 ? 'UTC' : 'Europe/Lisbon',
      };
      const asked = { id: `id${index}`, address: `person${index}@mail.example`, settings };
      await confirmSubscription(db, { ...asked, isConfirmed: false }, begin);
    }
  });
}
const today = addDays('2026-01-05', 7);
const now = begin + 7 * dayMs;
const snapshot = await makeSnapshot(
  makeDrafts(60, (index) => ({
    announcedAt: new Date(begin + 1_000 * (index + 1)).toISOString(),
    startDate: addDays(today, 20),
    endDate: null,
  })),
  today,
  { readAtMs: now },
);
const startedAt = performance.now();
const before = process.cpuUsage();
const mails = await runDigests({
  ...{ run, transact },
  readClock: async () => now,
  loadEvents: async () => snapshot,
});
const { user, system } = process.cpuUsage(before);
const mentions = await run((db) =>
  db
    .selectFrom('marquee_mail_mentions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow(),
);
process.stdout.write(
  `${values.engine}: ${mails} digests, ${mentions.count} events in ${Math.round((performance.now() - startedAt) / 1000)} s, ${((user + system) / 1000 / mails).toFixed(2)} ms of CPU each\n`,
);
await close();
await database.close();
