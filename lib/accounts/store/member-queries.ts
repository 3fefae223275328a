import { type Kysely, sql } from 'kysely';
import { hasText } from '#lib/storage/has-text.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-record.ts';

type MemberQuery = Readonly<{
  /** A part of the name or address, in any case; '' for all. */
  text: string;
  limit: number;
  offset: number;
}>;

/** What lists of members, and mails to them, read. */
export type MemberQueries = Readonly<{
  /** By name. */
  search: (query: MemberQuery) => Promise<Readonly<{ members: readonly Member[]; total: number }>>;
  /** How many members each group has. */
  countByGroup: () => Promise<ReadonlyMap<string, number>>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Whether a member wants alerts about budgets and keys by mail. */
  wantsAlerts: (id: string) => Promise<boolean>;
  setAlerts: (id: string, wantsAlerts: boolean) => Promise<void>;
  /** Those who want alerts, and may use the site. */
  listAlerted: () => Promise<Member[]>;
}>;

export function createMemberQueries(run: RunQuery, readLong: RunQuery): MemberQueries {
  return {
    search: ({ text, limit, offset }) =>
      readLong(async (db) => {
        const all = db.selectFrom('marquee_members as member');
        const found = text === '' ? all : all.where(hasText(['member.name', 'member.email'], text));
        const { total } = await found
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const ids = found
          .select('member.id')
          .orderBy(byName)
          .orderBy('member.id')
          .limit(limit)
          .offset(offset);
        const rows = await selectMembers(db)
          .where('member.id', 'in', ids)
          .orderBy(byName)
          .orderBy('member.id')
          .execute();
        return { members: rows.map(toMember), total };
      }),
    countByGroup: () =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_members')
          .select(({ fn }) => ['group_name as name', fn.countAll<number>().as('count')])
          .where('group_name', 'is not', null)
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

const byName = sql`lower(member.name)`;

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
