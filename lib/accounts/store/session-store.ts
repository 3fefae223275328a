import type { Selectable } from 'kysely';
import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-store.ts';

/** A browser that is signed in. Times are Unix ms. */
export type SessionRecord = Readonly<{
  id: string;
  memberId: string;
  /** Browser and system, such as `Firefox on Linux`. */
  device: string;
  createdAt: number;
  usedAt: number;
}>;

type SessionWithMember = Readonly<{ session: SessionRecord; member: Member }>;

export type SessionStore = Readonly<{
  insert: (session: SessionRecord & Readonly<{ hash: string }>) => Promise<void>;
  /** By the hash of its token, unless its member is disabled. */
  find: (hash: string) => Promise<SessionWithMember | null>;
  /** Of one member, the last used first. */
  list: (memberId: string) => Promise<SessionRecord[]>;
  /** When each of these members was last here, Unix ms; without those that are signed in nowhere. */
  lastUsed: (memberIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  setUsed: (id: string, at: number) => Promise<void>;
  /** Ends a session that its member no longer wants; false if there is none. */
  end: (id: string, memberId: string) => Promise<boolean>;
  /** Ends all sessions of a member, for somebody else; false if there are none. */
  endAll: (memberId: string, by: Actor) => Promise<boolean>;
  /** Removes a session that another one of the same browser takes the place of. */
  remove: (id: string) => Promise<void>;
  /** Removes sessions that began or were last used before these times. */
  removeExpired: (before: Readonly<{ createdAt: number; usedAt: number }>) => Promise<void>;
}>;

export function createSessionStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): SessionStore {
  return {
    insert: ({ hash, ...session }) =>
      transact(async (db) => {
        const row = { ...toRow(session), hash };
        await db.insertInto('marquee_sessions').values(row).execute();
        await appendToAuditLog(db, {
          at: session.createdAt,
          actor: session.memberId,
          memberId: session.memberId,
          action: 'session.started',
          target: session.id,
        });
      }),
    find: (hash) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_sessions')
          .selectAll()
          .where('hash', '=', hash)
          .executeTakeFirst();
        if (row === undefined) return null;
        const member = await selectMembers(db)
          .where('member.id', '=', row.member_id)
          .where('member.disabled_at', 'is', null)
          .executeTakeFirst();
        return member === undefined ? null : { session: toSession(row), member: toMember(member) };
      }),
    list: (memberId) =>
      run(async (db) => {
        const sessions = db.selectFrom('marquee_sessions').selectAll();
        const ofMember = sessions.where('member_id', '=', memberId);
        return (await ofMember.orderBy('used_at', 'desc').execute()).map(toSession);
      }),
    lastUsed: (memberIds) =>
      run(async (db) => {
        if (memberIds.length === 0) return new Map();
        const rows = await db
          .selectFrom('marquee_sessions')
          .select(({ fn }) => ['member_id as id', fn.max<number>('used_at').as('at')])
          .where('member_id', 'in', memberIds)
          .groupBy('member_id')
          .execute();
        return new Map(rows.map(({ id, at }) => [id, at]));
      }),
    setUsed: (id, at) =>
      run(async (db) => {
        const sessions = db.updateTable('marquee_sessions').where('id', '=', id);
        await sessions.set({ used_at: at }).execute();
      }),
    end: (id, memberId) =>
      transact(async (db) => {
        const session = db.deleteFrom('marquee_sessions').where('id', '=', id);
        const ofMember = session.where('member_id', '=', memberId);
        if ((await ofMember.executeTakeFirst()).numDeletedRows !== 1n) return false;
        await appendToAuditLog(db, {
          at: now(),
          actor: memberId,
          memberId,
          action: 'session.ended',
          target: id,
        });
        return true;
      }),
    endAll: (memberId, by) =>
      transact(async (db) => {
        const sessions = db.deleteFrom('marquee_sessions').where('member_id', '=', memberId);
        if ((await sessions.executeTakeFirst()).numDeletedRows === 0n) return false;
        await appendToAuditLog(db, {
          at: now(),
          actor: by,
          memberId,
          action: 'member.signed_out',
          target: memberId,
        });
        return true;
      }),
    remove: (id) =>
      run(async (db) => {
        await db.deleteFrom('marquee_sessions').where('id', '=', id).execute();
      }),
    removeExpired: ({ createdAt, usedAt }) =>
      run(async (db) => {
        await db
          .deleteFrom('marquee_sessions')
          .where((value) =>
            value.or([value('created_at', '<', createdAt), value('used_at', '<', usedAt)]),
          )
          .execute();
      }),
  };
}

function toRow({ id, memberId, device, createdAt, usedAt }: SessionRecord) {
  return { id, member_id: memberId, device, created_at: createdAt, used_at: usedAt };
}

function toSession(row: Selectable<Schema['marquee_sessions']>): SessionRecord {
  return {
    id: row.id,
    memberId: row.member_id,
    device: row.device,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}
