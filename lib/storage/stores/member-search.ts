import { sql } from 'kysely';
import type { RunQuery } from '../schema.ts';
import { type Member, selectMembers, toMember } from './member-store.ts';

export type MemberQuery = Readonly<{
  /** A part of the name or address, in any case; '' for all. */
  text: string;
  limit: number;
  offset: number;
}>;

export type MemberSearch = Readonly<{
  /** By name. */
  search: (query: MemberQuery) => Promise<Readonly<{ members: readonly Member[]; total: number }>>;
  /** How many members each group has. */
  countByGroup: () => Promise<ReadonlyMap<string, number>>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}>;

export function createMemberSearch(run: RunQuery): MemberSearch {
  return {
    search: ({ text, limit, offset }) =>
      run(async (db) => {
        const rows = await selectMembers(db)
          .where(toCondition(text))
          .orderBy(sql`lower(member.name)`)
          .orderBy('member.id')
          .limit(limit)
          .offset(offset)
          .execute();
        const { total } = await db
          .selectFrom('marquee_members as member')
          .where(toCondition(text))
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
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
  };
}

function toCondition(text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  // Both sides by the database: SQLite's lower() knows ASCII alone.
  const matches = (column: string) =>
    sql`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
  return sql<boolean>`(${matches('member.name')} or ${matches('member.email')})`;
}
