import type { Transaction } from 'kysely';
import type { Budget } from '#lib/config/budget.ts';
import { toBudget, toBudgetText } from '#lib/spend/budgets.ts';
import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';

/** Members who share a budget, besides their own. */
type Group = Readonly<{
  name: string;
  /** null: none. */
  budget: Budget | null;
  /** Unix ms. */
  createdAt: number;
}>;

/** Every change is written to the audit log, by default as one of the operator. */
export type GroupStore = Readonly<{
  /** By name. */
  list: () => Promise<Group[]>;
  /** False if the name is taken. */
  create: (name: string, budget: Budget | null, by?: Actor) => Promise<boolean>;
  /** The keys of its members follow within 5 s. False if there is none. */
  setBudget: (name: string, budget: Budget | null, by?: Actor) => Promise<boolean>;
  /** Its members stay, without a group. False if there is none. */
  remove: (name: string, by?: Actor) => Promise<boolean>;
}>;

export function createGroupStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): GroupStore {
  return {
    list: () =>
      run(async (db) => {
        const rows = await db.selectFrom('marquee_groups').selectAll().orderBy('name').execute();
        return rows.map((row) => ({
          name: row.name,
          budget: toBudget(row.budget),
          createdAt: row.created_at,
        }));
      }),
    create: (name, budget, by = null) =>
      transact((db) => create(db, { name, budget: toBudgetText(budget), at: now(), by })),
    setBudget: (name, budget, by = null) =>
      transact((db) => setBudget(db, { name, budget: toBudgetText(budget), at: now(), by })),
    remove: (name, by = null) =>
      transact(async (db) => {
        const members = db.updateTable('marquee_members');
        await members.set({ group_name: null }).where('group_name', '=', name).execute();
        const groups = db.deleteFrom('marquee_groups').where('name', '=', name);
        if ((await groups.executeTakeFirst()).numDeletedRows !== 1n) return false;
        const entry = { at: now(), actor: by, target: name };
        await appendToAuditLog(db, { ...entry, action: 'group.removed' });
        return true;
      }),
  };
}

type BudgetChange = Readonly<{
  name: string;
  budget: string | null;
  at: number;
  by: Actor;
}>;

/** False if there is no such group. */
async function setBudget(
  db: Transaction<Schema>,
  { name, budget, at, by }: BudgetChange,
): Promise<boolean> {
  // Changes nothing, but locks the row.
  const groups = db.updateTable('marquee_groups').set({ name }).where('name', '=', name);
  const before = await groups.returning('budget').executeTakeFirst();
  if (before === undefined) return false;
  if (before.budget === budget) return true;
  await db.updateTable('marquee_groups').set({ budget }).where('name', '=', name).execute();
  const entry = { at, actor: by, target: name, oldValues: before, newValues: { budget } };
  await appendToAuditLog(db, { ...entry, action: 'group.budget' });
  return true;
}

/** False if the name is taken. */
async function create(
  db: Transaction<Schema>,
  { name, budget, at, by }: BudgetChange,
): Promise<boolean> {
  const groups = db.insertInto('marquee_groups').values({ name, budget, created_at: at });
  const insert = groups.onConflict((conflict) => conflict.doNothing());
  if ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows !== 1n) return false;
  const entry = { at, actor: by, target: name, oldValues: null, newValues: { budget } };
  await appendToAuditLog(db, { ...entry, action: 'group.created' });
  return true;
}
