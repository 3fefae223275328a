import { expect, test } from 'vitest';
import { addDays } from '#lib/events/model/dates.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { createDeliveryStore } from '#lib/outbox/delivery-store.ts';
import { runDigests } from '#lib/site/notifications/mail/digest/run-digests.ts';
import { mailPayloadSchema } from '#lib/site/notifications/mail/mail-delivery.ts';
import {
  confirmSubscription,
  insertConfirmation,
  removeSubscription,
} from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { writeMail } from '#lib/site/notifications/mail/write-mail.ts';
import { createConnection } from '#lib/storage/connection.ts';
import { makeDrafts } from '../../../../../support/factories/draft-factory.ts';
import { siteTime } from '../../../../../support/factories/site-time.ts';
import { describeEachDatabase } from '../../../../../support/servers/each-database.ts';
import { testSite as site } from '../../../../../support/test-site.ts';

const dayMs = 86_400_000;
const begin = Date.parse('2026-01-05T08:00:00Z');
/** `npm run digests` takes half a year. */
const { weeks, readerCount } =
  process.env.MARQUEE_LONG_DIGESTS === undefined
    ? { weeks: 8, readerCount: 24 }
    : { weeks: 26, readerCount: 60 };
const days = weeks * 7;
/** When a reader stops: on the day of a digest, or the day after. The first day is a Monday. */
const toLastDay = (index: number) =>
  7 * (2 + (index % (weeks - 4))) + ((index + 6) % 7) + (index % 2);
const toDay = (day: number) => addDays('2026-01-05', day);

/** The events table on a day. */
const read = (drafts: ReturnType<typeof makeDrafts>, day: number) =>
  createSnapshot(drafts, {
    readAtMs: begin + day * dayMs,
    ...siteTime(toDay(day)),
    yieldWhenDue: createTimeSlices(),
  });

describeEachDatabase((createTestDatabase) => {
  /** 25 readers of one digest. */
  async function openReaders() {
    const connection = createConnection(await createTestDatabase());
    const settings = { filters: '', weekday: 1, hour: 7, timeZone: 'UTC' };
    for (let index = 0; index < 25; index += 1) {
      const asked = { id: `id${index}`, address: `person${index}@mail.example`, settings };
      const confirmation = { ...asked, isConfirmed: false };
      await connection.transact((db) => confirmSubscription(db, confirmation, begin));
    }
    return connection;
  }

  test(`in ${weeks} weeks nobody gets a mail after unsubscribing, not even one that was waiting to be sent`, async () => {
    const { run, transact, close } = createConnection(await createTestDatabase());
    const deliveries = createDeliveryStore(run, transact);
    for (let index = 0; index < readerCount; index += 1) {
      const settings = { filters: '', weekday: index % 7, hour: 7, timeZone: 'UTC' };
      const asked = { id: `id${index}`, address: `person${index}@mail.example`, settings };
      await transact(async (db) => {
        await insertConfirmation(db, { ...asked, mailbox: asked.id }, begin);
        await confirmSubscription(db, { ...asked, isConfirmed: false }, begin);
      });
    }
    // One new event a day, five weeks ahead.
    const drafts = makeDrafts(days, (day) => ({
      announcedAt: new Date(begin + day * dayMs - 3_600_000).toISOString(),
      startDate: toDay(day + 35),
      endDate: null,
    }));
    const stoppedAt = new Map<string, number>();
    const lastMailAt = new Map<string, number>();
    let unsent = 0;
    for (let day = 1; day < days; day += 1) {
      const now = begin + day * dayMs;
      const snapshot = await read(drafts.slice(0, day), day);
      const loadEvents = async () => snapshot;
      await runDigests({ run, transact, readClock: async () => now, loadEvents });
      // Every third reader stops some day, many with a digest that waits.
      for (let index = 0; index < readerCount; index += 3) {
        if (day !== toLastDay(index)) continue;
        await transact((db) => removeSubscription(db, `id${index}`, (address) => address));
        stoppedAt.set(`person${index}@mail.example`, day);
      }
      const limits = [['mail', readerCount]] as const;
      const claimed = await deliveries.claim({ owner: 'one', limits, now, leaseMs: 1_000 });
      for (const delivery of claimed) {
        const mail = await writeMail(mailPayloadSchema.parse(JSON.parse(delivery.payload)), now, {
          site,
          run,
          loadEvents,
          timeZone: 'UTC',
          tokens: { issue: (_, id) => id, read: () => null },
          members: { find: async () => null },
        });
        if (mail === null) unsent += 1;
        else lastMailAt.set(mail.to, day);
        const ended = { attemptedAt: now, durationMs: 1, result: '250', retryAt: null };
        await deliveries.end(delivery, 'one', { ...ended, outcome: 'delivered', finishedMax: 0 });
      }
    }
    await close();
    expect(stoppedAt.size).toBe(readerCount / 3);
    expect(unsent).toBeGreaterThan(0);
    for (const [address, day] of stoppedAt) {
      expect(lastMailAt.get(address), address).toBeLessThan(day);
    }
    const others = [...lastMailAt].filter(([address]) => !stoppedAt.has(address));
    expect(others).toHaveLength(readerCount - stoppedAt.size);
    for (const [, day] of others) expect(day).toBeGreaterThan(days - 14);
  });

  test('instances that plan at once enqueue one mail for each reader', async () => {
    const { run, transact, close } = await openReaders();
    const drafts = makeDrafts(60, (index) => ({
      announcedAt: new Date(begin + 1_000 * (index + 1)).toISOString(),
      startDate: toDay(70),
      endDate: null,
    }));
    const snapshot = await read(drafts, 7);
    const readClock = async () => begin + 7 * dayMs;
    const parts = { run, transact, readClock, loadEvents: async () => snapshot };
    const counts = await Promise.all([1, 2, 3].map(() => runDigests(parts)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(25);
    const mails = await run((db) => db.selectFrom('marquee_deliveries').selectAll().execute());
    expect(new Set(mails.map(({ target }) => target)).size).toBe(25);
    const { count } = await run((db) =>
      db
        .selectFrom('marquee_mail_mentions')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    expect(Number(count)).toBe(25 * 40);
    await close();
  });

  test('while digests are planned, requests have their turns', async () => {
    const { run, transact, close } = await openReaders();
    const snapshot = await read(makeDrafts(1), 7);
    let turns = 0;
    const count = () => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const turnsAt: number[] = [];
    await runDigests({
      run,
      transact,
      readClock: async () => begin + 7 * dayMs,
      async loadEvents() {
        turnsAt.push(turns);
        return snapshot;
      },
    });
    clearImmediate(turn);
    // Ten readers at a time.
    expect(turnsAt).toHaveLength(3);
    expect(new Set(turnsAt).size).toBe(3);
    await close();
  });
});
