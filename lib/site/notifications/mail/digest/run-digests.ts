import type { Kysely, Transaction } from 'kysely';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { toMailDelivery } from '../mail-delivery.ts';
import {
  claimDigest,
  listDue,
  pruneConfirmations,
  type Subscription,
} from '../subscribing/subscription-store.ts';
import { findMentions, pruneMentions, saveMention, toMailedFacts } from './mention-store.ts';
import { findNextDigest, planDigest } from './plan-digest.ts';

export type Digests = Readonly<{
  /** Plans the digests that are due. @returns how many mails were enqueued. */
  run: () => Promise<number>;
  /** Does so by itself. */
  start: () => void;
  close: () => void;
}>;

type DigestParts = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  readClock: () => Promise<number>;
  /** The events as they are now. */
  loadEvents: () => Promise<EventsSnapshot>;
}>;

const batchMax = 50;
const everyMs = 30_000;
const pruneEveryMs = 3_600_000;

export function createDigests(parts: DigestParts & Readonly<{ log: Log }>): Digests {
  const { run, readClock, log } = parts;
  let timer: NodeJS.Timeout | undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneEveryMs) return;
    const now = await readClock();
    await run((db) => pruneMail(db, now));
    prunedAt = performance.now();
  }

  const tick = createRepeatedTask(
    async () => {
      await runDigests(parts);
      await prune();
    },
    (error) => log.warn(toLogFields(error), 'digests are not planned yet'),
  );

  return {
    run: () => runDigests(parts),
    start() {
      timer ??= setInterval(() => void tick(), everyMs).unref();
    },
    close() {
      clearInterval(timer);
    },
  };
}

/** Plans all digests that are due, and enqueues their mails. @returns how many mails. */
export async function runDigests(parts: DigestParts): Promise<number> {
  const { run, transact, readClock, loadEvents } = parts;
  const now = await readClock();
  let mails = 0;
  for (;;) {
    const due = await run((db) => listDue(db, now, batchMax));
    if (due.length === 0) return mails;
    const snapshot = await loadEvents();
    for (const subscription of due) {
      if (await transact((db) => enqueueDigest(db, subscription, snapshot, now))) mails += 1;
    }
  }
}

/** Forgets what need not be known any more. */
export async function pruneMail(db: Kysely<Schema>, now: number): Promise<void> {
  await pruneConfirmations(db, now);
  await pruneMentions(db, now);
}

async function enqueueDigest(
  db: Transaction<Schema>,
  subscription: Subscription,
  snapshot: EventsSnapshot,
  now: number,
): Promise<boolean> {
  const { id, timeZone, since } = subscription;
  const next = findNextDigest(subscription, now);
  if (!(await claimDigest(db, subscription, next))) return false;
  const mentions = await findMentions(db, id);
  const mentioned = new Map([...mentions].map(([eventId, { reasons }]) => [eventId, reasons]));
  const { query: filters } = parsePageQuery('subscribe', subscription.filters);
  const entries = planDigest({ filters, timeZone, since, mentioned }, snapshot, { now, next });
  if (entries.length === 0) return false;
  for (const { event, reasons } of entries) {
    const before = mentions.get(event.id);
    const mention = {
      subscriptionId: id,
      eventId: event.id,
      reasons: [...(before?.reasons ?? []), ...reasons],
      facts: toMailedFacts(event),
      moves: before?.moves ?? 0,
    };
    await saveMention(db, mention, now);
  }
  const isFresh = ({ reasons }: (typeof entries)[number]) => reasons.includes('new');
  const payload = {
    type: 'digest' as const,
    id,
    fresh: entries.filter(isFresh).map(({ event }) => event.id),
    reminders: entries.filter((entry) => !isFresh(entry)).map(({ event }) => event.id),
  };
  await enqueue(db, [toMailDelivery(payload)], now);
  return true;
}
