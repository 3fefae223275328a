import { listDays } from '#lib/spend/periods.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { countTokens, type UsageShare } from '../account/account-view.ts';
import type { UsagePeriod } from '../account/usage-view.ts';
import type { AllUsage } from './all-usage.ts';

export const usageRanges = [1, 7, 30] as const;

type UsageRange = (typeof usageRanges)[number];

/** The last days, today included. */
export function readRange(text: string | undefined): UsageRange {
  return usageRanges.find((days) => String(days) === text) ?? 30;
}

/** The usage of all members as the admin pages show it. */
export type AllUsageView = Readonly<{
  /** Every day of the range, oldest first. */
  days: readonly UsagePeriod[];
  total: UsageTotals;
  members: readonly UsageShare[];
  models: readonly UsageShare[];
  keys: readonly UsageShare[];
  failures: readonly UsageFailure[];
  lastFailures: AllUsage['lastFailures'];
}>;

/** Requests that failed in one way. */
export type UsageFailure = Readonly<{ status: number; code: string | null; requests: number }>;

const sharesMax = 20;

export function toAllUsageView(
  { days, total, members, models, keys, failures, lastFailures, rejections }: AllUsage,
  { fromDay, today }: Readonly<{ fromDay: string; today: string }>,
): AllUsageView {
  const byDay = new Map(days.map(({ day, ...totals }) => [day, totals]));
  return {
    days: listDays(fromDay, today).map((period) => ({ period, ...(byDay.get(period) ?? noUsage) })),
    total,
    members: toShares(members, ({ id, name }) =>
      name === '' ? { name: `Deleted member ${id}` } : { name, href: `/admin/members/${id}` },
    ),
    models: toShares(models, ({ model }) => ({ name: model || 'No model' })),
    keys: toShares(keys, ({ id, name }) => ({ name: name || id })),
    lastFailures,
    failures: [
      ...rejections.map(({ count, ...rejection }) => ({ ...rejection, requests: count })),
      ...failures.map(({ status, requests }) => ({ status, code: null, requests })),
    ].sort((a, b) => b.requests - a.requests),
  };
}

function toShares<T extends UsageTotals & Readonly<{ id?: string }>>(
  sums: readonly T[],
  toTitle: (sum: T) => Pick<UsageShare, 'name' | 'href'>,
): UsageShare[] {
  // By what their bars show.
  const byTokens = sums.toSorted((a, b) => countTokens(b) - countTokens(a));
  return byTokens.slice(0, sharesMax).map((sum) => ({
    ...sum,
    ...toTitle(sum),
  }));
}
