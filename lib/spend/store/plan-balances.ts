import { type Payer, toAccounts } from '../budgets.ts';

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

/** Usage of one day: of one request, or a sum of several; negative where a request is corrected. */
export type CountedUsage = Payer & Readonly<{ day: string; tokens: number; nanoUsd: number }>;

/** What usage adds to balances, in the order of accounts and periods. */
export function toChanges(usage: readonly CountedUsage[]): Balance[] {
  const changes = new Map<string, Balance>();
  for (const { day, tokens, nanoUsd, ...payer } of usage) {
    for (const account of toAccounts(payer)) {
      for (const period of [day.slice(0, 7), day]) {
        const key = toKey({ account, period });
        const before = changes.get(key) ?? { account, period, tokens: 0, nanoUsd: 0 };
        changes.set(key, {
          account,
          period,
          tokens: addAmounts(before.tokens, tokens),
          nanoUsd: addAmounts(before.nanoUsd, nanoUsd),
        });
      }
    }
  }
  return [...changes.values()].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** Sums end here: the highest whole number that a JavaScript number holds exactly. */
export const amountMax = Number.MAX_SAFE_INTEGER;

/** The balances after changes. @param balances those that exist of the changed ones. */
export function planBalances(changes: readonly Balance[], balances: readonly Balance[]): Balance[] {
  const before = new Map(balances.map((balance) => [toKey(balance), balance]));
  return changes.map((change) => {
    const { account, period } = change;
    const balance = before.get(toKey(change));
    return {
      account,
      period,
      tokens: toAmountAfter(balance?.tokens ?? 0, change.tokens),
      nanoUsd: toAmountAfter(balance?.nanoUsd ?? 0, change.nanoUsd),
    };
  });
}

/** A sum that has reached its bound stays there: it is not known by how much it would be higher. */
function toAmountAfter(amount: number, change: number): number {
  return amount >= amountMax ? amountMax : Math.max(0, addAmounts(amount, change));
}

export function addAmounts(one: number, other: number): number {
  return Math.max(-amountMax, Math.min(one + other, amountMax));
}

export function isSaturated({ tokens, nanoUsd }: Balance): boolean {
  return tokens >= amountMax || nanoUsd >= amountMax;
}

export function isMonth(period: string): boolean {
  return period.length === 7;
}

/** A blank is part of no period. */
export function toKey({ account, period }: Pick<Balance, 'account' | 'period'>): string {
  return `${account} ${period}`;
}
