import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import type { CountedUsage } from './plan-balances.ts';

/** What is needed of a record to count it. */
export const countedColumns = [
  'key_id',
  'member_id',
  'group_name',
  'day',
  'tokens_in',
  'tokens_out',
  'cost_nano_usd',
] as const;

export type CountedRow = Pick<Selectable<Schema['marquee_usage']>, (typeof countedColumns)[number]>;

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

export function selectBalances(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_balances')
    .select(['account', 'day as period', 'tokens', 'nano_usd as nanoUsd']);
}

export function toCountedUsage(row: CountedRow): CountedUsage {
  return {
    keyId: row.key_id,
    memberId: row.member_id,
    groupName: row.group_name,
    day: row.day,
    tokens: row.tokens_in + row.tokens_out,
    nanoUsd: row.cost_nano_usd ?? 0,
  };
}
