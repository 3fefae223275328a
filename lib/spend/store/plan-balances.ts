import { type Payer, toAccounts } from '../budgets.ts';

/** What an account has used in a period: requests that have ended. */
export type Balance = Readonly<{
  /** `key:ID`, `member:ID`, `group:NAME` or `all`. */
  account: string;
  /** A day `YYYY-MM-DD` or a month `YYYY-MM`, in UTC: a month is the sum of its days. */
  period: string;
  /** Input and output together. */
  tokens: number;
  nanoUsd: number;
}>;

/** Usage of one day: of one request, or a sum of several; negative where a request is corrected. */
export type CountedUsage = Payer & Readonly<{ day: string; tokens: number; nanoUsd: number }>;

/** What usage adds to the balances of days, in the order of accounts and days. */
export function toChanges(usage: readonly CountedUsage[]): Balance[] {
  const changes = new Map<string, Balance>();
  for (const { day, tokens, nanoUsd, ...payer } of usage) {
    for (const account of toAccounts(payer)) {
      const key = toKey({ account, period: day });
      const before = changes.get(key) ?? { account, period: day, tokens: 0, nanoUsd: 0 };
      changes.set(key, {
        account,
        period: day,
        tokens: addAmounts(before.tokens, tokens),
        nanoUsd: addAmounts(before.nanoUsd, nanoUsd),
      });
    }
  }
  return sortBalances([...changes.values()]);
}

export function sortBalances(balances: readonly Balance[]): Balance[] {
  return balances.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** Sums end here: the highest whole number that a JavaScript number holds exactly. */
export const amountMax = Number.MAX_SAFE_INTEGER;

export function addAmounts(one: number, other: number): number {
  return Math.max(-amountMax, Math.min(one + other, amountMax));
}

/** A blank is part of no period. */
export function toKey({ account, period }: Pick<Balance, 'account' | 'period'>): string {
  return `${account} ${period}`;
}
