import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Budget } from '#lib/config/budget.ts';
import { toBudget, toBudgetText } from '#lib/spend/budgets.ts';
import { type DayRange, periods } from '#lib/spend/periods.ts';
import { sumOf } from '#lib/spend/store/sum-columns.ts';
import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { List, ListOrder } from '#lib/storage/lists.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';

/** Members who share a budget, besides their own. */
export type Group = Readonly<{
  name: string;
  /** null: none. */
  budget: Budget | null;
  /** Unix ms. */
  createdAt: number;
}>;

/** The month of a time (UTC): of it lists show what groups have used. */
export function toMonth(now: number): DayRange {
  const today = toUtcDay(now);
  const { toFirstDay, toLastDay } = periods.month;
  return { firstDay: toFirstDay(today), lastDay: toLastDay(today) };
}

/** All groups. */
export const groupList = {
  from: sql`marquee_groups as item`,
  id: 'item.name',
  texts: ['item.name'],
  search: 'Name of a group',
  sorts: {
    name: {
      words: 'Name',
      by: () => ({ value: sql`lower(item.name)`, isText: true, isDescending: false }),
    },
    cost: { words: 'Cost this month', by: sortByCostOfMonth },
    members: {
      words: 'Members',
      by: () => ({
        value: sql<number>`coalesce(member.count, 0)`,
        isText: false,
        isDescending: true,
        join: sql`left join (
          select group_name, count(*) as count from marquee_members group by group_name
        ) as member on member.group_name = item.name`,
      }),
    },
  },
  filters: {},
  readRows: readGroups,
  toId: ({ name }) => name,
} as const satisfies List<Group>;

function sortByCostOfMonth(now: number): ListOrder {
  const { firstDay, lastDay } = toMonth(now);
  return {
    value: sql<number>`coalesce((
      select ${sumOf('nano_usd')} from marquee_balances
      where account = 'group:' || item.name and day >= ${firstDay} and day <= ${lastDay}
    ), 0)`,
    isText: false,
    isDescending: true,
  };
}

/** Every change is written to the audit log, by default as one of the operator. */
export type GroupStore = Readonly<{
  /** All, by name. */
  list: () => Promise<Group[]>;
  /** Null if there is none. */
  find: (name: string) => Promise<Group | null>;
  /** False if the name is taken. */
  create: (name: string, budget: Budget | null, by?: Actor) => Promise<boolean>;
  /** The keys of its members follow within 5 s. False if there is none. */
  setBudget: (name: string, budget: Budget | null, by?: Actor) => Promise<boolean>;
  /** Its members stay, without a group. False if there is none. */
  remove: (name: string, by?: Actor) => Promise<boolean>;
}>;

type GroupStoreOptions = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  now: () => number;
}>;

export function createGroupStore(options: GroupStoreOptions): GroupStore {
  const { run, transact, now } = options;
  return {
    list: () =>
      run(async (db) => {
        const groups = db.selectFrom('marquee_groups').selectAll();
        return (await groups.orderBy('name').execute()).map(toGroup);
      }),
    async find(name) {
      const [group = null] = await run((db) => readGroups(db, [name]));
      return group;
    },
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

async function readGroups(db: Kysely<Schema>, names: readonly string[]): Promise<Group[]> {
  const groups = db.selectFrom('marquee_groups').selectAll().where('name', 'in', names);
  return (await groups.execute()).map(toGroup);
}

function toGroup(row: Selectable<Schema['marquee_groups']>): Group {
  return { name: row.name, budget: toBudget(row.budget), createdAt: row.created_at };
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
