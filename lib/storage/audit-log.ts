import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type AuditAction, anchorAction, auditActions } from './audit-actions.ts';
import {
  type AuditHead,
  type ChainReport,
  createChainCheck,
  erasedValue,
  eraseSalts,
  isAnchor,
  toDigests,
  toRowHash,
} from './audit-chain.ts';
import { toUtcDay } from './days.ts';
import type { List } from './lists.ts';
import type { RunQuery, Schema } from './schema.ts';
import { readStored } from './stored-json.ts';

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
  /** The id of the key, member, session or webhook, or the name of the group. */
  target: string;
  /** The member whom it is about; null for groups and the operator's keys. */
  memberId: string | null;
  oldValues: AuditValues | null;
  newValues: AuditValues | null;
}>;

/** All entries. */
export const auditList = {
  from: sql`(select * from marquee_audit_log where action <> ${sql.lit(anchorAction)}) as item`,
  id: 'item.id',
  texts: [],
  sorts: {
    newest: {
      words: 'Newest first',
      by: () => ({ value: sql.ref('item.position'), isText: false, isDescending: true }),
    },
  },
  filters: {
    action: {
      label: 'Action',
      options: auditActions.map(
        (action) => [action, action.replace('.', ' '), () => sql`item.action = ${action}`] as const,
      ),
    },
    /** The id of a member: changes by them or about them. */
    person: {
      label: null,
      where: (id) => sql`(item.actor_id = ${id} or item.member_id = ${id})`,
    },
  },
  async readRows(db, ids) {
    const entries = db.selectFrom('marquee_audit_log').selectAll().where('id', 'in', ids);
    return (await entries.execute()).map(toEntry);
  },
  toId: ({ id }) => id,
} as const satisfies List<AuditEntry>;

export type AuditLog = Readonly<{
  /**
   * Deletes the oldest entries, as long as they are older than a day (`YYYY-MM-DD`, UTC), and writes the anchor that
   * the rest of the chain hangs on. Returns how many.
   */
  prune: (beforeDay: string) => Promise<number>;
  /** The newest entry; position 0: there was none yet. */
  readHead: () => Promise<AuditHead>;
  /**
   * Recomputes the chain: says which entries are missing or changed.
   * @param knownHash that of an entry, as the log had it once.
   */
  verify: (knownHash?: string) => Promise<ChainReport>;
}>;

/** How many rows are read at a time. */
const pageRows = 1_000;

/** Append-only: nothing changes an entry, only age removes one, and only the ids of deleted members are erased. */
export function createAuditLog(run: RunQuery): AuditLog {
  return {
    prune: (beforeDay) =>
      run((db) => db.transaction().execute((transaction) => prune(transaction, beforeDay))),
    readHead: () => run(selectHead),
    async verify(knownHash) {
      for (;;) {
        const first = await run(selectFirst);
        const report = await checkChain(run, knownHash);
        // Otherwise rows were pruned before they were read.
        if ((await run(selectFirst)) === first) return report;
      }
    },
  };
}

async function checkChain(run: RunQuery, knownHash: string | undefined): Promise<ChainReport> {
  const check = createChainCheck();
  // First: what is appended meanwhile is newer.
  const head = await run(selectHead);
  for (let last = 0; last < head.position; ) {
    const rows = await run((db) =>
      selectRows(db).where('position', '>', last).where('position', '<=', head.position).execute(),
    );
    for (const row of rows) check.checkRow(row);
    last = rows.at(-1)?.position ?? head.position;
  }
  return check.finish(head, knownHash);
}

type NewEntry = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'target'> &
  Partial<Pick<AuditEntry, 'memberId' | 'oldValues' | 'newValues'>>;

/** Writes an entry in the transaction of its change. */
export async function appendToAuditLog(
  transaction: Transaction<Schema>,
  { at, actor, action, target, memberId = null, oldValues = null, newValues = null }: NewEntry,
): Promise<void> {
  // The lock: appends of all instances run one after the other.
  const { position, hash: previousHash } = await transaction
    .updateTable('marquee_audit_head')
    .set((head) => ({ position: head('position', '+', 1) }))
    .returningAll()
    .executeTakeFirstOrThrow();
  const values = {
    position,
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
  const row = { ...values, digests: toDigests(values) };
  const hash = toRowHash(row, previousHash);
  await transaction
    .insertInto('marquee_audit_log')
    .values({ ...row, hash })
    .execute();
  await transaction.updateTable('marquee_audit_head').set({ hash }).execute();
}

/** Erases the ids of a deleted member, of its keys and its sessions. The chain still fits: it has their digests. */
export async function eraseFromAuditLog(
  transaction: Transaction<Schema>,
  memberId: string,
): Promise<void> {
  const entries = transaction.selectFrom('marquee_audit_log').selectAll();
  const rows = await entries
    .where((value) =>
      value.or([value('actor_id', '=', memberId), value('member_id', '=', memberId)]),
    )
    .execute();
  for (const { position, digests, actor_id, member_id } of rows) {
    const isActor = actor_id === memberId;
    const isAbout = member_id === memberId;
    await transaction
      .updateTable('marquee_audit_log')
      .set({
        ...(isActor && { actor_id: erasedValue }),
        ...(isAbout && { member_id: erasedValue, target: erasedValue }),
        digests: eraseSalts(digests, [
          ...(isActor ? (['actor_id'] as const) : []),
          ...(isAbout ? (['member_id', 'target'] as const) : []),
        ]),
      })
      .where('position', '=', position)
      .execute();
  }
}

/** The columns in which two rows differ, before and after. */
export function compareRows(before: AuditValues, after: AuditValues) {
  const changed = Object.keys(after).filter((column) => before[column] !== after[column]);
  const pick = (row: AuditValues) =>
    Object.fromEntries(changed.map((column) => [column, row[column] ?? null]));
  return { changed, oldValues: pick(before), newValues: pick(after) };
}

/** The oldest rows go, since what is left must be one chain. The last of them becomes the anchor. */
async function prune(db: Transaction<Schema>, beforeDay: string): Promise<number> {
  const rows = await selectRows(db).execute();
  const kept = rows.findIndex((row) => !isAnchor(row) && row.day >= beforeDay);
  const pruned = kept === -1 ? rows : rows.slice(0, kept);
  const last = pruned.at(-1);
  const count = pruned.filter((row) => !isAnchor(row)).length;
  if (last === undefined || count === 0) return 0;
  await db.deleteFrom('marquee_audit_log').where('position', '<', last.position).execute();
  await db
    .updateTable('marquee_audit_log')
    .set({
      action: anchorAction,
      day: beforeDay,
      actor_id: null,
      target: '',
      member_id: null,
      old_values: null,
      new_values: null,
      digests: '{}',
    })
    .where('position', '=', last.position)
    .execute();
  return count;
}

function selectRows(db: Kysely<Schema>) {
  return db.selectFrom('marquee_audit_log').selectAll().orderBy('position').limit(pageRows);
}

/** The position of the oldest row, which is an anchor once others were pruned. */
async function selectFirst(db: Kysely<Schema>): Promise<number | undefined> {
  return (await selectRows(db).limit(1).executeTakeFirst())?.position;
}

function selectHead(db: Kysely<Schema>): Promise<AuditHead> {
  return db.selectFrom('marquee_audit_head').selectAll().executeTakeFirstOrThrow();
}

function toEntry(row: Selectable<Schema['marquee_audit_log']>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor_id,
    // Anchors are not selected.
    action: row.action as AuditAction,
    target: row.target,
    memberId: row.member_id,
    oldValues: toValues(row.old_values),
    newValues: toValues(row.new_values),
  };
}

const storedValues = z.record(z.string(), z.union([z.string(), z.number(), z.null()])).nullable();

function toValues(text: string | null): AuditValues | null {
  return text === null ? null : readStored(storedValues, text, null);
}
