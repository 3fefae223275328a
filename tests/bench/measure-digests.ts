import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#lib/database.ts';
import { addDays } from '#lib/events/model/dates.ts';
import { silentLog } from '#lib/http/log.ts';
import { Outbox } from '#lib/outbox/outbox.ts';
import { runDigests } from '#lib/site/notifications/mail/digest/run-digests.ts';
import { createMail } from '#lib/site/notifications/mail/mail.ts';
import { confirmSubscription } from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { makeDrafts } from '../support/factories/draft-factory.ts';
import { makeSnapshot } from '../support/factories/snapshot-factory.ts';
import { startSmtpSink } from '../support/servers/smtp-sink.ts';
import { startDatabase } from './servers/database.ts';

/**
 * `node tests/bench/measure-digests.ts --engine sqlite --readers 50000`: readers of five filters whose digests of forty
 * events are due at once. What planning them costs this process; and with `--relay 100`, how many of them leave in a second
 * through a mail server that takes so many ms for each, with `--sessions 4`.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    readers: { type: 'string', default: '50000' },
    relay: { type: 'string' },
    sessions: { type: 'string', default: '4' },
  },
});

const begin = Date.parse('2026-01-05T08:00:00Z');
const dayMs = 86_400_000;
const filters = ['', 'format=online', 'format=in-person', 'when=month', 'q=number'];
const database = await startDatabase(values.engine);
const stores = await openDatabase(database);
const { run, transact, close } = stores;
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
const readClock = async () => now;
const loadEvents = async () => snapshot;
const mails = await runDigests({ run, transact, readClock, loadEvents });
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
if (values.relay !== undefined) await sendAll(Number(values.relay));
await close();
await database.close();

async function sendAll(relayMs: number): Promise<void> {
  let [open, most] = [0, 0];
  const smtp = await startSmtpSink({
    onConnect(_, callback) {
      open += 1;
      most = Math.max(most, open);
      callback();
    },
    onClose() {
      open -= 1;
    },
    onData(stream, _, callback) {
      stream.resume().on('end', () => setTimeout(callback, relayMs));
    },
  });
  const mail = createMail(
    {
      mail: { smtpUrl: smtp.url, from: 'a@mail.example', sessionsMax: Number(values.sessions) },
      site: { name: 'Marquee', url: 'https://events.example' },
      events: { timeZone: 'UTC' },
      keys: { pepper: 'x'.repeat(40), previousPepper: null },
      storage: database,
      trustProxy: 0,
    },
    {
      database: { ...stores, readClock },
      loadEvents,
      onRelayFault: async () => {},
      now: () => now,
      log: silentLog,
    },
  );
  if (mail === null) throw new Error('There is no mail.');
  const outbox = new Outbox({
    stores: { ...stores, readClock },
    senders: { mail: mail.sender },
    isPolling: true,
    log: silentLog,
  });
  const sentAt = performance.now();
  const cpu = process.cpuUsage();
  outbox.start();
  while (await hasMore()) await delay(200);
  const seconds = (performance.now() - sentAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(
    `${mails} mails in ${seconds.toFixed(1)} s, ${(mails / seconds).toFixed(1)} a second, ${most} sessions, ${((user + system) / 1000 / mails).toFixed(1)} ms of CPU each\n`,
  );
  await outbox.close();
  mail.close();
  await smtp.close();
}

async function hasMore(): Promise<boolean> {
  const waiting = await run((db) =>
    db
      .selectFrom('marquee_deliveries')
      .select('id')
      .where('due_at', 'is not', null)
      .limit(1)
      .execute(),
  );
  return waiting.length > 0;
}
