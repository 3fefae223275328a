import {
  addAmounts,
  amountMax,
  type Balance,
  type CountedUsage,
  isMonth,
  toChanges,
  toKey,
} from './plan-balances.ts';

/** A balance that is not what it should be. */
export type Drift = Readonly<{
  account: string;
  period: string;
  expected: Readonly<{ tokens: number; nanoUsd: number }>;
  actual: Readonly<{ tokens: number; nanoUsd: number }>;
}>;

type Books = Readonly<{
  /** All that has been counted and not been deleted. */
  usage: readonly CountedUsage[];
  balances: readonly Balance[];
  /** Usage of days before this one may have been deleted. */
  prunedBefore: string;
}>;

/** Compares each day with its usage, where that is still there, and each month with its days. */
export function findDrift({ usage, balances, prunedBefore }: Books): Drift[] {
  const days = toChanges(usage).filter(({ period }) => !isMonth(period) && period >= prunedBefore);
  const actualDays = balances.filter(({ period }) => !isMonth(period));
  const checkedDays = actualDays.filter(({ period }) => period >= prunedBefore);
  const months = balances.filter(({ period }) => isMonth(period));
  return [...compare(days, checkedDays), ...compare(sumByMonth(actualDays), months)];
}

function sumByMonth(days: readonly Balance[]): Balance[] {
  const months = new Map<string, Balance>();
  for (const { account, period: day, tokens, nanoUsd } of days) {
    const period = day.slice(0, 7);
    const sum = months.get(toKey({ account, period }));
    months.set(toKey({ account, period }), {
      account,
      period,
      tokens: addAmounts(sum?.tokens ?? 0, tokens),
      nanoUsd: addAmounts(sum?.nanoUsd ?? 0, nanoUsd),
    });
  }
  return [...months.values()];
}

function compare(expected: readonly Balance[], actual: readonly Balance[]): Drift[] {
  const known = new Map(actual.map((balance) => [toKey(balance), balance]));
  const missing = new Set(known.keys());
  const drifts = expected.flatMap((one) => {
    missing.delete(toKey(one));
    return toDrift(one, known.get(toKey(one)) ?? { ...one, tokens: 0, nanoUsd: 0 });
  });
  const unexpected = actual.filter((one) => missing.has(toKey(one)));
  return [
    ...drifts,
    ...unexpected.flatMap((one) => toDrift({ ...one, tokens: 0, nanoUsd: 0 }, one)),
  ];
}

function toDrift({ account, period, ...expected }: Balance, actual: Balance): Drift[] {
  const { tokens, nanoUsd } = actual;
  if (matches(tokens, expected.tokens) && matches(nanoUsd, expected.nanoUsd)) return [];
  return [{ account, period, expected, actual: { tokens, nanoUsd } }];
}

/** A sum at its bound stays there, also when a request is corrected. */
function matches(actual: number, expected: number): boolean {
  return actual === expected || actual === amountMax;
}
