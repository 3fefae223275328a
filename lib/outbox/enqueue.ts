import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { NewDelivery } from './delivery.ts';

/** SQLite takes 32,766 parameters in a statement; a delivery has 14. */
const rowsMax = 500;

/**
 * Writes deliveries in the transaction of what causes them: both are stored or neither. The outbox of this process
 * sends them as soon as it ends.
 * @returns their ids.
 */
export async function enqueue(
  db: Transaction<Schema>,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  // No sequence: transactions at the same time may share a position, later ones have higher ones.
  const { last } = await db
    .selectFrom('marquee_deliveries')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .executeTakeFirstOrThrow();
  const rows = deliveries.map(({ notBefore = 0, kind, target, payload }, index) => ({
    id: `msg_${randomBytes(18).toString('base64url')}`,
    kind,
    target,
    payload,
    position: (last ?? 0) + 1 + index,
    created_at: now,
    due_at: notBefore,
    attempts: 0,
  }));
  for (let from = 0; from < rows.length; from += rowsMax) {
    const some = rows.slice(from, from + rowsMax);
    await db.insertInto('marquee_deliveries').values(some).execute();
  }
  channels.deliveriesEnqueued.publish(null);
  return rows.map(({ id }) => id);
}

/**
 * Enqueues a delivery that says nothing but that there is something new: the same one that is late or waits for
 * a retry is replaced. One that is not due yet stays: else frequent changes would put it off for ever.
 */
export async function enqueueLatest(
  db: Transaction<Schema>,
  delivery: NewDelivery,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('marquee_deliveries')
    .where('kind', '=', delivery.kind)
    .where('target', '=', delivery.target)
    .where('payload', '=', delivery.payload)
    .where('due_at', 'is not', null)
    .where('lease_until', 'is', null)
    .where((row) => row.or([row('due_at', '<=', now), row('attempts', '>', 0)]))
    .execute();
  await enqueue(db, [delivery], now);
}
