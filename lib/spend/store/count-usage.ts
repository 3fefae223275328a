import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { type CountedUsage, isSaturated, planBalances, toChanges, toKey } from './plan-balances.ts';

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

/** The first statement of every transaction that writes usage: they run one after the other, so none deadlocks. */
export async function lockBalances(db: Transaction<Schema>): Promise<void> {
  await db
    .updateTable('marquee_usage_pruned')
    .set((value) => ({ before_day: value.ref('before_day') }))
    .execute();
}

/**
 * Adds usage to the balances, in the transaction that marks it as counted. Needs `lockBalances`.
 * @returns the balances that have reached their bound by it, as `ACCOUNT DAY`.
 */
export async function countUsage(
  db: Transaction<Schema>,
  usage: readonly CountedUsage[],
): Promise<string[]> {
  if (usage.length === 0) return [];
  const changes = toChanges(usage.map(requireAmounts));
  const balances = await selectBalances(db)
    .where('account', 'in', [...new Set(changes.map(({ account }) => account))])
    .where('day', 'in', [...new Set(changes.map(({ period }) => period))])
    .execute();
  const planned = planBalances(changes, balances);
  await db
    .insertInto('marquee_balances')
    .values(
      planned.map(({ account, period, tokens, nanoUsd }) => ({
        account,
        day: period,
        tokens,
        nano_usd: nanoUsd,
      })),
    )
    .onConflict((on) =>
      on.columns(['account', 'day']).doUpdateSet((update) => ({
        tokens: update.ref('excluded.tokens'),
        nano_usd: update.ref('excluded.nano_usd'),
      })),
    )
    .execute();
  const saturatedBefore = new Set(balances.filter(isSaturated).map(toKey));
  return planned
    .filter(isSaturated)
    .map(toKey)
    .filter((key) => !saturatedBefore.has(key));
}

/** @throws StorageError for a record that no sum may contain. */
function requireAmounts(usage: CountedUsage): CountedUsage {
  if (Number.isSafeInteger(usage.tokens) && Number.isSafeInteger(usage.nanoUsd)) return usage;
  throw new StorageError('A usage record has amounts that are no whole numbers.', {
    code: 'AMOUNTS',
  });
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

/** What takes a request out of the balances again. */
export function toCorrection(usage: CountedUsage): CountedUsage {
  return { ...usage, tokens: -usage.tokens, nanoUsd: -usage.nanoUsd };
}
