import type { Database } from '#lib/database.ts';
import type { Balance } from '#lib/spend/store/plan-balances.ts';

/** Zero if the account has used nothing in the period (`YYYY-MM-DD`, `YYYY-MM`). */
export async function findBalance(
  { balances }: Pick<Database, 'balances'>,
  account: string,
  period: string,
): Promise<Balance> {
  const [balance] = await balances.find([account], [period]);
  return balance ?? { account, period, tokens: 0, nanoUsd: 0 };
}
