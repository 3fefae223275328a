import { type Payer, toAccounts } from '../budgets/accounts.ts';

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

/** Usage of one day that nobody has counted yet: of one request, or a sum of several. */
export type CountedUsage = Payer & Readonly<{ day: string; tokens: number; nanoUsd: number }>;

/** What usage adds to balances, in the order of accounts and periods. */
export function toChanges(usage: readonly CountedUsage[]): Balance[] {
  const changes = new Map<string, Balance>();
  for (const { day, tokens, nanoUsd, ...payer } of usage) {
    for (const account of toAccounts(payer)) {
      for (const period of [day.slice(0, 7), day]) {
        const key = toKey({ account, period });
        const before = changes.get(key) ?? { account, period, tokens: 0, nanoUsd: 0 };
        changes.set(key, add(before, { tokens, nanoUsd }));
      }
    }
  }
  return [...changes.values()].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/**
 * The balances after changes. @param balances those that exist of the changed ones, as they are.
 * @throws RangeError if the sums do not add up: nothing may be written then.
 */
export function planBalances(changes: readonly Balance[], balances: readonly Balance[]): Balance[] {
  const before = new Map(balances.map((balance) => [toKey(balance), balance]));
  if (before.size !== balances.length) throw new RangeError('An account has two balances.');
  for (const balance of [...changes, ...balances]) requireAmounts(balance);
  requireSums(changes);
  return changes.map((change) => {
    const balance = before.get(toKey(change));
    const after = balance === undefined ? change : add(balance, change);
    requireAmounts(after);
    return after;
  });
}

/** A month is the sum of its days, and what all have used that of the keys. */
function requireSums(changes: readonly Balance[]): void {
  const sums = new Map<string, Balance>();
  const addTo = (account: string, period: string, change: Balance, sign: 1 | -1) => {
    const key = toKey({ account, period });
    const sum = sums.get(key) ?? { account, period, tokens: 0, nanoUsd: 0 };
    const { tokens, nanoUsd } = change;
    sums.set(key, add(sum, { tokens: sign * tokens, nanoUsd: sign * nanoUsd }));
  };
  for (const change of changes) {
    const { account, period } = change;
    if (isMonth(period)) addTo(account, `days of ${period}`, change, -1);
    else addTo(account, `days of ${period.slice(0, 7)}`, change, 1);
    if (account === 'all') addTo('keys', period, change, -1);
    if (account.startsWith('key:')) addTo('keys', period, change, 1);
  }
  for (const { account, period, tokens, nanoUsd } of sums.values()) {
    if (tokens === 0 && nanoUsd === 0) continue;
    throw new RangeError(`Changes do not add up: ${account}, ${period}.`);
  }
}

function requireAmounts({ account, period, tokens, nanoUsd }: Balance): void {
  if ([tokens, nanoUsd].every((one) => Number.isSafeInteger(one) && one >= 0)) return;
  throw new RangeError(
    `Not an amount: ${tokens} tokens, ${nanoUsd} nUSD of ${account}, ${period}.`,
  );
}

function add(balance: Balance, amounts: Readonly<{ tokens: number; nanoUsd: number }>): Balance {
  const { account, period } = balance;
  return {
    ...{ account, period },
    tokens: balance.tokens + amounts.tokens,
    nanoUsd: balance.nanoUsd + amounts.nanoUsd,
  };
}

export function isMonth(period: string): boolean {
  return period.length === 7;
}

/** A blank is part of no period. */
export function toKey({ account, period }: Pick<Balance, 'account' | 'period'>): string {
  return `${account} ${period}`;
}
