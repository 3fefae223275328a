import type { Budget } from '#lib/config/budget.ts';
import { sumUsed } from '#lib/spend/budgets.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { AccountStores } from '../store/stores.ts';

/** Members who share a budget. */
export type GroupSummary = Readonly<{
  name: string;
  /** null: none. */
  budget: Budget | null;
  members: number;
  createdAt: number;
  /** What the group has used this month (UTC). */
  tokens: number;
  nanoUsd: number;
}>;

export async function loadGroups(
  { groups, members, balances }: Pick<AccountStores, 'groups' | 'members' | 'balances'>,
  now: number,
): Promise<readonly GroupSummary[]> {
  const today = toUtcDay(now);
  const [all, counts] = await Promise.all([groups.list(), members.countByGroup()]);
  if (all.length === 0) return [];
  const accounts = all.map(({ name }) => `group:${name}`);
  const found = await balances.find(accounts, toPeriodDays(today));
  return all.map(({ name, budget, createdAt }) => {
    const used = sumUsed(found, { account: `group:${name}`, period: 'month' }, today);
    return { name, budget, createdAt, members: counts.get(name) ?? 0, ...used };
  });
}
