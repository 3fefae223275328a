import type { Budget } from '#lib/config/budget.ts';
import type { AccessRule } from '#lib/config/setting-schemas.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { ListPlace } from '#lib/storage/lists.ts';
import { isAdmitted } from '../sign-in/access-rules.ts';
import type { MemberQuery } from '../store/member-queries.ts';
import type { Member } from '../store/member-record.ts';
import type { AccountStores } from '../store/stores.ts';

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

type Stores = Pick<AccountStores, 'members' | 'sessions' | 'keys' | 'usage'>;

type MemberListOptions = Readonly<{
  database: Stores;
  /** Who is an admin. */
  admins: readonly AccessRule[];
  now: number;
}>;

export async function loadMemberList(
  options: MemberListOptions,
  query: Omit<MemberQuery, 'today'>,
): Promise<ListPlace & Readonly<{ rows: readonly MemberSummary[] }>> {
  const today = toUtcDay(options.now);
  const { members, ...place } = await options.database.members.search({ ...query, today });
  return { ...place, rows: await summarize(options, members) };
}

/** Null if there is no such member. */
export async function loadMember(
  options: MemberListOptions,
  id: string,
): Promise<MemberSummary | null> {
  const member = await options.database.members.find(id);
  if (member === null) return null;
  const [summary = null] = await summarize(options, [member]);
  return summary;
}

async function summarize(
  { database, admins, now }: MemberListOptions,
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
