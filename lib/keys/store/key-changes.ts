import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { type Actor, appendToAuditLog, compareRows } from '#lib/storage/audit-log.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import {
  type KeyRecord,
  type KeyUpdate,
  toKeyUpdate,
  toRow,
  toUpdatableRow,
} from './key-record.ts';

/** By whom and when a key is changed, Unix ms. */
type Change = Readonly<{ by: Actor; at: number }>;

/** How many keys one owner may have. */
export type KeyBounds = Readonly<{ activeMax: number; perDayMax: number }>;

export type InsertResult = 'inserted' | 'taken' | 'too-many' | 'too-many-today' | 'no-owner';

export async function insertKey(
  db: Transaction<Schema>,
  key: KeyRecord,
  { bounds, ...change }: Change & Readonly<{ bounds: KeyBounds | undefined }>,
): Promise<InsertResult> {
  if (key.owner !== null && (await lockOwner(db, key.owner.id)) === null) return 'no-owner';
  const reached = bounds && (await findReachedBound(db, key, bounds));
  if (reached) return reached;
  const row = toRow(key);
  const insert = db.insertInto('marquee_keys').values(row);
  const { numInsertedOrUpdatedRows } = await insert
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return 'taken';
  const { name: _, ...newValues } = toUpdatableRow(key);
  await log(db, row, { action: 'key.created', ...change, newValues });
  return 'inserted';
}

const dayMs = 86_400_000;

/** Which bound the owner of a new key has reached; null for none. */
async function findReachedBound(
  db: Transaction<Schema>,
  { owner, createdAt }: KeyRecord,
  { activeMax, perDayMax }: KeyBounds,
): Promise<'too-many' | 'too-many-today' | null> {
  const keys = db.selectFrom('marquee_keys').where('owner_id', '=', owner?.id ?? null);
  const rows = await keys.select(['created_at', 'revoked_at']).execute();
  if (rows.filter((row) => row.revoked_at === null).length >= activeMax) return 'too-many';
  const ofDay = rows.filter((row) => row.created_at > createdAt - dayMs);
  return ofDay.length >= perDayMax ? 'too-many-today' : null;
}

/** Why a key was revoked: by whom it belongs to or the operator, since it was found in public, or by itself. */
export type RevokeAction = 'key.revoked' | 'key.leaked' | 'key.given-up';

/** False if no active key has this id. */
export async function revokeKey(
  db: Transaction<Schema>,
  id: string,
  change: Change & Readonly<{ action: RevokeAction }>,
): Promise<boolean> {
  const key = await updateActive(db, id, { revoked_at: change.at });
  if (key !== null) await log(db, key, change);
  return key !== null;
}

/** What a rotation replaces. */
export type KeySecret = Pick<KeyRecord, 'hash' | 'hint' | 'pepperId'>;

/** False if no active key has this id. */
export async function rotateKey(
  db: Transaction<Schema>,
  id: string,
  { secret, ...change }: Change & Readonly<{ secret: KeySecret }>,
): Promise<boolean> {
  const { hash, hint, pepperId } = secret;
  const key = await updateActive(db, id, { hash, hint, pepper_id: pepperId });
  if (key !== null) await log(db, key, { action: 'key.rotated', ...change });
  return key !== null;
}

export type UpdateResult = 'updated' | 'inactive' | 'taken';

export async function updateKey(
  db: Transaction<Schema>,
  id: string,
  { changes, ...change }: Change & Readonly<{ changes: Partial<KeyUpdate> }>,
): Promise<UpdateResult> {
  const before = await lockActive(db, id);
  if (before === null) return 'inactive';
  const row = toUpdatableRow({ ...toKeyUpdate(before), ...changes });
  await updateActive(db, id, row);
  const { name, ...values } = row;
  if (name !== before.name) await log(db, before, { action: 'key.renamed', ...change });
  const { changed, oldValues, newValues } = compareRows(before, values);
  if (changed.length > 0) {
    await log(db, before, { action: 'key.changed', ...change, oldValues, newValues });
  }
  return 'updated';
}

/** SQLSTATE of PostgreSQL, primary result code of SQLite. */
const uniqueViolations = new Set(['23505', 'SQLITE_19']);

/** A transaction that fails, as another key has the name already. */
export async function takenIfNotUnique(update: Promise<UpdateResult>): Promise<UpdateResult> {
  try {
    return await update;
  } catch (error) {
    if (isStorageError(error) && uniqueViolations.has(error.code)) return 'taken';
    throw error;
  }
}

export async function setUsedFrom(db: Kysely<Schema>, id: string, network: string): Promise<void> {
  const keys = db.updateTable('marquee_keys').where('id', '=', id);
  await keys.where('revoked_at', 'is', null).set({ used_from: network }).execute();
}

type KeyRow = Selectable<Schema['marquee_keys']>;

/** Other changes of this key wait for this one. Null if there is no such active key. */
async function lockActive(db: Transaction<Schema>, id: string): Promise<KeyRow | null> {
  const keys = db.updateTable('marquee_keys').set({ id }).where('id', '=', id);
  return (await keys.where('revoked_at', 'is', null).returningAll().executeTakeFirst()) ?? null;
}

/** Returns the key as it was before; null if there is no such active key. */
async function updateActive(
  db: Transaction<Schema>,
  id: string,
  values: Partial<Insertable<Schema['marquee_keys']>>,
): Promise<KeyRow | null> {
  const before = await lockActive(db, id);
  if (before === null) return null;
  await db.updateTable('marquee_keys').set(values).where('id', '=', id).execute();
  return before;
}

/** Other changes of this member and of its keys wait for this one. Null if there is no such member. */
export async function lockOwner(db: Transaction<Schema>, id: string) {
  const members = db.updateTable('marquee_members').set({ id }).where('id', '=', id);
  const found = members.returning(['disabled_at', 'budget', 'group_name']);
  return (await found.executeTakeFirst()) ?? null;
}

type LogEntry = Change &
  Pick<Parameters<typeof appendToAuditLog>[1], 'action' | 'oldValues' | 'newValues'>;

function log(
  db: Transaction<Schema>,
  { id, owner_id }: Pick<KeyRow, 'id'> & Readonly<{ owner_id?: string | null }>,
  { by, ...entry }: LogEntry,
): Promise<void> {
  return appendToAuditLog(db, { ...entry, actor: by, target: id, memberId: owner_id ?? null });
}
