import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { findNextDigest } from '../digest/plan-digest.ts';
import {
  defaultTime,
  type MailSettings,
  mailSettingsSchema,
  type ReminderList,
  reminderListSchema,
} from './mail-settings.ts';

/** Who gets a digest, reminders, or both. Times are Unix ms. */
export type Subscription = MailSettings &
  Readonly<{ id: string; address: string; since: number; digestAt: number; rejections: number }>;

export type Confirmation = Readonly<{
  id: string;
  address: string;
  settings: MailSettings | ReminderList;
  isConfirmed: boolean;
}>;

/** When the digest of somebody is due who gets none. */
export const never = Number.MAX_SAFE_INTEGER;

export function hasDigest({ digestAt }: Pick<Subscription, 'digestAt'>): boolean {
  return digestAt !== never;
}

const dayMs = 86_400_000;
/** How long the link of a confirmation works. */
const confirmWithinMs = 2 * dayMs;
const countedMs = 30 * dayMs;
/** How many confirmations that nobody follows a mailbox gets, at most one a day, before they pause. */
const unconfirmedMax = 5;
/** A relay refuses an address twice before it is removed. */
const rejectionsMax = 2;

const address = z.string();
const storedSettings = z
  .union([mailSettingsSchema.extend({ address }), reminderListSchema.extend({ address })])
  .nullable();

type NewConfirmation = Readonly<{
  /** A keyed hash. */
  mailbox: string;
  id: string;
  address: string;
  settings: MailSettings | ReminderList;
}>;

/** Stores what somebody asked for, unless the mailbox has just been sent a confirmation: false then. */
export async function insertConfirmation(
  db: Transaction<Schema>,
  { mailbox, id, address, settings }: NewConfirmation,
  now: number,
): Promise<boolean> {
  const row = { id, settings: JSON.stringify({ ...settings, address }), sent_at: now };
  const inserted = await db
    .insertInto('marquee_mail_confirmations')
    .values({ mailbox, ...row, count: 1, confirmed_at: null })
    .onConflict((on) =>
      on
        .column('mailbox')
        .doUpdateSet({
          ...row,
          confirmed_at: null,
          count: sql<number>`marquee_mail_confirmations.count + 1`,
        })
        .where('marquee_mail_confirmations.sent_at', '<=', now - dayMs)
        .where('marquee_mail_confirmations.count', '<', unconfirmedMax),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Null once its link has expired. */
export async function findConfirmation(
  db: Kysely<Schema>,
  id: string,
  now: number,
): Promise<Confirmation | null> {
  const row = await db
    .selectFrom('marquee_mail_confirmations')
    .selectAll()
    .where('id', '=', id)
    .where('sent_at', '>', now - confirmWithinMs)
    .executeTakeFirst();
  const stored = readStored(storedSettings, row?.settings ?? 'null', null);
  if (row === undefined || stored === null) return null;
  const { address, ...settings } = stored;
  return { id, address, settings, isConfirmed: row.confirmed_at !== null };
}

/** Begins a subscription, or gives the one of the address new settings; the same again for a second click. */
export async function confirmSubscription(
  db: Transaction<Schema>,
  { id, address, settings, isConfirmed }: Confirmation,
  now: number,
): Promise<Subscription> {
  const known = await findWhere(db, 'address', address);
  if (known !== null && isConfirmed) return known;
  const confirmations = db.updateTable('marquee_mail_confirmations').where('id', '=', id);
  await confirmations.set({ confirmed_at: now, count: 0 }).execute();
  const digest = 'eventIds' in settings ? null : settings;
  if (known !== null) {
    return (digest && (await changeSubscription(db, known, digest, now))) ?? known;
  }
  const row = {
    address,
    ...(digest === null ? noDigest : toColumns(digest, now)),
    since: now,
    rejections: 0,
  };
  const stored = await db
    .insertInto('marquee_mail_subscriptions')
    .values({ id, ...row })
    .onConflict((on) => on.column('address').doUpdateSet(digest === null ? { address } : row))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSubscription(stored);
}

/** With other filters, events count as new from now on. Null if it has ended. */
export async function changeSubscription(
  db: Kysely<Schema>,
  before: Subscription,
  settings: MailSettings,
  now: number,
): Promise<Subscription | null> {
  const isSame = hasDigest(before) && settings.filters === before.filters;
  const since = isSame ? before.since : now;
  const row = await db
    .updateTable('marquee_mail_subscriptions')
    .set({ ...toColumns(settings, now), since, rejections: 0 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/** Removes all that is stored of a subscription. False if it has ended before. */
export async function removeSubscription(
  db: Transaction<Schema>,
  id: string,
  toMailboxHash: (address: string) => string,
): Promise<boolean> {
  const removed = await db
    .deleteFrom('marquee_mail_subscriptions')
    .where('id', '=', id)
    .returning('address')
    .executeTakeFirst();
  await db.deleteFrom('marquee_mail_mentions').where('subscription_id', '=', id).execute();
  if (removed === undefined) return false;
  const mailbox = toMailboxHash(removed.address);
  await db.deleteFrom('marquee_mail_confirmations').where('mailbox', '=', mailbox).execute();
  return true;
}

export function findSubscription(db: Kysely<Schema>, id: string): Promise<Subscription | null> {
  return findWhere(db, 'id', id);
}

export async function hasSubscriptions(db: Kysely<Schema>): Promise<boolean> {
  const any = db.selectFrom('marquee_mail_subscriptions').select('id').limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** Those whose digest is due, the longest waiting first, in an order that all instances lock them in. */
export async function listDue(
  db: Kysely<Schema>,
  now: number,
  limit: number,
): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('marquee_mail_subscriptions')
    .selectAll()
    .where('digest_at', '<=', now)
    .orderBy('digest_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toSubscription);
}

/** Whether a digest is this instance's to plan: several see that it is due. */
export async function claimDigest(
  db: Transaction<Schema>,
  { id, digestAt }: Subscription,
  nextAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('marquee_mail_subscriptions')
    .set({ digest_at: nextAt })
    .where('id', '=', id)
    .where('digest_at', '=', digestAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Counts that the relay refused an address. True if that was once too often. */
export async function countRejection(db: Transaction<Schema>, id: string): Promise<boolean> {
  const row = await db
    .updateTable('marquee_mail_subscriptions')
    .set({ rejections: sql<number>`rejections + 1` })
    .where('id', '=', id)
    .returning('rejections')
    .executeTakeFirst();
  return row !== undefined && row.rejections >= rejectionsMax;
}

/** Locks the subscription until the transaction ends. False if it has ended. */
export async function clearRejections(db: Transaction<Schema>, id: string): Promise<boolean> {
  const subscriptions = db.updateTable('marquee_mail_subscriptions').set({ rejections: 0 });
  const { numUpdatedRows } = await subscriptions.where('id', '=', id).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Forgets addresses that nobody has confirmed, and later that they were ever written to. */
export async function pruneConfirmations(db: Kysely<Schema>, now: number): Promise<void> {
  const expired = db.updateTable('marquee_mail_confirmations').set({ settings: null });
  await expired.where('sent_at', '<=', now - confirmWithinMs).execute();
  const old = db.deleteFrom('marquee_mail_confirmations');
  await old.where('sent_at', '<=', now - countedMs).execute();
}

async function findWhere(db: Kysely<Schema>, column: 'id' | 'address', value: string) {
  const row = await db
    .selectFrom('marquee_mail_subscriptions')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

const noDigest = { filters: '', ...defaultTime, time_zone: 'UTC', digest_at: never };

function toColumns(settings: MailSettings, now: number) {
  const { filters, weekday, hour, timeZone } = settings;
  return {
    filters,
    weekday,
    hour,
    time_zone: timeZone,
    digest_at: findNextDigest(settings, now),
  };
}

function toSubscription(row: Selectable<Schema['marquee_mail_subscriptions']>): Subscription {
  const { id, address, filters, weekday, hour, since, rejections } = row;
  const times = { timeZone: row.time_zone, digestAt: row.digest_at };
  return { id, address, filters, weekday, hour, since, rejections, ...times };
}
