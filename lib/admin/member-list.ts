import type { Budget } from '#lib/budgets/budget.ts';
import type { AccessRule } from '#lib/config/access-rules.ts';
import { toPlaygroundKeyId } from '#lib/members/account/playground-key.ts';
import { isAdmitted } from '#lib/members/sign-in/access-rules.ts';
import type { Database } from '#lib/storage/database.ts';
import type { KeyRecord } from '#lib/storage/stores/key-record.ts';
import type { Member } from '#lib/storage/stores/member-store.ts';
import { toUtcDay } from '#lib/storage/stores/usage-store.ts';
import { addTotals, noUsage, type UsageTotals } from '#lib/storage/stores/usage-sums.ts';
import { type Paging, toOffset, toPaging } from './paging.ts';

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

export type MemberList = Readonly<{ members: readonly MemberSummary[]; paging: Paging }>;

type Stores = Pick<Database, 'members' | 'sessions' | 'keys' | 'usage'>;

type MemberListOptions = Readonly<{
  database: Stores;
  /** Who is an admin. */
  admins: readonly AccessRule[];
  now: number;
}>;

const usageDays = 30;
const dayMs = 86_400_000;

/** Members whose name or address has a text, by name. */
export async function loadMemberList(
  options: MemberListOptions,
  { text, page }: Readonly<{ text: string; page: number }>,
): Promise<MemberList> {
  const { members, total } = await options.database.members.search({ text, ...toOffset(page) });
  return { members: await summarize(options, members), paging: toPaging(page, total) };
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

/** The first day of the usage that is shown beside a member. */
export function toFromDay(now: number): string {
  return toUtcDay(now - (usageDays - 1) * dayMs);
}

async function summarize(
  { database, admins, now }: MemberListOptions,
  members: readonly Member[],
): Promise<MemberSummary[]> {
  const ids = members.map(({ id }) => id);
  const [keys, lastUsed] = await Promise.all([
    database.keys.listOf(ids),
    database.sessions.lastUsed(ids),
  ]);
  const usage = await sumByMember(database, { ids, keys, now });
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
    keys: keys.filter((key) => key.owner?.id === member.id && isWorking(key, now)).length,
    usage: usage.get(member.id) ?? noUsage,
  }));
}

export function isWorking({ revokedAt, expiresAt }: KeyRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

type MemberKeys = Readonly<{ ids: readonly string[]; keys: readonly KeyRecord[]; now: number }>;

async function sumByMember(
  { usage }: Pick<Database, 'usage'>,
  { ids, keys, now }: MemberKeys,
): Promise<ReadonlyMap<string, UsageTotals>> {
  const owners = new Map([
    ...keys.map(({ id, owner }): [string, string] => [id, owner?.id ?? '']),
    ...ids.map((id): [string, string] => [toPlaygroundKeyId(id), id]),
  ]);
  if (owners.size === 0) return new Map();
  const sums = await usage.sumOfKeys([...owners.keys()], toFromDay(now));
  const totals = new Map<string, UsageTotals>();
  for (const sum of sums) {
    const owner = owners.get(sum.keyId) ?? '';
    totals.set(owner, addTotals(totals.get(owner) ?? noUsage, sum));
  }
  return totals;
}
