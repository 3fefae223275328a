import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { type Balance, type CountedUsage, planBalances, toChanges } from './plan-balances.ts';

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

type CountedRow = Pick<Selectable<Schema['marquee_usage']>, (typeof countedColumns)[number]>;

/** The first statement of every transaction that writes usage: they run one after the other, so none deadlocks. */
export async function lockBalances(db: Transaction<Schema>): Promise<void> {
  await db
    .updateTable('marquee_usage_pruned')
    .set((value) => ({ before_day: value.ref('before_day') }))
    .execute();
}

/** Adds usage to the balances, in the transaction that marks it as counted. Needs `lockBalances`. */
export async function countUsage(
  db: Transaction<Schema>,
  rows: readonly CountedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const changes = toChanges(rows.map(toCountedUsage));
  const known = await selectBalances(db)
    .where('account', 'in', [...new Set(changes.map(({ account }) => account))])
    .where('period', 'in', [...new Set(changes.map(({ period }) => period))])
    .execute();
  await db
    .insertInto('marquee_balances')
    .values(plan(changes, known).map(({ nanoUsd, ...one }) => ({ ...one, nano_usd: nanoUsd })))
    .onConflict((on) =>
      on.columns(['account', 'period']).doUpdateSet((update) => ({
        tokens: update.ref('excluded.tokens'),
        nano_usd: update.ref('excluded.nano_usd'),
      })),
    )
    .execute();
}

export function selectBalances(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_balances')
    .select(['account', 'period', 'tokens', 'nano_usd as nanoUsd']);
}

function plan(changes: readonly Balance[], known: readonly Balance[]): Balance[] {
  try {
    return planBalances(changes, known);
  } catch (cause) {
    const message = 'The balances do not add up: run `npm run doctor -- --books`.';
    throw new StorageError(message, { code: 'BALANCES', cause });
  }
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
