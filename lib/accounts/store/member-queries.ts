import type { Kysely } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-store.ts';

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

export function createMemberQueries(run: RunQuery): MemberQueries {
  return {
    search: ({ text, limit, offset }) =>
      run(async (db) => {
        const all = db.selectFrom('marquee_members').select(['id', 'name', 'email']);
        const found = (await all.execute()).filter(hasText(text)).sort(byName);
        const ids = found.slice(offset, offset + limit).map(({ id }) => id);
        if (ids.length === 0) return { members: [], total: found.length };
        const rows = await selectMembers(db).where('member.id', 'in', ids).execute();
        return { members: rows.map(toMember).sort(byName), total: found.length };
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

type Named = Readonly<{ id: string; name: string; email: string | null }>;

/** Not in SQL: lower() knows ASCII alone in SQLite, and in PostgreSQL with some locales. */
function hasText(text: string): (member: Named) => boolean {
  const wanted = text.toLowerCase();
  return ({ name, email }) => [name, email].some((one) => one?.toLowerCase().includes(wanted));
}

const { compare } = new Intl.Collator('en');

function byName(one: Named, other: Named): number {
  return compare(one.name, other.name) || (one.id < other.id ? -1 : 1);
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
