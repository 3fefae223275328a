import { type Kysely, sql } from 'kysely';
import { sortByCost } from '#lib/spend/store/recent-costs.ts';
import type { List } from '#lib/storage/lists.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-record.ts';

/** All members. */
export const memberList = {
  from: sql`marquee_members as item`,
  id: 'item.id',
  texts: ['item.name', 'item.email', 'item.id'],
  search: 'Name, email address or id',
  sorts: {
    name: {
      words: 'Name',
      by: () => ({ value: sql`lower(item.name)`, isText: true, isDescending: false }),
    },
    cost: { words: 'Cost, 30 days', by: (now) => sortByCost('member', now) },
    seen: {
      words: 'Last seen first',
      by: () => ({
        value: sql<number>`case when coalesce(session.used_at, 0) > item.confirmed_at
          then session.used_at else item.confirmed_at end`,
        isText: false,
        isDescending: true,
        join: sql`left join (
          select member_id, max(used_at) as used_at from marquee_sessions group by member_id
        ) as session on session.member_id = item.id`,
      }),
    },
    joined: {
      words: 'Newest first',
      by: () => ({ value: sql.ref('item.created_at'), isText: false, isDescending: true }),
    },
  },
  filters: {
    state: {
      label: 'State',
      options: [
        ['active', 'Enabled', () => sql`item.disabled_at is null`],
        ['disabled', 'Disabled', () => sql`item.disabled_at is not null`],
      ],
    },
    /** The name of a group. */
    group: { label: null, where: (name) => sql`item.group_name = ${name}` },
  },
  async readRows(db, ids) {
    return (await selectMembers(db).where('member.id', 'in', ids).execute()).map(toMember);
  },
  toId: ({ id }) => id,
} as const satisfies List<Member>;

/** What lists of members, and mails to them, read. */
export type MemberQueries = Readonly<{
  /** Those with an address, in any case. */
  findByAddress: (address: string) => Promise<Member[]>;
  /** How many members each of these groups has; without those that have none. */
  countByGroup: (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Whether a member wants alerts about budgets and keys by mail. */
  wantsAlerts: (id: string) => Promise<boolean>;
  setAlerts: (id: string, wantsAlerts: boolean) => Promise<void>;
  /** Those who want alerts, and may use the site. */
  listAlerted: () => Promise<Member[]>;
}>;

export function createMemberQueries(run: RunQuery): MemberQueries {
  return {
    findByAddress: (address) =>
      run(async (db) => {
        const rows = await selectMembers(db)
          .where(sql`lower(member.email)`, '=', address.toLowerCase())
          .execute();
        return rows.map(toMember);
      }),
    countByGroup: (names) =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_members')
          .select(({ fn }) => ['group_name as name', fn.countAll<number>().as('count')])
          .where('group_name', 'in', names)
          .groupBy('group_name')
          .execute();
        return new Map(rows.map(({ name, count }) => [name ?? '', count]));
      }),
    names: (ids) =>
      run(async (db) => {
        if (ids.length === 0) return new Map();
        const members = db.selectFrom('marquee_members').select(['id', 'name']);
        const rows = await members.where('id', 'in', ids).execute();
        return new Map(rows.map(({ id, name }) => [id, name]));
      }),
    wantsAlerts: (id) =>
      run(async (db) => {
        const members = db.selectFrom('marquee_members').select('alerts').where('id', '=', id);
        return (await members.executeTakeFirst())?.alerts === 1;
      }),
    setAlerts: (id, wantsAlerts) =>
      run(async (db) => {
        const members = db.updateTable('marquee_members').set({ alerts: wantsAlerts ? 1 : 0 });
        await members.where('id', '=', id).execute();
      }),
    listAlerted: () =>
      run(async (db) => {
        const rows = await selectReachable(db).where('member.alerts', '=', 1).execute();
        return rows.map(toMember);
      }),
  };
}

/** Everybody with an address who may use the site. */
export async function listReachable(db: Kysely<Schema>): Promise<Member[]> {
  return (await selectReachable(db).execute()).map(toMember);
}

function selectReachable(db: Kysely<Schema>) {
  return selectMembers(db)
    .where('member.email', 'is not', null)
    .where('member.disabled_at', 'is', null)
    .orderBy('member.id');
}
