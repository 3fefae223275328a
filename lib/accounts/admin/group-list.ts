import type { Budget } from '#lib/config/budget.ts';
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
  const month = toUtcDay(now).slice(0, 7);
  const [all, counts, used] = await Promise.all([
    groups.list(),
    members.countByGroup(),
    balances.list(month),
  ]);
  return all.map(({ name, budget, createdAt }) => {
    const { tokens = 0, nanoUsd = 0 } =
      used.find(({ account }) => account === `group:${name}`) ?? {};
    return { name, budget, createdAt, members: counts.get(name) ?? 0, tokens, nanoUsd };
  });
}
