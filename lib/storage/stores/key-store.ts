import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { ChangeKeys } from '../key-changes.ts';
import type { RunQuery, Schema } from '../schema.ts';
import { type Actor, appendToAuditLog, compareRows } from './audit-log.ts';
import {
  type KeyRecord,
  type KeyUpdate,
  toKeyUpdate,
  toRecord,
  toRow,
  toUpdatableRow,
} from './key-record.ts';

/** What a rotation replaces. */
export type KeySecret = Pick<KeyRecord, 'hash' | 'hint' | 'pepperId'>;

export type KeyChanges = Readonly<{
  /** For the next call of `changedSince`. */
  version: number;
  keys: readonly KeyRecord[];
  /** `keys` are all keys, not only the changed ones. */
  isWhole: boolean;
}>;

/** How many keys one owner may have. */
export type KeyBounds = Readonly<{ activeMax: number; perDayMax: number }>;

/** Every change is written to the audit log, by default as one of the operator. */
export type KeyStore = Readonly<{
  /** False if a key with this name, id or hash exists, or its owner has as many as the bounds allow. */
  insert: (key: KeyRecord, by?: Actor, bounds?: KeyBounds) => Promise<boolean>;
  /** All keys including revoked ones, or those of one member; oldest first. */
  list: (ownerId?: string) => Promise<KeyRecord[]>;
  /** All keys of these members, including revoked ones. */
  listOf: (ownerIds: readonly string[]) => Promise<KeyRecord[]>;
  /** Names are those of the operator's keys: members' are found by id. */
  find: (by: 'id' | 'name' | 'hash', value: string) => Promise<KeyRecord | null>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Keys changed since a version; all for 0. */
  changedSince: (version: number) => Promise<KeyChanges>;
  /** False if no active key has this id. */
  revoke: (id: string, by?: Actor) => Promise<boolean>;
  /** Changes of a key's name, models, limits and expiry what is given. `gone`: no active key has this id; `taken`: another one has the name. */
  update: (
    id: string,
    changes: Partial<KeyUpdate>,
    by?: Actor,
  ) => Promise<'updated' | 'gone' | 'taken'>;
  /** Not a change that key caches have to know of. */
  setUsedFrom: (id: string, network: string) => Promise<void>;
  /** Replaces the secret; false if no active key has this id. */
  rotate: (id: string, secret: KeySecret, by?: Actor) => Promise<boolean>;
}>;

const dayMs = 86_400_000;

export function createKeyStore(run: RunQuery, changeKeys: ChangeKeys, now: () => number): KeyStore {
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
      changeKeys(async (db, version) => {
        if (bounds !== undefined && !(await hasRoom(db, key, bounds))) return false;
        const row = toRow(key, version);
        const insert = db.insertInto('marquee_keys').values(row);
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((on) => on.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return false;
        const { name: _, ...newValues } = toUpdatableRow(key);
        await log(db, row, { actor: by, action: 'key.created', newValues });
        return true;
      }),
    list: (ownerId) =>
      run(async (db) => {
        const keys = selectKeys(db).orderBy('key.created_at').orderBy('key.id');
        const ofOwner = ownerId === undefined ? keys : keys.where('key.owner_id', '=', ownerId);
        return (await ofOwner.execute()).map(toRecord);
      }),
    listOf: (ownerIds) =>
      run(async (db) => {
        if (ownerIds.length === 0) return [];
        const keys = selectKeys(db).where('key.owner_id', 'in', ownerIds);
        return (await keys.orderBy('key.created_at').execute()).map(toRecord);
      }),
    find: (by, value) =>
      run(async (db) => {
        const keys = selectKeys(db).where(`key.${by}`, '=', value);
        const found = by === 'name' ? keys.where('key.owner_id', 'is', null) : keys;
        const row = await found.executeTakeFirst();
        return row === undefined ? null : toRecord(row);
      }),
    names: (ids) =>
      run(async (db) => {
        if (ids.length === 0) return new Map();
        const keys = db.selectFrom('marquee_keys').select(['id', 'name']);
        const rows = await keys.where('id', 'in', ids).execute();
        return new Map(rows.map(({ id, name }) => [id, name]));
      }),
    changedSince: (known) => run((db) => readChanges(db, known)),
    revoke: (id, by = null) =>
      changeKeys(async (db, version) => {
        const key = await updateActive(db, id, { revoked_at: now(), version });
        if (key !== null) await log(db, key, { actor: by, action: 'key.revoked' });
        return key !== null;
      }),
    update: (id, changes, by = null) =>
      changeKeys(async (db, version) => {
        const key = await findActive(db, id);
        if (key === null) return 'gone';
        const row = toUpdatableRow({ ...toKeyUpdate(key), ...changes });
        if (row.name !== key.name && (await isNameTaken(db, key, row.name))) return 'taken';
        await updateActive(db, id, { ...row, version });
        await logUpdate(db, key, { row, by });
        return 'updated';
      }),
    setUsedFrom: (id, network) =>
      run(async (db) => {
        const keys = db.updateTable('marquee_keys').where('id', '=', id);
        await keys.where('revoked_at', 'is', null).set({ used_from: network }).execute();
      }),
    rotate: (id, { hash, hint, pepperId }, by = null) =>
      changeKeys(async (db, version) => {
        const key = await updateActive(db, id, { hash, hint, pepper_id: pepperId, version });
        if (key !== null) await log(db, key, { actor: by, action: 'key.rotated' });
        return key !== null;
      }),
  };
}

type KeyRow = Selectable<Schema['marquee_keys']>;

/** Returns the key as it was before; null if there is no such active key. */
async function updateActive(
  db: Transaction<Schema>,
  id: string,
  values: Partial<Insertable<Schema['marquee_keys']>>,
): Promise<KeyRow | null> {
  const before = await findActive(db, id);
  if (before === null) return null;
  await db.updateTable('marquee_keys').set(values).where('id', '=', id).execute();
  return before;
}

async function findActive(db: Transaction<Schema>, id: string): Promise<KeyRow | null> {
  const keys = db.selectFrom('marquee_keys').selectAll().where('id', '=', id);
  return (await keys.where('revoked_at', 'is', null).executeTakeFirst()) ?? null;
}

type KeyChange = Omit<Parameters<typeof appendToAuditLog>[1], 'at' | 'target' | 'memberId'>;

/** In the transaction, which other changes of keys wait for: none can slip past the bounds. */
async function hasRoom(
  db: Transaction<Schema>,
  { owner, createdAt }: KeyRecord,
  { activeMax, perDayMax }: KeyBounds,
): Promise<boolean> {
  const keys = db.selectFrom('marquee_keys').where('owner_id', '=', owner?.id ?? null);
  const rows = await keys.select(['created_at', 'revoked_at']).execute();
  const active = rows.filter((row) => row.revoked_at === null);
  const ofDay = rows.filter((row) => row.created_at > createdAt - dayMs);
  return active.length < activeMax && ofDay.length < perDayMax;
}

/** As the unique index has it: revoked keys of members leave their names free. */
async function isNameTaken(
  db: Transaction<Schema>,
  { owner_id }: KeyRow,
  name: string,
): Promise<boolean> {
  const named = db.selectFrom('marquee_keys').select('id').where('name', '=', name);
  const others =
    owner_id === null
      ? named.where('owner_id', 'is', null)
      : named.where('owner_id', '=', owner_id).where('revoked_at', 'is', null);
  return (await others.executeTakeFirst()) !== undefined;
}

async function readChanges(db: Kysely<Schema>, known: number): Promise<KeyChanges> {
  // The version first: a change in between is read twice rather than missed.
  const { version } = await db
    .selectFrom('marquee_key_changes')
    .select('version')
    .executeTakeFirstOrThrow();
  if (version === known) return { version, keys: [], isWhole: false };
  // After a restored backup the version is lower than the known one.
  const isWhole = known === 0 || version < known;
  const since = isWhole ? 0 : known;
  const rows = await selectKeys(db).where('key.version', '>', since).execute();
  return { version, keys: rows.map(toRecord), isWhole };
}

function selectKeys(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_keys as key')
    .leftJoin('marquee_members as member', 'member.id', 'key.owner_id')
    .leftJoin('marquee_groups as group', 'group.name', 'member.group_name')
    .selectAll('key')
    .select(['member.email', 'member.claims', 'member.disabled_at', 'member.confirmed_at'])
    .select(['member.group_name', 'member.budget as member_budget'])
    .select('group.budget as group_budget');
}
