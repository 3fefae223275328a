import type { RunQuery } from './schema.ts';

/** What an account has used in a period: requests that have ended. */
export type Balance = Readonly<{
  /** `key:ID`, `member:ID`, `group:NAME` or `all`. */
  account: string;
  /** A day `YYYY-MM-DD` or a month `YYYY-MM`, in UTC. */
  period: string;
  /** Input and output together. */
  tokens: number;
  nanoUsd: number;
}>;

export type BalanceStore = Readonly<{
  /** Zero if it has used nothing. */
  find: (account: string, period: string) => Promise<Balance>;
  /** Of all accounts that have used something, by account. */
  list: (period: string) => Promise<Balance[]>;
}>;

export function createBalanceStore(run: RunQuery): BalanceStore {
  return {
    find: (account, period) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_balances')
          .select(['tokens', 'nano_usd'])
          .where('account', '=', account)
          .where('period', '=', period)
          .executeTakeFirst();
        return { account, period, tokens: row?.tokens ?? 0, nanoUsd: row?.nano_usd ?? 0 };
      }),
    list: (period) =>
      run((db) =>
        db
          .selectFrom('marquee_balances')
          .select(['account', 'period', 'tokens', 'nano_usd as nanoUsd'])
          .where('period', '=', period)
          .orderBy('account')
          .execute(),
      ),
  };
}
