import type { Transaction } from 'kysely';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { type Claim, claimDeliveries, hasDue } from './claim-deliveries.ts';
import type { Delivery, DeliveryKind, DeliveryRow, NewDelivery } from './delivery.ts';
import { enqueue } from './enqueue.ts';

/** An attempt that has ended. */
type EndedAttempt = Readonly<{
  attemptedAt: number;
  durationMs: number;
  result: string;
  /** When the next one may start; null: there will be none. */
  retryAt: number | null;
  outcome: 'delivered' | 'given-up' | null;
  /** How many finished deliveries of its target stay. */
  finishedMax: number;
}>;

/** Deliveries of a kind that were due some time ago. */
export type LateDeliveries = Readonly<{
  kind: DeliveryKind;
  count: number;
  /** When the first was enqueued, Unix ms. */
  firstAt: number;
}>;

export type DeliveryStore = Readonly<{
  /** Leases deliveries that are due, at most one for each target that has none under way. */
  claim: (claim: Claim) => Promise<Delivery[]>;
  /** Writes the end of an attempt, unless its lease was lost to another outbox. */
  end: (delivery: Delivery, owner: string, attempt: EndedAttempt) => Promise<void>;
  /** Gives up leases: the attempts were broken off, and others may start over. */
  release: (owner: string) => Promise<void>;
  /** Enqueues by itself: what causes the deliveries changes nothing else. */
  add: (deliveries: readonly NewDelivery[], now: number) => Promise<void>;
  /** Starts a finished delivery of a target over, under its id. False if there is none. */
  sendAgain: (id: string, target: string) => Promise<boolean>;
  /** The newest of a target first, waiting and finished. */
  list: (target: string, limit: number) => Promise<DeliveryRow[]>;
  /** How many wait, for a retry or because they are under way, too. */
  countWaiting: () => Promise<Record<DeliveryKind, number>>;
  /** Those that were due before a time (Unix ms) and are not delivered yet; of each kind that has any. */
  listLate: (before: number) => Promise<LateDeliveries[]>;
  /** Deletes those that have waited since before a time; returns how many. */
  prune: (createdBefore: number) => Promise<number>;
}>;

export function createDeliveryStore(run: RunQuery, transact: RunTransaction): DeliveryStore {
  return {
    async claim(claim) {
      // Most of the time nothing is due, and nothing is locked.
      if (!(await run((db) => hasDue(db, claim)))) return [];
      return transact((db) => claimDeliveries(db, claim));
    },
    end: (delivery, owner, attempt) => transact((db) => endAttempt(db, delivery, owner, attempt)),
    release: (owner) =>
      run(async (db) => {
        await db
          .updateTable('marquee_deliveries')
          .set({ lease_owner: null, lease_until: null })
          .where('lease_until', 'is not', null)
          .where('lease_owner', '=', owner)
          .execute();
      }),
    async add(deliveries, now) {
      await transact((db) => enqueue(db, deliveries, now));
    },
    sendAgain: (id, target) =>
      run(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('marquee_deliveries')
          .set({ due_at: 0, attempts: 0, outcome: null })
          .where('id', '=', id)
          .where('target', '=', target)
          .where('due_at', 'is', null)
          .executeTakeFirstOrThrow();
        channels.deliveriesEnqueued.publish(null);
        return numUpdatedRows === 1n;
      }),
    list: (target, limit) =>
      run((db) =>
        db
          .selectFrom('marquee_deliveries')
          .selectAll()
          .where('target', '=', target)
          .orderBy('position', 'desc')
          .limit(limit)
          .execute(),
      ),
    countWaiting: () =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_deliveries')
          .select(['kind', ({ fn }) => fn.countAll<number | string>().as('count')])
          .where('due_at', 'is not', null)
          .groupBy('kind')
          .execute();
        const countOf = (kind: DeliveryKind) =>
          Number(rows.find((row) => row.kind === kind)?.count ?? 0);
        return { webhook: countOf('webhook'), ping: countOf('ping'), mail: countOf('mail') };
      }),
    listLate: (before) =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_deliveries')
          .select(({ fn }) => [
            'kind',
            fn.countAll<number>().as('count'),
            fn.min<number>('created_at').as('firstAt'),
          ])
          .where('due_at', 'is not', null)
          .where('created_at', '<', before)
          // What has failed waits for its next attempt.
          .where((row) => row.or([row('due_at', '<', before), row('attempts', '>', 0)]))
          .groupBy('kind')
          .execute();
        // No others are enqueued.
        return rows.map((row) => ({ ...row, kind: row.kind as DeliveryKind }));
      }),
    prune: (createdBefore) =>
      run(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('marquee_deliveries')
          .where('due_at', 'is not', null)
          .where('due_at', '<', createdBefore)
          .where('created_at', '<', createdBefore)
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

async function endAttempt(
  db: Transaction<Schema>,
  { id, target, attempt }: Delivery,
  owner: string,
  { attemptedAt, durationMs, result, retryAt, outcome, finishedMax }: EndedAttempt,
): Promise<void> {
  const isLast = retryAt === null;
  const { numUpdatedRows } = await db
    .updateTable('marquee_deliveries')
    .set({
      attempts: attempt,
      attempted_at: attemptedAt,
      duration_ms: durationMs,
      result,
      outcome,
      due_at: retryAt,
      lease_owner: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirstOrThrow();
  if (!isLast || numUpdatedRows === 0n) return;
  const finished = db
    .selectFrom('marquee_deliveries')
    .select('id')
    .where('target', '=', target)
    .where('due_at', 'is', null);
  await db
    .deleteFrom('marquee_deliveries')
    .where('target', '=', target)
    .where('due_at', 'is', null)
    .where('id', 'not in', finished.orderBy('position', 'desc').limit(finishedMax))
    .execute();
}
