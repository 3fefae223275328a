import { expect, test } from 'vitest';
import type { EventDraft } from '#lib/events/model/schema.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { pruneMail } from '#lib/site/notifications/mail/digest/run-digests.ts';
import {
  findReminderList,
  pruneReminders,
  saveReminderList,
} from '#lib/site/notifications/mail/reminders/reminder-store.ts';
import { runReminders } from '#lib/site/notifications/mail/reminders/run-reminders.ts';
import {
  confirmSubscription,
  findSubscription,
  insertConfirmation,
  listDue,
} from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { createConnection } from '#lib/storage/connection.ts';
import { makeDraft } from '../../../../../support/factories/draft-factory.ts';
import { makeEvening } from '../../../../../support/factories/event-factory.ts';
import { siteTime } from '../../../../../support/factories/site-time.ts';
import { describeEachDatabase } from '../../../../../support/servers/each-database.ts';

const { slug: _, status: __, pictures: ___, ...evening } = makeEvening();
const timeZone = 'UTC';
const asked = { id: 'id1', address: 'ada@mail.example', isConfirmed: false };
const weekly = { filters: '', weekday: 1, hour: 8, timeZone };

describeEachDatabase((createTestDatabase) => {
  /** Ada is reminded of an evening on 24 November at 18:30 in Ghent, which is 17:30 UTC. */
  async function openList(drafts: EventDraft[] = [makeDraft(evening)]) {
    const { run, transact, close } = createConnection(await createTestDatabase());
    const read = (time: string, rows = drafts) =>
      createSnapshot(rows, {
        readAtMs: Date.parse(time),
        ...siteTime(time),
        yieldWhenDue: createTimeSlices(),
      });
    const begin = '2026-11-20T12:00:00Z';
    const { events } = await read(begin);
    const settings = { eventIds: events.map(({ id }) => id) };
    await transact(async (db) => {
      await insertConfirmation(db, { ...asked, mailbox: 'hash', settings }, Date.parse(begin));
      const { id } = await confirmSubscription(db, { ...asked, settings }, Date.parse(begin));
      await saveReminderList(db, id, { events, now: Date.parse(begin) });
    });
    /** Reminders at a time, with the rows of that time. */
    const remind = async (time: string, rows?: EventDraft[]) => {
      const snapshot = await read(time, rows);
      const readClock = async () => Date.parse(time);
      return runReminders({ run, transact, readClock, timeZone, loadEvents: async () => snapshot });
    };
    const prune = async (time: string, rows?: EventDraft[]) => {
      const snapshot = await read(time, rows);
      await run((db) => pruneMail(db, Date.parse(time)));
      await transact((db) => pruneReminders(db, snapshot, () => 'hash'));
      return run((db) => findSubscription(db, 'id1'));
    };
    return { run, transact, close, remind, prune };
  }

  // nextcloud/server 29434 and slice 769 send two: each worker its own.
  test('instances that look at once send each reminder once, and one mail for events of one time', async () => {
    const { run, remind, close } = await openList([
      makeDraft(evening),
      makeDraft({ ...evening, id: 'recOther', name: 'Another evening' }),
    ]);
    for (const day of ['23T17:30', '24T16:30']) {
      const counts = await Promise.all([1, 2, 3].map(() => remind(`2026-11-${day}:00Z`)));
      expect(counts.reduce((sum, count) => sum + count)).toBe(1);
      expect(await remind(`2026-11-${day}:45Z`)).toBe(0);
    }
    const mails = await run((db) => db.selectFrom('marquee_deliveries').selectAll().execute());
    expect(mails.map(({ payload }) => JSON.parse(payload).events.length)).toEqual([2, 2]);
    await close();
  });

  // cal.diy 13238 sends the reminder of the first time.
  test('an event that moves after a reminder has those of its new time, and a cancelled one has none', async () => {
    const { remind, close } = await openList();
    expect(await remind('2026-11-23T17:30:00Z')).toBe(1);
    const day = { startDate: '2026-12-01', endDate: '2026-12-01', inPerson: null };
    const times = { startsAt: '2026-12-01T18:30:00+01:00', endsAt: '2026-12-01T21:00:00+01:00' };
    const moved = makeDraft({ ...evening, ...day, ...times });
    expect(await remind('2026-11-24T16:30:00Z', [moved])).toBe(0);
    expect(await remind('2026-11-30T17:40:00Z', [moved])).toBe(1);
    expect(await remind('2026-12-01T16:30:00Z', [{ ...moved, state: 'cancelled' }])).toBe(0);
    await close();
  });

  test('no reminder comes late after an outage', async () => {
    const { remind, close } = await openList();
    expect(await remind('2026-11-24T10:00:00Z')).toBe(0);
    expect(await remind('2026-11-24T17:31:00Z')).toBe(0);
    await close();
  });

  test('address and ids are erased once the last event is over, and not while its row cannot be read', async () => {
    const { run, prune, close } = await openList();
    expect(await prune('2026-11-23T12:00:00Z', [])).not.toBeNull();
    expect(await prune('2026-11-24T19:59:00Z')).not.toBeNull();
    expect(await prune('2026-11-24T20:00:00Z')).toBeNull();
    for (const name of ['subscriptions', 'confirmations', 'mentions'] as const) {
      const rows = await run((db) => db.selectFrom(`marquee_mail_${name}`).selectAll().execute());
      expect(rows).toEqual([]);
    }
    await close();
  });

  test('a row that never comes back is erased after its last day', async () => {
    const { prune, close } = await openList();
    expect(await prune('2026-11-24T23:59:00Z', [])).not.toBeNull();
    expect(await prune('2026-11-25T00:00:00Z', [])).toBeNull();
    await close();
  });

  test('a list alone has no digest; with a digest of the same address, only the list ends', async () => {
    const { run, transact, prune, close } = await openList();
    const later = Date.parse('2036-01-01T00:00:00Z');
    expect(await run((db) => listDue(db, later, 10))).toEqual([]);
    const now = Date.parse('2026-11-21T12:00:00Z');
    const digest = { ...asked, id: 'id2', settings: weekly };
    const confirmed = await transact((db) => confirmSubscription(db, digest, now));
    expect(confirmed).toMatchObject({ id: 'id1', since: now });
    expect(await run((db) => listDue(db, later, 10))).toHaveLength(1);
    expect(await run((db) => findReminderList(db, 'id1'))).toHaveLength(1);
    expect(await prune('2026-11-25T12:00:00Z')).not.toBeNull();
    expect(await run((db) => findReminderList(db, 'id1'))).toEqual([]);
    await close();
  });
});
