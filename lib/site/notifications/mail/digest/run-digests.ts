import type { Kysely, Transaction } from 'kysely';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { repeatInTurns } from '#lib/storage/repeat-in-turns.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { toMailDelivery } from '../mail-delivery.ts';
import { pruneReminders } from '../reminders/reminder-store.ts';
import { runReminders } from '../reminders/run-reminders.ts';
import {
  claimDigest,
  hasSubscriptions,
  listDue,
  pruneConfirmations,
  type Subscription,
} from '../subscribing/subscription-store.ts';
import {
  findMentioned,
  type Mention,
  pruneMentions,
  saveMentions,
  toMailedFacts,
} from './mention-store.ts';
import { type DigestEntry, DigestPlanner } from './plan-digest.ts';

export type Digests = Readonly<{
  /** Plans the digests and reminders that are due. @returns how many mails were enqueued. */
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

type PlanParts = DigestParts &
  Readonly<{
    /** Of the site. */
    timeZone: string;
    toMailboxHash: (address: string) => string;
    log: Log;
  }>;

/** Readers of a transaction: others wait for it some ten ms. */
const batchMax = 10;
const everyMs = 30_000;
const pruneEveryMs = 3_600_000;

export function createDigests(parts: PlanParts): Digests {
  const { run, transact, readClock, loadEvents, toMailboxHash, log } = parts;
  let timer: NodeJS.Timeout | undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneEveryMs) return;
    const now = await readClock();
    await run((db) => pruneMail(db, now));
    if (await run(hasSubscriptions)) {
      const snapshot = await loadEvents();
      await transact((db) => pruneReminders(db, snapshot, toMailboxHash));
    }
    prunedAt = performance.now();
  }

  const tick = createRepeatedTask(
    async () => {
      await runDigests(parts);
      await runReminders(parts);
      await prune();
    },
    (error) => log.warn(toLogFields(error), 'digests are not planned yet'),
    (failedMs) => log.info({ seconds: Math.round(failedMs / 1000) }, 'digests are planned again'),
  );

  return {
    run: async () => (await runDigests(parts)) + (await runReminders(parts)),
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
  let planner: DigestPlanner | null = null;
  await repeatInTurns(async () => {
    const due = await run((db) => listDue(db, now, batchMax));
    if (due.length === 0) return false;
    const snapshot = await loadEvents();
    if (planner?.snapshot !== snapshot) planner = new DigestPlanner(snapshot, now);
    const batch = { due, planner, now };
    mails += await transact((db) => enqueueDigests(db, batch));
    return true;
  });
  return mails;
}

/** Forgets what need not be known any more. */
export async function pruneMail(db: Kysely<Schema>, now: number): Promise<void> {
  await pruneConfirmations(db, now);
  await pruneMentions(db, now);
}

type DueDigests = Readonly<{
  due: readonly Subscription[];
  planner: DigestPlanner;
  now: number;
}>;

async function enqueueDigests(
  db: Transaction<Schema>,
  { due, planner, now }: DueDigests,
): Promise<number> {
  const claimed: Subscription[] = [];
  for (const subscription of due) {
    if (await claimDigest(db, subscription, planner.findNext(subscription))) {
      claimed.push(subscription);
    }
  }
  const mentionsOf = await findMentioned(
    db,
    claimed.map(({ id }) => id),
  );
  const mentions: Mention[] = [];
  const deliveries: NewDelivery[] = [];
  for (const subscription of claimed) {
    const { id } = subscription;
    const before = mentionsOf.get(id) ?? new Map();
    const mentioned = new Map([...before].map(([eventId, { reasons }]) => [eventId, reasons]));
    const entries = planner.plan({ ...subscription, mentioned }, planner.findNext(subscription));
    if (entries.length === 0) continue;
    for (const { event, reasons } of entries) {
      const known = before.get(event.id);
      mentions.push({
        subscriptionId: id,
        eventId: event.id,
        reasons: [...(known?.reasons ?? []), ...reasons],
        facts: toMailedFacts(event),
        moves: known?.moves ?? 0,
      });
    }
    deliveries.push(toDigestDelivery(id, entries));
  }
  await saveMentions(db, mentions, now);
  await enqueue(db, deliveries, now);
  return deliveries.length;
}

function toDigestDelivery(id: string, entries: readonly DigestEntry[]): NewDelivery {
  const isFresh = ({ reasons }: DigestEntry) => reasons.includes('new');
  return toMailDelivery({
    type: 'digest',
    id,
    fresh: entries.filter(isFresh).map(({ event }) => event.id),
    reminders: entries.filter((entry) => !isFresh(entry)).map(({ event }) => event.id),
  });
}
