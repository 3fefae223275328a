import type { Transaction } from 'kysely';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { repeatInTurns } from '#lib/storage/repeat-in-turns.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { toMailDelivery } from '../mail-delivery.ts';
import {
  claimReminder,
  findListedEvents,
  hasReminderLists,
  type ListedEvent,
} from './reminder-store.ts';
import { findDueReminder } from './reminder-times.ts';

type ReminderParts = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  readClock: () => Promise<number>;
  loadEvents: () => Promise<EventsSnapshot>;
  /** Of the site. */
  timeZone: string;
}>;

/** Readers of a transaction. */
const batchMax = 10;

/** Enqueues the reminders that are due, all of a reader in one mail. @returns how many mails. */
export async function runReminders(parts: ReminderParts): Promise<number> {
  const { run, transact, readClock, loadEvents, timeZone } = parts;
  if (!(await run(hasReminderLists))) return 0;
  const now = await readClock();
  const dueAt = new Map<string, number>();
  for (const event of (await loadEvents()).events) {
    const reminder = findDueReminder(event, { siteZone: timeZone, now });
    if (reminder !== null) dueAt.set(event.id, reminder.at);
  }
  if (dueAt.size === 0) return 0;
  const listed = await run((db) => findListedEvents(db, [...dueAt.keys()], now));
  const isDue = ({ eventId, remindedAt }: ListedEvent) => remindedAt < (dueAt.get(eventId) ?? 0);
  const waiting = [...Map.groupBy(listed.filter(isDue), ({ subscriptionId }) => subscriptionId)];
  let mails = 0;
  await repeatInTurns(async () => {
    const batch = waiting.splice(0, batchMax);
    if (batch.length === 0) return false;
    mails += await transact((db) => enqueueReminders(db, batch, { dueAt, now }));
    return true;
  });
  return mails;
}

async function enqueueReminders(
  db: Transaction<Schema>,
  batch: readonly (readonly [subscriptionId: string, events: readonly ListedEvent[]])[],
  { dueAt, now }: Readonly<{ dueAt: ReadonlyMap<string, number>; now: number }>,
): Promise<number> {
  const deliveries = [];
  for (const [id, listed] of batch) {
    const events = [];
    for (const event of listed) {
      const at = dueAt.get(event.eventId) ?? 0;
      if (await claimReminder(db, event, at)) events.push({ id: event.eventId, at });
    }
    if (events.length > 0) deliveries.push(toMailDelivery({ type: 'reminder', id, events }));
  }
  await enqueue(db, deliveries, now);
  return deliveries.length;
}
