import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Budget } from '#lib/budgets/budget.ts';
import { type MemberGroup, toBudget, toBudgetText, toGroup } from './budget-columns.ts';
import type { ChangeKeys } from './key-changes.ts';
import type { MemberClaims, RunQuery, Schema } from './schema.ts';

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

export type MemberStore = Readonly<{
  /** Stores what the provider says of a person now; the id and the first date of a known one stay. */
  save: (member: MemberProfile) => Promise<Member>;
  find: (id: string) => Promise<Member | null>;
  /** Disables a member, or with null enables it; its keys follow within 5 s. False if there is none. */
  setDisabled: (id: string, at: number | null) => Promise<boolean>;
  /** Gives a member a budget of its own, or with null the default; its keys follow within 5 s. False if there is none. */
  setBudget: (id: string, budget: Budget | null) => Promise<boolean>;
  /** Puts a member into a group, or with null into none. False if there is no such member or group. */
  setGroup: (id: string, name: string | null) => Promise<boolean>;
  /** Removes a member with its sessions; its keys are revoked and lose their names. */
  remove: (id: string, at: number) => Promise<void>;
}>;

export function createMemberStore(run: RunQuery, changeKeys: ChangeKeys): MemberStore {
  return {
    save: (member) =>
      changeKeys(async (db, version) => {
        const row = toRow(member);
        const { id: _, issuer: __, subject: ___, created_at: ____, ...said } = row;
        const saved = await db
          .insertInto('marquee_members')
          .values({ ...row, disabled_at: null, budget: null, group_name: null })
          .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet(said))
          .returning('id')
          .executeTakeFirstOrThrow();
        await touchKeys(db, saved.id, version);
        const members = selectMembers(db).where('member.id', '=', saved.id);
        return toMember(await members.executeTakeFirstOrThrow());
      }),
    find: (id) =>
      run(async (db) => {
        const row = await selectMembers(db).where('member.id', '=', id).executeTakeFirst();
        return row === undefined ? null : toMember(row);
      }),
    setDisabled: (id, at) =>
      change(changeKeys, id, async (db) => {
        if (at !== null) {
          await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
        }
        return { disabled_at: at };
      }),
    setBudget: (id, budget) =>
      change(changeKeys, id, async () => ({ budget: toBudgetText(budget) })),
    setGroup: (id, name) =>
      change(changeKeys, id, async (db) => {
        if (name === null) return { group_name: null };
        const groups = db.selectFrom('marquee_groups').where('name', '=', name);
        const group = await groups.select('name').executeTakeFirst();
        return group === undefined ? null : { group_name: name };
      }),
    remove: (id, at) =>
      changeKeys(async (db, version) => {
        const keys = db.updateTable('marquee_keys').where('owner_id', '=', id);
        await keys
          .set((value) => ({
            name: 'deleted',
            hint: '',
            used_from: null,
            revoked_at: value.fn.coalesce('revoked_at', value.val(at)),
            version,
          }))
          .execute();
        await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
        await db.deleteFrom('marquee_members').where('id', '=', id).execute();
      }),
  };
}

/** Changes a member, unless the change is null, so that its keys follow. */
function change(
  changeKeys: ChangeKeys,
  id: string,
  prepare: (db: Transaction<Schema>) => Promise<Partial<Selectable<MemberTable>> | null>,
): Promise<boolean> {
  return changeKeys(async (db, version) => {
    await touchKeys(db, id, version);
    const values = await prepare(db);
    if (values === null) return false;
    const members = db.updateTable('marquee_members').where('id', '=', id);
    const { numUpdatedRows } = await members.set(values).executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** Key caches read their owner with each changed key. */
async function touchKeys(db: Transaction<Schema>, ownerId: string, version: number): Promise<void> {
  const keys = db.updateTable('marquee_keys').set({ version });
  await keys.where('owner_id', '=', ownerId).execute();
}

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
    claims: JSON.parse(row.claims),
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    disabledAt: row.disabled_at,
    budget: toBudget(row.budget),
    group: toGroup(row.group_name, row.group_budget),
  };
}
