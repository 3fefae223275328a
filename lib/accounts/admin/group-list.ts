import type { Budget } from '#lib/config/budget.ts';
import { sumUsed, toSpan } from '#lib/spend/budgets.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { ListPlace } from '#lib/storage/lists.ts';
import type { Group, GroupQuery } from '../store/group-store.ts';
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

type Stores = Pick<AccountStores, 'groups' | 'members' | 'balances'>;

export async function loadGroupList(
  database: Stores,
  { now, ...query }: Omit<GroupQuery, 'days'> & Readonly<{ now: number }>,
): Promise<ListPlace & Readonly<{ rows: readonly GroupSummary[] }>> {
  const days = toSpan({ account: '', period: 'month' }, toUtcDay(now));
  const { groups, ...place } = await database.groups.search({ ...query, days });
  return { ...place, rows: await summarize(database, groups, now) };
}

/** Null if there is no such group. */
export async function loadGroup(
  database: Stores,
  name: string,
  now: number,
): Promise<GroupSummary | null> {
  const group = await database.groups.find(name);
  if (group === null) return null;
  const [summary = null] = await summarize(database, [group], now);
  return summary;
}

async function summarize(
  { members, balances }: Stores,
  groups: readonly Group[],
  now: number,
): Promise<GroupSummary[]> {
  if (groups.length === 0) return [];
  const today = toUtcDay(now);
  const names = groups.map(({ name }) => name);
  const [counts, found] = await Promise.all([
    members.countByGroup(names),
    balances.find(
      names.map((name) => `group:${name}`),
      toPeriodDays(today),
    ),
  ]);
  return groups.map((group) => {
    const used = sumUsed(found, { account: `group:${group.name}`, period: 'month' }, today);
    return { ...group, members: counts.get(group.name) ?? 0, ...used };
  });
}
