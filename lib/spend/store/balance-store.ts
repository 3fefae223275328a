import type { RunQuery } from '#lib/storage/schema.ts';
import { lockBalances, selectBalances, toCountedUsage } from './count-usage.ts';
import { type Drift, findDrift } from './find-drift.ts';
import type { Balance } from './plan-balances.ts';
import { sumOf } from './usage-sums.ts';

export type BalanceStore = Readonly<{
  /** Of several accounts and periods; those with usage. */
  find: (accounts: readonly string[], periods: readonly string[]) => Promise<Balance[]>;
  /** Of several accounts, in all periods. */
  listOf: (accounts: readonly string[]) => Promise<Balance[]>;
  /** Of all accounts that have used something, by account. */
  list: (period: string) => Promise<Balance[]>;
  /** Recomputes all of them from the usage; those that differ. */
  audit: () => Promise<Drift[]>;
}>;

export function createBalanceStore(run: RunQuery): BalanceStore {
  return {
    find: (accounts, periods) =>
      run((db) =>
        selectBalances(db)
          .where('account', 'in', accounts)
          .where('period', 'in', periods)
          .execute(),
      ),
    listOf: (accounts) =>
      run((db) =>
        selectBalances(db)
          .where('account', 'in', accounts)
          .orderBy('account')
          .orderBy('period')
          .execute(),
      ),
    list: (period) =>
      run((db) => selectBalances(db).where('period', '=', period).orderBy('account').execute()),
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
