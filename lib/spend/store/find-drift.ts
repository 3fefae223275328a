import { amountMax, type Balance, type CountedUsage, toChanges, toKey } from './plan-balances.ts';

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

/** Compares each day with its usage, where that is still there. */
export function findDrift({ usage, balances, prunedBefore }: Books): Drift[] {
  const isChecked = ({ period }: Balance) => period >= prunedBefore;
  return compare(toChanges(usage).filter(isChecked), balances.filter(isChecked));
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
