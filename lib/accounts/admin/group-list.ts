import { type Budget, formatBudget } from '#lib/config/budget.ts';
import { toIsoTime } from '../files/csv-file.ts';
import type { ListSource, ViewOf } from '../lists/list-view.ts';
import { type Group, groupList, toMonth } from '../store/group-store.ts';

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

export const groups = {
  ...groupList,
  path: '/admin/groups',
  columns: {
    name: ({ name }) => name,
    budget: ({ budget }) => budget && formatBudget(budget),
    members: ({ members }) => members,
    created_at: ({ createdAt }) => toIsoTime(createdAt),
    tokens_this_month: ({ tokens }) => tokens,
    usd_this_month: ({ nanoUsd }) => nanoUsd / 1e9,
  },
  async load(source, query) {
    const page = await source.database.readList(groupList, query, source.now);
    return { ...page, rows: await summarize(source, page.rows) };
  },
} as const satisfies ViewOf<typeof groupList, GroupSummary>;

type Source = Pick<ListSource, 'database' | 'now'>;

/** Null if there is no such group. */
export async function loadGroup(source: Source, name: string): Promise<GroupSummary | null> {
  const group = await source.database.groups.find(name);
  if (group === null) return null;
  const [summary = null] = await summarize(source, [group]);
  return summary;
}

async function summarize(
  { database: { members, balances }, now }: Source,
  groups: readonly Group[],
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
