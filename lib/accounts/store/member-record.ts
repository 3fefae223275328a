import type { Kysely, Selectable } from 'kysely';
import type { Budget } from '#lib/config/budget.ts';
import { storedClaims } from '#lib/keys/store/key-record.ts';
import { type MemberGroup, toBudget, toGroup } from '#lib/spend/budgets.ts';
import type { MemberClaims, Schema } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';

/** A person who has signed in. Times are Unix ms. */
export type Member = Readonly<{
  id: string;
  issuer: string;
  subject: string;
  name: string;
  /** Null unless the provider has verified it. */
  email: string | null;
  claims: MemberClaims;
  createdAt: number;
  /** When the provider last confirmed all of it. */
  confirmedAt: number;
  disabledAt: number | null;
  /** null: the default of the settings. */
  budget: Budget | null;
  /** null: none. */
  group: MemberGroup | null;
}>;

/** What the provider says of a person. */
export type MemberProfile = Omit<Member, 'disabledAt' | 'budget' | 'group'>;

/** With their groups. */
export function selectMembers(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_members as member')
    .leftJoin('marquee_groups as group', 'group.name', 'member.group_name')
    .selectAll('member')
    .select('group.budget as group_budget');
}

/** Without what the site decides. */
export function toMemberRow(member: MemberProfile) {
  return {
    id: member.id,
    issuer: member.issuer,
    subject: member.subject,
    name: member.name,
    email: member.email,
    claims: JSON.stringify(member.claims),
    created_at: member.createdAt,
    confirmed_at: member.confirmedAt,
  };
}

/** What an admin may change. */
export type ChangeableColumns = Pick<
  Selectable<Schema['marquee_members']>,
  'disabled_at' | 'budget' | 'group_name'
>;

type MemberRow = Selectable<Schema['marquee_members']> & Readonly<{ group_budget: string | null }>;

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    name: row.name,
    email: row.email,
    claims: readStored(storedClaims, row.claims, {}),
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    disabledAt: row.disabled_at,
    budget: toBudget(row.budget),
    group: toGroup(row.group_name, row.group_budget),
  };
}
