import { type Kysely, sql } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type AccountLimit, type AccountUse, type Span, toSpan } from '../budgets.ts';
import type { DayRange } from '../periods.ts';
import { lockBalances, selectBalances, toCountedUsage } from './count-usage.ts';
import { type Drift, findDrift } from './find-drift.ts';
import { addAmounts, type Balance, sortBalances, toKey } from './plan-balances.ts';
import { sumOf } from './usage-sums.ts';

export type BalanceStore = Readonly<{
  /** Of several accounts, by day; those with usage. */
  find: (accounts: readonly string[], days: DayRange) => Promise<Balance[]>;
  /** Of several accounts, all months and days. */
  listOf: (accounts: readonly string[]) => Promise<Balance[]>;
  /** What is used and reserved of each limit in its period that contains a day (UTC), in their order. */
  readUses: (limits: readonly AccountLimit[], day: string) => Promise<AccountUse[]>;
  /** Recomputes all of them from the usage; those that differ. */
  audit: () => Promise<Drift[]>;
}>;

export function createBalanceStore(run: RunQuery): BalanceStore {
  return {
    find: (accounts, { firstDay, lastDay }) =>
      run((db) =>
        selectBalances(db)
          .where('account', 'in', accounts)
          .where('day', '>=', firstDay)
          .where('day', '<=', lastDay)
          .execute(),
      ),
    listOf: (accounts) =>
      run(async (db) => {
        const days = await selectBalances(db).where('account', 'in', accounts).execute();
        return sortBalances([...sumByMonth(days), ...days]);
      }),
    readUses: (limits, day) =>
      run((db) => Promise.all(limits.map((limit) => selectUse(db, toSpan(limit, day))))),
    audit: () =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          await lockBalances(transaction);
          const pruned = transaction.selectFrom('marquee_usage_pruned').select('before_day');
          const { before_day: prunedBefore } = await pruned.executeTakeFirstOrThrow();
          const usage = await transaction
            .selectFrom('marquee_usage')
            .select([
              'key_id',
              'member_id',
              'group_name',
              'day',
              sumOf('tokens_in').as('tokens_in'),
              sumOf('tokens_out').as('tokens_out'),
              sumOf('cost_nano_usd').as('cost_nano_usd'),
            ])
            .where('is_counted', '=', 1)
            .groupBy(['key_id', 'member_id', 'group_name', 'day'])
            .execute();
          const balances = await selectBalances(transaction).execute();
          return findDrift({ usage: usage.map(toCountedUsage), balances, prunedBefore });
        }),
      ),
  };
}

function selectUse(db: Kysely<Schema>, { account, firstDay, lastDay }: Span): Promise<AccountUse> {
  const sum = (column: Parameters<typeof sumOf>[0]) => sql<number>`coalesce(${sumOf(column)}, 0)`;
  return db
    .selectFrom('marquee_balances')
    .select([
      sum('tokens').as('tokens'),
      sum('nano_usd').as('nanoUsd'),
      sum('reserved_tokens').as('reservedTokens'),
      sum('reserved_nano_usd').as('reservedNanoUsd'),
    ])
    .where('account', '=', account)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .executeTakeFirstOrThrow();
}

function sumByMonth(days: readonly Balance[]): Balance[] {
  const months = new Map<string, Balance>();
  for (const { account, period: day, tokens, nanoUsd } of days) {
    const period = day.slice(0, 7);
    const key = toKey({ account, period });
    const sum = months.get(key);
    months.set(key, {
      account,
      period,
      tokens: addAmounts(sum?.tokens ?? 0, tokens),
      nanoUsd: addAmounts(sum?.nanoUsd ?? 0, nanoUsd),
    });
  }
  return [...months.values()];
}
