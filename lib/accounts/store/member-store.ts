import type { Kysely, Transaction } from 'kysely';
import type { Budget } from '#lib/config/budget.ts';
import { lockOwner } from '#lib/keys/store/key-changes.ts';
import { toBudgetText } from '#lib/spend/budgets.ts';
import type { AuditAction } from '#lib/storage/audit-actions.ts';
import { type Actor, appendToAuditLog, compareRows } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { eraseDeletedMembers, removeMember, restoreMember } from './deleted-members.ts';
import {
  type ChangeableColumns,
  type Member,
  type MemberProfile,
  selectMembers,
  toMember,
  toMemberRow,
} from './member-record.ts';

/** What somebody changes is written to the audit log, by default as a change of the operator. */
export type MemberStore = Readonly<{
  /**
   * Stores what the provider says of a person now; the id and the first date of a known one stay.
   * @param identities keyed hashes of issuer and subject: a person who has deleted the account this week or month gets its id,
   * budget and group back, and with the id what was used of them.
   */
  save: (member: MemberProfile, identities?: readonly string[]) => Promise<Member>;
  find: (id: string) => Promise<Member | null>;
  /** Disables or enables a member; its keys follow within 5 s. False if there is none. */
  setDisabled: (id: string, isDisabled: boolean, by?: Actor) => Promise<boolean>;
  /** Gives a member a budget of its own, or with null the default; its keys follow within 5 s. False if there is none. */
  setBudget: (id: string, budget: Budget | null, by?: Actor) => Promise<boolean>;
  /** Puts a member into a group, or with null into none. False if there is no such member or group. */
  setGroup: (id: string, name: string | null, by?: Actor) => Promise<boolean>;
  /**
   * Removes a member with its sessions; its keys are revoked and lose their names and hashes.
   * @param identity a keyed hash of issuer and subject, under which id, budget and group stay until the month ends.
   */
  remove: (id: string, identity: string, by?: Actor) => Promise<void>;
  /** Erases the ids of members, and of their keys, who were removed in a month that has ended before a time. */
  eraseRemoved: (now: number) => Promise<void>;
}>;

export function createMemberStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): MemberStore {
  const change = (target: ChangeTarget, prepare: PrepareChange) =>
    transact((db) => changeMember(db, { ...target, at: now() }, prepare));
  return {
    async save(member, identities = []) {
      await eraseDeletedMembers(run, transact, now());
      return transact((db) => saveMember(db, member, { identities, at: now() }));
    },
    find: (id) => run((db) => findMember(db, id)),
    setDisabled: (id, isDisabled, by = null) =>
      change({ id, by }, isDisabled ? disable : async () => enabled),
    setBudget: (id, budget, by = null) =>
      change({ id, by }, async () => ({
        action: 'member.budget',
        values: { budget: toBudgetText(budget) },
      })),
    setGroup: (id, name, by = null) =>
      change({ id, by }, async (db) => {
        if (name !== null && !(await lockGroup(db, name))) return null;
        return { action: 'member.group', values: { group_name: name } };
      }),
    remove: (id, identity, by = null) =>
      transact((db) => removeMember(db, id, { by, at: now(), identity })),
    eraseRemoved: (before) => eraseDeletedMembers(run, transact, before),
  };
}

async function saveMember(
  db: Transaction<Schema>,
  profile: MemberProfile,
  { identities, at }: Readonly<{ identities: readonly string[]; at: number }>,
): Promise<Member> {
  const restored = await restoreMember(db, identities, at);
  const row = toMemberRow(profile);
  const { id: _, issuer: __, subject: ___, created_at: ____, ...claims } = row;
  const saved = await db
    .insertInto('marquee_members')
    .values({ disabled_at: null, budget: null, group_name: null, ...row, ...restored })
    .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet(claims))
    .returning('id')
    .executeTakeFirstOrThrow();
  const members = selectMembers(db).where('member.id', '=', saved.id);
  return toMember(await members.executeTakeFirstOrThrow());
}

async function findMember(db: Kysely<Schema>, id: string): Promise<Member | null> {
  const row = await selectMembers(db).where('member.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

/** Who is changed, and by whom. */
type ChangeTarget = Readonly<{ id: string; by: Actor }>;
type TimedTarget = ChangeTarget & Readonly<{ at: number }>;

type MemberChange = Readonly<{ action: AuditAction; values: Partial<ChangeableColumns> }>;

/** What a change writes; null: it cannot be made. */
type PrepareChange = (
  db: Transaction<Schema>,
  target: TimedTarget,
  before: ChangeableColumns,
) => Promise<MemberChange | null>;

/** What stays the same is not logged. False if there is no such member, or the change cannot be made. */
async function changeMember(
  db: Transaction<Schema>,
  target: TimedTarget,
  prepare: PrepareChange,
): Promise<boolean> {
  const { id, by, at } = target;
  const before = await lockOwner(db, id);
  const prepared = before && (await prepare(db, target, before));
  if (before === null || !prepared) return false;
  const { action, values } = prepared;
  await db.updateTable('marquee_members').set(values).where('id', '=', id).execute();
  const { changed, ...compared } = compareRows(before, values);
  if (changed.length === 0) return true;
  await appendToAuditLog(db, {
    at,
    actor: by,
    action,
    target: id,
    memberId: id,
    // When somebody was disabled is the time of the entry.
    ...(!changed.includes('disabled_at') && compared),
  });
  return true;
}

const enabled: MemberChange = { action: 'member.enabled', values: { disabled_at: null } };

async function disable(
  db: Transaction<Schema>,
  { id, at }: TimedTarget,
  before: ChangeableColumns,
): Promise<MemberChange> {
  await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
  return { action: 'member.disabled', values: { disabled_at: before.disabled_at ?? at } };
}

/** Changes nothing. False if there is no such group. */
async function lockGroup(db: Transaction<Schema>, name: string): Promise<boolean> {
  const groups = db.updateTable('marquee_groups').set({ name }).where('name', '=', name);
  return (await groups.executeTakeFirst()).numUpdatedRows === 1n;
}
