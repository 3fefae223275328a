import type { Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';

/**
 * The lock of the ledger, for transactions that write usage without it: they take it first. With SQLite every
 * transaction has the lock of the file.
 */
export async function lockBalances(db: Transaction<Schema>): Promise<void> {
  await db
    .updateTable('marquee_usage_pruned')
    .set((value) => ({ before_day: value.ref('before_day') }))
    .execute();
}
