import type { Budget } from '#lib/config/budget.ts';
import { type DayRange, periods } from '#lib/spend/periods.ts';
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
  const { groups, ...place } = await database.groups.search({ ...query, days: toMonth(now) });
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
  const names = groups.map(({ name }) => name);
  const accounts = names.map((name) => `group:${name}`);
  const [counts, sums] = await Promise.all([
    members.countByGroup(names),
    balances.sumOf(accounts, toMonth(now)),
  ]);
  return groups.map((group) => {
    const used = sums.get(`group:${group.name}`) ?? { tokens: 0, nanoUsd: 0 };
    return { ...group, members: counts.get(group.name) ?? 0, ...used };
  });
}

function toMonth(now: number): DayRange {
  const today = toUtcDay(now);
  const { toFirstDay, toLastDay } = periods.month;
  return { firstDay: toFirstDay(today), lastDay: toLastDay(today) };
}
