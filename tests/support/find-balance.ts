import type { Database } from '#lib/database.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';

/** Zero if the account has used nothing in the period (`YYYY-MM-DD`, `YYYY-MM`). */
export async function findBalance(
  { balances }: Pick<Database, 'balances'>,
  account: string,
  period: string,
): Promise<Balance> {
  const [firstDay, lastDay] =
    period.length === 7 ? [`${period}-01`, `${period}-31`] : [period, period];
  const sum = { account, period, tokens: 0, nanoUsd: 0 };
  for (const { tokens, nanoUsd } of await balances.find([account], { firstDay, lastDay })) {
    sum.tokens += tokens;
    sum.nanoUsd += nanoUsd;
  }
  return sum;
}
