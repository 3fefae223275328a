import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Budget } from '#lib/config/budget.ts';
import { storedClaims } from '#lib/keys/store/key-record.ts';
import { lockOwner } from '#lib/keys/store/key-store.ts';
import { type MemberGroup, toBudget, toBudgetText, toGroup } from '#lib/spend/budgets.ts';
import { toLastPeriodEnd } from '#lib/spend/periods.ts';
import type { AuditAction } from '#lib/storage/audit-actions.ts';
import { type Actor, appendToAuditLog, compareRows } from '#lib/storage/audit-log.ts';
import type { MemberClaims, RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { eraseDeletedMembers } from './erase-members.ts';

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
  /** Changes a member, unless the change is null; what stays the same is not logged. */
  function change(
    id: string,
    actor: Actor,
    prepare: (db: Transaction<Schema>, before: ChangeableColumns) => Promise<MemberChange | null>,
  ): Promise<boolean> {
    return transact(async (db) => {
      const before = await lockOwner(db, id);
      const prepared = before && (await prepare(db, before));
      if (before === null || !prepared) return false;
      const { action, values } = prepared;
      await db.updateTable('marquee_members').set(values).where('id', '=', id).execute();
      const { changed, ...compared } = compareRows(before, values);
      if (changed.length === 0) return true;
      await appendToAuditLog(db, {
        at: now(),
        actor,
        action,
        target: id,
        memberId: id,
        // When somebody was disabled is the time of the entry.
        ...(!changed.includes('disabled_at') && compared),
      });
      return true;
    });
  }

  return {
    async save(member, identities = []) {
      await eraseDeletedMembers(run, transact, now());
      return transact(async (db) => {
        const known = await restoreMember(db, identities, now());
        const row = { ...toRow(member), ...known };
        const { id: _, issuer: __, subject: ___, created_at: ____, ...claims } = toRow(member);
        const saved = await db
          .insertInto('marquee_members')
          .values({ disabled_at: null, budget: null, group_name: null, ...row })
          .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet(claims))
          .returning('id')
          .executeTakeFirstOrThrow();
        const members = selectMembers(db).where('member.id', '=', saved.id);
        return toMember(await members.executeTakeFirstOrThrow());
      });
    },
    find: (id) =>
      run(async (db) => {
        const row = await selectMembers(db).where('member.id', '=', id).executeTakeFirst();
        return row === undefined ? null : toMember(row);
      }),
    setDisabled: (id, isDisabled, by = null) =>
      change(id, by, async (db, before) => {
        if (!isDisabled) return { action: 'member.enabled', values: { disabled_at: null } };
        await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
        return { action: 'member.disabled', values: { disabled_at: before.disabled_at ?? now() } };
      }),
    setBudget: (id, budget, by = null) =>
      change(id, by, async () => ({
        action: 'member.budget',
        values: { budget: toBudgetText(budget) },
      })),
    setGroup: (id, name, by = null) =>
      change(id, by, async (db) => {
        if (name !== null) {
          // Changes nothing, but locks the row.
          const groups = db.updateTable('marquee_groups').set({ name }).where('name', '=', name);
          if ((await groups.executeTakeFirst()).numUpdatedRows !== 1n) return null;
        }
        return { action: 'member.group', values: { group_name: name } };
      }),
    remove: (id, identity, by = null) =>
      transact(async (db) => {
        const at = now();
        await lockOwner(db, id);
        await keepBudgets(db, id, { identity, at });
        const keys = db.updateTable('marquee_keys').where('owner_id', '=', id);
        await keys
          .set((value) => ({
            name: 'deleted',
            // Unique, and no hash.
            hash: sql<string>`'deleted ' || id`,
            hint: '',
            pepper_id: null,
            used_from: null,
            revoked_at: value.fn.coalesce('revoked_at', value.val(at)),
          }))
          .execute();
        await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
        const member = db.deleteFrom('marquee_members').where('id', '=', id);
        if ((await member.executeTakeFirst()).numDeletedRows !== 1n) return;
        const entry = { at, actor: by, target: id, memberId: id };
        await appendToAuditLog(db, { ...entry, action: 'member.deleted' });
      }),
    eraseRemoved: (before) => eraseDeletedMembers(run, transact, before),
  };
}

/** Requests under way when the account is deleted are recorded by then. */
const runningMaxMs = 3_600_000;

/** Only what budgets need: neither name nor address nor claims. */
async function keepBudgets(
  db: Transaction<Schema>,
  id: string,
  { identity, at }: Readonly<{ identity: string; at: number }>,
): Promise<void> {
  const members = db.selectFrom('marquee_members').where('id', '=', id);
  const member = await members.select(['disabled_at', 'budget', 'group_name']).executeTakeFirst();
  if (member === undefined) return;
  const until = Math.max(toLastPeriodEnd(at), at + runningMaxMs);
  const row = { ...member, member_id: id, until };
  await db
    .insertInto('marquee_deleted_members')
    .values({ ...row, identity })
    .onConflict((on) => on.column('identity').doUpdateSet(row))
    .execute();
}

/** What stays of a member who has deleted the account this week or month; null if there is none. */
async function restoreMember(
  db: Transaction<Schema>,
  identities: readonly string[],
  at: number,
): Promise<(ChangeableColumns & Readonly<{ id: string }>) | null> {
  if (identities.length === 0) return null;
  const deleted = await db
    .deleteFrom('marquee_deleted_members')
    .where('identity', 'in', identities)
    .where('until', '>', at)
    .returningAll()
    .executeTakeFirst();
  if (deleted === undefined) return null;
  const { member_id: id, disabled_at, budget, group_name: name } = deleted;
  const groups = db
    .selectFrom('marquee_groups')
    .select('name')
    .where('name', '=', name ?? '');
  const group = await groups.executeTakeFirst();
  return { id, disabled_at, budget, group_name: group?.name ?? null };
}

type ChangeableColumns = Pick<Selectable<MemberTable>, 'disabled_at' | 'budget' | 'group_name'>;
type MemberChange = Readonly<{ action: AuditAction; values: Partial<ChangeableColumns> }>;

/** With their groups. */
export function selectMembers(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_members as member')
    .leftJoin('marquee_groups as group', 'group.name', 'member.group_name')
    .selectAll('member')
    .select('group.budget as group_budget');
}

function toRow(member: MemberProfile) {
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

type MemberTable = Schema['marquee_members'];
type MemberRow = Selectable<MemberTable> & Readonly<{ group_budget: string | null }>;

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
