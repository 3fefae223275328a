import type { Kysely, Transaction } from 'kysely';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { findMentionsOf, toMailedFacts } from '../digest/mention-store.ts';
import { never, removeSubscription } from '../subscribing/subscription-store.ts';
import { isOver } from './reminder-times.ts';

/** An event of a reader's list. */
export type ListedEvent = Readonly<{
  subscriptionId: string;
  eventId: string;
  /** They were reminded of what was due until then, Unix ms. */
  remindedAt: number;
}>;

/** Reminds a reader of these events and of no others, from now on. */
export async function saveReminderList(
  db: Transaction<Schema>,
  subscriptionId: string,
  { events, now }: Readonly<{ events: readonly MarqueeEvent[]; now: number }>,
): Promise<void> {
  await db
    .deleteFrom('marquee_mail_mentions')
    .where('subscription_id', '=', subscriptionId)
    .where('reminded_at', 'is not', null)
    .where('reasons', '=', '[]')
    .execute();
  // Digests have mentioned the others, and go on knowing it.
  const mentioned = db.updateTable('marquee_mail_mentions').set({ reminded_at: null });
  await mentioned.where('subscription_id', '=', subscriptionId).execute();
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    subscription_id: subscriptionId,
    event_id: event.id,
    reasons: '[]',
    told: JSON.stringify(toMailedFacts(event)),
    moves: 0,
    mentioned_at: now,
    reminded_at: now,
  }));
  await db
    .insertInto('marquee_mail_mentions')
    .values(rows)
    .onConflict((on) =>
      on.columns(['subscription_id', 'event_id']).doUpdateSet({ reminded_at: now }),
    )
    .execute();
}

export async function hasReminderLists(db: Kysely<Schema>): Promise<boolean> {
  const any = db.selectFrom('marquee_mail_mentions').where('reminded_at', 'is not', null);
  return (await any.select('event_id').limit(1).executeTakeFirst()) !== undefined;
}

/** The ids of a reader's list. */
export async function findReminderList(
  db: Kysely<Schema>,
  subscriptionId: string,
): Promise<string[]> {
  const listed = db.selectFrom('marquee_mail_mentions').where('reminded_at', 'is not', null);
  const rows = await listed
    .select('event_id')
    .where('subscription_id', '=', subscriptionId)
    .execute();
  return rows.map((row) => row.event_id);
}

/** Some events in the lists of all who were last reminded before a time, in an order that all instances lock them in. */
export async function findListedEvents(
  db: Kysely<Schema>,
  eventIds: readonly string[],
  before: number,
): Promise<ListedEvent[]> {
  const rows = await db
    .selectFrom('marquee_mail_mentions')
    .select(['subscription_id', 'event_id', 'reminded_at'])
    .where('event_id', 'in', eventIds)
    .where('reminded_at', '<', before)
    .orderBy('subscription_id')
    .orderBy('event_id')
    .execute();
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    remindedAt: row.reminded_at ?? 0,
  }));
}

/** Whether a reminder is this instance's to send: several see that it is due. */
export async function claimReminder(
  db: Transaction<Schema>,
  { subscriptionId, eventId, remindedAt }: ListedEvent,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('marquee_mail_mentions')
    .set({ reminded_at: at })
    .where('subscription_id', '=', subscriptionId)
    .where('event_id', '=', eventId)
    .where('reminded_at', '=', remindedAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Forgets events that are over, and everything about a reader once all of theirs are. */
export async function pruneReminders(
  db: Transaction<Schema>,
  snapshot: EventsSnapshot,
  toMailboxHash: (address: string) => string,
): Promise<void> {
  const listed = db.selectFrom('marquee_mail_mentions').where('reminded_at', 'is not', null);
  const mentions = db.deleteFrom('marquee_mail_mentions').where('reminded_at', 'is not', null);
  for (const { event_id: id } of await listed.select('event_id').distinct().execute()) {
    const event = findEvent(snapshot, id);
    const isPast = event === undefined ? await wasUntilBefore(db, id, snapshot.day) : isOver(event);
    if (isPast) await mentions.where('event_id', '=', id).execute();
  }
  const ended = await db
    .selectFrom('marquee_mail_subscriptions as reader')
    .select('id')
    .where('digest_at', '=', never)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('marquee_mail_mentions')
            .select('event_id')
            .whereRef('subscription_id', '=', 'reader.id')
            .where('reminded_at', 'is not', null),
        ),
      ),
    )
    .execute();
  for (const { id } of ended) await removeSubscription(db, id, toMailboxHash);
}

/** A row that cannot be read for a while is no event, but comes back. */
async function wasUntilBefore(
  db: Transaction<Schema>,
  eventId: string,
  today: string,
): Promise<boolean> {
  const mentions = await findMentionsOf(db, [eventId]);
  return mentions.every(({ facts }) => (facts.endDate ?? facts.startDate) < today);
}
