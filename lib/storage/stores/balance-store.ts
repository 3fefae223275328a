import { type Drift, findDrift } from '#lib/budgets/find-drift.ts';
import type { Balance } from '#lib/budgets/plan.ts';
import type { RunQuery } from '../schema.ts';
import { lockBalances, toCountedUsage } from './count-usage.ts';

export type BalanceStore = Readonly<{
  /** Zero if it has used nothing. */
  find: (account: string, period: string) => Promise<Balance>;
  /** Of several accounts and periods; those with usage. */
  findAll: (accounts: readonly string[], periods: readonly string[]) => Promise<Balance[]>;
  /** Of all accounts that have used something, by account. */
  list: (period: string) => Promise<Balance[]>;
  /** Recomputes all of them from the usage; those that differ. */
  audit: () => Promise<Drift[]>;
}>;

export function createBalanceStore(run: RunQuery): BalanceStore {
  const findAll = (accounts: readonly string[], periods: readonly string[]) =>
    run((db) =>
      db
        .selectFrom('marquee_balances')
        .select(['account', 'period', 'tokens', 'nano_usd as nanoUsd'])
        .where('account', 'in', accounts)
        .where('period', 'in', periods)
        .execute(),
    );
  return {
    findAll,
    async find(account, period) {
      const [balance] = await findAll([account], [period]);
      return balance ?? { account, period, tokens: 0, nanoUsd: 0 };
    },
    list: (period) =>
      run((db) =>
        db
          .selectFrom('marquee_balances')
          .select(['account', 'period', 'tokens', 'nano_usd as nanoUsd'])
          .where('period', '=', period)
          .orderBy('account')
          .execute(),
      ),
    audit: () =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          await lockBalances(transaction);
          const pruned = transaction.selectFrom('marquee_usage_pruned').select('before_day');
          const { before_day: prunedBefore } = await pruned.executeTakeFirstOrThrow();
          const usage = await transaction
            .selectFrom('marquee_usage')
            .select(({ fn }) => [
              ...(['key_id', 'member_id', 'group_name', 'day'] as const),
              fn.sum<number>('tokens_in').as('tokens_in'),
              fn.sum<number>('tokens_out').as('tokens_out'),
              fn.sum<number | null>('cost_nano_usd').as('cost_nano_usd'),
            ])
            .where('is_counted', '=', 1)
            .groupBy(['key_id', 'member_id', 'group_name', 'day'])
            .execute();
          const balances = await transaction
            .selectFrom('marquee_balances')
            .select(['account', 'period', 'tokens', 'nano_usd as nanoUsd'])
            .execute();
          return findDrift({ usage: usage.map(toCountedUsage), balances, prunedBefore });
        }),
      ),
  };
}
