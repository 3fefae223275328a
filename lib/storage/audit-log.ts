import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';

import type { AuditAction } from './audit-actions.ts';
import { pruneByDay, toUtcDay } from './days.ts';
import type { RunQuery, Schema } from './schema.ts';

/** The id of the member who makes a change; null: the operator, by a command. */
export type Actor = string | null;

/** The columns that a change has written. Names are left out: a member who is deleted leaves none behind. */
export type AuditValues = Readonly<Record<string, string | number | null>>;

/** A change that somebody has made. It has ids only; names are looked up where it is shown. */
export type AuditEntry = Readonly<{
  id: string;
  /** Unix ms. */
  at: number;
  actor: Actor;
  action: AuditAction;
  /** The id of the key, member or session, or the name of the group. */
  target: string;
  /** The member whom it is about; null for groups and the operator's keys. */
  memberId: string | null;
  oldValues: AuditValues | null;
  newValues: AuditValues | null;
}>;

export type AuditFilter = Readonly<{
  /** Changes by this member or about them. */
  memberId?: string | undefined;
  action?: AuditAction | undefined;
}>;

export type AuditLog = Readonly<{
  /** The newest first. */
  list: (
    filter: AuditFilter,
    page: Readonly<{ limit: number; offset: number }>,
  ) => Promise<Readonly<{ entries: readonly AuditEntry[]; total: number }>>;
  /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
  prune: (beforeDay: string) => Promise<number>;
}>;

/** Append-only: nothing changes an entry, and only age removes one. */
export function createAuditLog(run: RunQuery): AuditLog {
  return {
    list: (filter, { limit, offset }) =>
      run(async (db) => {
        const entries = selectEntries(db, filter);
        const rows = await entries
          .selectAll()
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const { total } = await entries
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        return { entries: rows.map(toEntry), total };
      }),
    prune: (beforeDay) => run((db) => pruneByDay(db, 'marquee_audit_log', beforeDay)),
  };
}

type NewEntry = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'target'> &
  Partial<Pick<AuditEntry, 'memberId' | 'oldValues' | 'newValues'>>;

/** Writes an entry in the transaction of its change. */
export async function appendToAuditLog(
  transaction: Transaction<Schema>,
  { at, actor, action, target, memberId = null, oldValues = null, newValues = null }: NewEntry,
): Promise<void> {
  const row = {
    id: `log_${randomBytes(12).toString('base64url')}`,
    at,
    day: toUtcDay(at),
    actor_id: actor,
    action,
    target,
    member_id: memberId,
    old_values: oldValues === null ? null : JSON.stringify(oldValues),
    new_values: newValues === null ? null : JSON.stringify(newValues),
  };
  await transaction.insertInto('marquee_audit_log').values(row).execute();
}

/** The columns in which two rows differ, before and after. */
export function compareRows(before: AuditValues, after: AuditValues) {
  const changed = Object.keys(after).filter((column) => before[column] !== after[column]);
  const pick = (row: AuditValues) =>
    Object.fromEntries(changed.map((column) => [column, row[column] ?? null]));
  return { changed, oldValues: pick(before), newValues: pick(after) };
}

function selectEntries(db: Kysely<Schema>, { memberId, action }: AuditFilter) {
  let entries = db.selectFrom('marquee_audit_log');
  if (action !== undefined) entries = entries.where('action', '=', action);
  if (memberId === undefined) return entries;
  return entries.where((value) =>
    value.or([value('actor_id', '=', memberId), value('member_id', '=', memberId)]),
  );
}

function toEntry(row: Selectable<Schema['marquee_audit_log']>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor_id,
    action: row.action,
    target: row.target,
    memberId: row.member_id,
    oldValues: row.old_values === null ? null : JSON.parse(row.old_values),
    newValues: row.new_values === null ? null : JSON.parse(row.new_values),
  };
}
