import { type Budget, formatBudget } from '#lib/config/budget.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { type CsvColumns, toIsoTime } from '../files/csv-file.ts';
import type { ListSource, ViewOf } from '../lists/list-view.ts';
import { isAdmitted } from '../sign-in/access-rules.ts';
import { memberList } from '../store/member-queries.ts';
import type { Member } from '../store/member-record.ts';

/** A member as the admin pages and `npm run members` show them. */
export type MemberSummary = Readonly<{
  id: string;
  name: string;
  email: string | null;
  isAdmin: boolean;
  isDisabled: boolean;
  /** null: none. */
  group: string | null;
  /** Their own; null: the default of the settings. */
  budget: Budget | null;
  joinedAt: number;
  lastSeenAt: number;
  /** How many of their keys work. */
  keys: number;
  /** Of 30 days. */
  usage: UsageTotals;
}>;

/** Of thirty days. */
export const usageColumns: CsvColumns<Readonly<{ usage: UsageTotals }>> = {
  requests: ({ usage }) => usage.requests,
  tokens_in: ({ usage }) => usage.tokensIn,
  tokens_out: ({ usage }) => usage.tokensOut,
  tokens_cached: ({ usage }) => usage.cachedTokens,
  cost_usd: ({ usage }) => usage.costUsd,
};

export const members = {
  ...memberList,
  path: '/admin/members',
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    email: ({ email }) => email,
    state: toMemberState,
    group: ({ group }) => group,
    budget: ({ budget }) => budget && formatBudget(budget),
    keys: ({ keys }) => keys,
    joined_at: ({ joinedAt }) => toIsoTime(joinedAt),
    last_seen_at: ({ lastSeenAt }) => toIsoTime(lastSeenAt),
    ...usageColumns,
  },
  async load(source, query) {
    const page = await source.database.readList(memberList, query, source.now);
    return { ...page, rows: await summarize(source, page.rows) };
  },
} as const satisfies ViewOf<typeof memberList, MemberSummary>;

export function toMemberState({ isDisabled, isAdmin }: MemberSummary): string {
  return isDisabled ? 'disabled' : isAdmin ? 'admin' : 'member';
}

/** Null if there is no such member. */
export async function loadMember(source: ListSource, id: string): Promise<MemberSummary | null> {
  const member = await source.database.members.find(id);
  if (member === null) return null;
  const [summary = null] = await summarize(source, [member]);
  return summary;
}

async function summarize(
  { database, admins, now }: ListSource,
  members: readonly Member[],
): Promise<MemberSummary[]> {
  if (members.length === 0) return [];
  const ids = members.map(({ id }) => id);
  const [keys, lastUsed, usage] = await Promise.all([
    database.keys.countActive(ids, now),
    database.sessions.lastUsed(ids),
    database.usage.totalsOf('member', ids, toFirstDay(shownDays, now)),
  ]);
  return members.map((member) => ({
    id: member.id,
    name: member.name,
    email: member.email,
    isAdmin: isAdmitted(admins, member),
    isDisabled: member.disabledAt !== null,
    group: member.group?.name ?? null,
    budget: member.budget,
    joinedAt: member.createdAt,
    lastSeenAt: Math.max(lastUsed.get(member.id) ?? 0, member.confirmedAt),
    keys: keys.get(member.id) ?? 0,
    usage: usage.get(member.id) ?? noUsage,
  }));
}
