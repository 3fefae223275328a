import type { Insertable, Selectable, Transaction } from 'kysely';
import { type Actor, appendToAuditLog, compareRows } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import type { KeyRecord } from './key-record.ts';
import { type KeyUpdate, toKeyUpdate, toRecord, toRow, toUpdatableRow } from './key-record.ts';
import {
  countAll,
  type FoundKey,
  isActive,
  type KeyQuery,
  searchKeys,
  selectKeys,
} from './search-keys.ts';

/** What a rotation replaces. */
export type KeySecret = Pick<KeyRecord, 'hash' | 'hint' | 'pepperId'>;

/** Why a key was revoked: by whom it belongs to or the operator, since it was found in public, or by itself. */
export type RevokeAction = 'key.revoked' | 'key.leaked' | 'key.given-up';

export type InsertResult = 'inserted' | 'taken' | 'too-many' | 'too-many-today' | 'no-owner';

/** Every change is written to the audit log, by default as one of the operator. */
export type KeyStore = Readonly<{
  /** `taken`: a key with this name, id or hash exists. */
  insert: (key: KeyRecord, by?: Actor, bounds?: KeyBounds) => Promise<InsertResult>;
  /** How many there are, including revoked ones. */
  count: () => Promise<number>;
  /** Those that work first, the newest first. */
  search: (query: KeyQuery) => Promise<Readonly<{ keys: readonly FoundKey[]; total: number }>>;
  /** How many keys of each of these members work at a time (Unix ms); without those that have none. */
  countActive: (ownerIds: readonly string[], now: number) => Promise<ReadonlyMap<string, number>>;
  /** All keys including revoked ones, or those of one member; oldest first. */
  list: (ownerId?: string) => Promise<KeyRecord[]>;
  /** Names are those of the operator's keys: members' are found by id. */
  find: (by: 'id' | 'name', value: string) => Promise<KeyRecord | null>;
  /** Those that exist, including revoked ones. */
  findByHash: (hashes: readonly string[]) => Promise<KeyRecord[]>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** False if no active key has this id. */
  revoke: (id: string, by?: Actor, action?: RevokeAction) => Promise<boolean>;
  /** Fields that are left out stay as they are. `inactive`: no active key has this id; `taken`: another key has the name. */
  update: (
    id: string,
    changes: Partial<KeyUpdate>,
    by?: Actor,
  ) => Promise<'updated' | 'inactive' | 'taken'>;
  setUsedFrom: (id: string, network: string) => Promise<void>;
  /** Replaces the secret; false if no active key has this id. */
  rotate: (id: string, secret: KeySecret, by?: Actor) => Promise<boolean>;
}>;

type KeyChange = Omit<Parameters<typeof appendToAuditLog>[1], 'at' | 'target' | 'memberId'>;

/** SQLSTATE of PostgreSQL, primary result code of SQLite. */
const uniqueViolations = new Set(['23505', 'SQLITE_19']);

type KeyStoreOptions = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  readLong: RunQuery;
  now: () => number;
}>;

export function createKeyStore({ run, transact, readLong, now }: KeyStoreOptions): KeyStore {
  function log(
    db: Transaction<Schema>,
    { id, owner_id }: Pick<KeyRow, 'id'> & Readonly<{ owner_id?: string | null }>,
    entry: KeyChange,
  ): Promise<void> {
    return appendToAuditLog(db, { ...entry, at: now(), target: id, memberId: owner_id ?? null });
  }

  async function logUpdate(
    db: Transaction<Schema>,
    before: KeyRow,
    { row, by: actor }: Readonly<{ row: ReturnType<typeof toUpdatableRow>; by: Actor }>,
  ): Promise<void> {
    const { name, ...values } = row;
    if (name !== before.name) await log(db, before, { actor, action: 'key.renamed' });
    const { changed, oldValues, newValues } = compareRows(before, values);
    if (changed.length === 0) return;
    await log(db, before, { actor, action: 'key.changed', oldValues, newValues });
  }

  return {
    insert: (key, by = null, bounds) =>
      transact(async (db) => {
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
        await log(db, row, { actor: by, action: 'key.created', newValues });
        return 'inserted';
      }),
    list: (ownerId) =>
      run(async (db) => {
        const keys = selectKeys(db).orderBy('key.created_at').orderBy('key.id');
        const ofOwner = ownerId === undefined ? keys : keys.where('key.owner_id', '=', ownerId);
        return (await ofOwner.execute()).map(toRecord);
      }),
    count: () =>
      run(async (db) => {
        const keys = db.selectFrom('marquee_keys');
        const { total } = await keys.select(countAll).executeTakeFirstOrThrow();
        return total;
      }),
    search: (query) => readLong((db) => searchKeys(db, query)),
    countActive: (ownerIds, at) =>
      readLong(async (db) => {
        if (ownerIds.length === 0) return new Map();
        const rows = await db
          .selectFrom('marquee_keys')
          .select(['owner_id as id', countAll])
          .where('owner_id', 'in', ownerIds)
          .where(isActive(at))
          .groupBy('owner_id')
          .execute();
        return new Map(rows.map(({ id, total }) => [id ?? '', total]));
      }),
    find: (by, value) =>
      run(async (db) => {
        const keys = selectKeys(db).where(`key.${by}`, '=', value);
        const found = by === 'name' ? keys.where('key.owner_id', 'is', null) : keys;
        const row = await found.executeTakeFirst();
        return row === undefined ? null : toRecord(row);
      }),
    findByHash: (hashes) =>
      run(async (db) =>
        (await selectKeys(db).where('key.hash', 'in', hashes).execute()).map(toRecord),
      ),
    names: (ids) =>
      run(async (db) => {
        if (ids.length === 0) return new Map();
        const keys = db.selectFrom('marquee_keys').select(['id', 'name']);
        const rows = await keys.where('id', 'in', ids).execute();
        return new Map(rows.map(({ id, name }) => [id, name]));
      }),
    revoke: (id, by = null, action = 'key.revoked') =>
      transact(async (db) => {
        const key = await updateActive(db, id, { revoked_at: now() });
        if (key !== null) await log(db, key, { actor: by, action });
        return key !== null;
      }),
    async update(id, changes, by = null) {
      try {
        return await transact(async (db) => {
          const key = await lockActive(db, id);
          if (key === null) return 'inactive';
          const row = toUpdatableRow({ ...toKeyUpdate(key), ...changes });
          await updateActive(db, id, row);
          await logUpdate(db, key, { row, by });
          return 'updated';
        });
      } catch (error) {
        if (isStorageError(error) && uniqueViolations.has(error.code)) return 'taken';
        throw error;
      }
    },
    setUsedFrom: (id, network) =>
      run(async (db) => {
        const keys = db.updateTable('marquee_keys').where('id', '=', id);
        await keys.where('revoked_at', 'is', null).set({ used_from: network }).execute();
      }),
    rotate: (id, { hash, hint, pepperId }, by = null) =>
      transact(async (db) => {
        const key = await updateActive(db, id, { hash, hint, pepper_id: pepperId });
        if (key !== null) await log(db, key, { actor: by, action: 'key.rotated' });
        return key !== null;
      }),
  };
}

/** How many keys one owner may have. */
export type KeyBounds = Readonly<{ activeMax: number; perDayMax: number }>;

const dayMs = 86_400_000;

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

/** Other changes of this member and of its keys wait for this one. Null if there is no such member. */
export async function lockOwner(db: Transaction<Schema>, id: string) {
  const members = db.updateTable('marquee_members').set({ id }).where('id', '=', id);
  const found = members.returning(['disabled_at', 'budget', 'group_name']);
  return (await found.executeTakeFirst()) ?? null;
}
