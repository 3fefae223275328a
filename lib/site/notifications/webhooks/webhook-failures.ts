import type { Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';

export type Failure = Readonly<{
  /** Unix ms. */
  at: number;
  /** Whether the target says that it is no more. */
  isGone: boolean;
}>;

export type DisableReason = 'gone' | 'failing';

const dayMs = 86_400_000;
/** How long a series of failures may last. */
const failingMsMax = 5 * dayMs;
/** After a longer time without an attempt, another failure begins a new series: the longest retry waits a day. */
const seriesGapMs = 2 * dayMs;

/** Notes a failed attempt. Returns why the webhook is disabled from now on; null if it goes on. */
export async function noteFailure(
  db: Transaction<Schema>,
  id: string,
  { at, isGone }: Failure,
): Promise<DisableReason | null> {
  const row = await db
    .updateTable('marquee_webhooks')
    .set((webhook) => ({
      failing_since: webhook
        .case()
        .when(webhook('failed_at', '>', at - seriesGapMs))
        .then(webhook.ref('failing_since'))
        .else(at)
        .end(),
      failed_at: at,
    }))
    .where('id', '=', id)
    .where('state', '=', 'active')
    .returning('failing_since')
    .executeTakeFirst();
  if (row === undefined) return null;
  const isTooLong = at - (row.failing_since ?? at) >= failingMsMax;
  if (!isGone && !isTooLong) return null;
  const webhook = db.updateTable('marquee_webhooks').where('id', '=', id);
  await webhook.set({ state: 'disabled' }).execute();
  return isGone ? 'gone' : 'failing';
}
