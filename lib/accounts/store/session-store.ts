import { createHash } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-record.ts';

/** A browser that is signed in. Times are Unix ms. */
export type SessionRecord = Readonly<{
  id: string;
  memberId: string;
  /** Browser and system, such as `Firefox on Linux`. */
  device: string;
  createdAt: number;
  usedAt: number;
}>;

type NewSession = SessionRecord & Readonly<{ hash: string }>;
type SessionWithMember = Readonly<{ session: SessionRecord; member: Member }>;

export type SessionStore = Readonly<{
  insert: (session: NewSession) => Promise<void>;
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
  /** Marks a sign-in as ended, until a time from when it cannot be repeated anyway. @returns false if it was marked */
  spendSignIn: (state: string, until: number) => Promise<boolean>;
}>;

export function createSessionStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): SessionStore {
  return {
    insert: (session) => transact((db) => insertSession(db, session)),
    find: (hash) => run((db) => findSession(db, hash)),
    list: (memberId) => run((db) => listSessions(db, memberId)),
    lastUsed: (memberIds) => run((db) => readLastUsed(db, memberIds)),
    setUsed: (id, at) =>
      run(async (db) => {
        const sessions = db.updateTable('marquee_sessions').where('id', '=', id);
        await sessions.set({ used_at: at }).execute();
      }),
    end: (id, memberId) => transact((db) => endSession(db, { id, memberId, at: now() })),
    endAll: (memberId, by) => transact((db) => endSessions(db, { memberId, by, at: now() })),
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
    spendSignIn: (state, until) => run((db) => spendSignIn(db, { state, until, at: now() })),
  };
}

async function insertSession(db: Transaction<Schema>, session: NewSession): Promise<void> {
  const { id, memberId, createdAt: at, hash } = session;
  const row = { ...toRow(session), hash };
  await db.insertInto('marquee_sessions').values(row).execute();
  const action = 'session.started';
  await appendToAuditLog(db, { at, actor: memberId, memberId, action, target: id });
}

async function findSession(db: Kysely<Schema>, hash: string): Promise<SessionWithMember | null> {
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
}

async function listSessions(db: Kysely<Schema>, memberId: string): Promise<SessionRecord[]> {
  const sessions = db.selectFrom('marquee_sessions').selectAll();
  const ofMember = sessions.where('member_id', '=', memberId);
  return (await ofMember.orderBy('used_at', 'desc').execute()).map(toSession);
}

async function readLastUsed(
  db: Kysely<Schema>,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (memberIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('marquee_sessions')
    .select(({ fn }) => ['member_id as id', fn.max<number>('used_at').as('at')])
    .where('member_id', 'in', memberIds)
    .groupBy('member_id')
    .execute();
  return new Map(rows.map(({ id, at }) => [id, at]));
}

async function endSession(
  db: Transaction<Schema>,
  { id, memberId, at }: Readonly<{ id: string; memberId: string; at: number }>,
): Promise<boolean> {
  const session = db.deleteFrom('marquee_sessions').where('id', '=', id);
  const ofMember = session.where('member_id', '=', memberId);
  if ((await ofMember.executeTakeFirst()).numDeletedRows !== 1n) return false;
  const action = 'session.ended';
  await appendToAuditLog(db, { at, actor: memberId, memberId, action, target: id });
  return true;
}

async function endSessions(
  db: Transaction<Schema>,
  { memberId, by, at }: Readonly<{ memberId: string; by: Actor; at: number }>,
): Promise<boolean> {
  const sessions = db.deleteFrom('marquee_sessions').where('member_id', '=', memberId);
  if ((await sessions.executeTakeFirst()).numDeletedRows === 0n) return false;
  const action = 'member.signed_out';
  await appendToAuditLog(db, { at, actor: by, memberId, action, target: memberId });
  return true;
}

async function spendSignIn(
  db: Kysely<Schema>,
  { state, until, at }: Readonly<{ state: string; until: number; at: number }>,
): Promise<boolean> {
  await db.deleteFrom('marquee_spent_sign_ins').where('until', '<', at).execute();
  const hash = createHash('sha256').update(state).digest('base64url');
  const row = db.insertInto('marquee_spent_sign_ins').values({ state: hash, until });
  const { numInsertedOrUpdatedRows } = await row
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
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
