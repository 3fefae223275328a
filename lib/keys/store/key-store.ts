import type { Actor } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import {
  type InsertResult,
  insertKey,
  type KeyBounds,
  type KeySecret,
  type RevokeAction,
  revokeKey,
  rotateKey,
  setUsedFrom,
  takenIfNotUnique,
  type UpdateResult,
  updateKey,
} from './key-changes.ts';
import {
  countActiveKeys,
  countKeys,
  countKeysByPepper,
  findKey,
  findKeysByHash,
  listKeys,
  listUsedKeys,
  readKeyNames,
} from './key-queries.ts';
import type { KeyRecord, KeyUpdate } from './key-record.ts';

/** Every change is written to the audit log, by default as one of the operator. */
export type KeyStore = Readonly<{
  /** `taken`: a key with this name, id or hash exists. */
  insert: (key: KeyRecord, by?: Actor, bounds?: KeyBounds) => Promise<InsertResult>;
  /** How many there are, including revoked ones. */
  count: () => Promise<number>;
  /** How many work at a time (Unix ms), by the id of their pepper; null: it was not stored yet. */
  countByPepper: (now: number) => Promise<ReadonlyMap<string | null, number>>;
  /** How many keys of each of these members work at a time (Unix ms); without those that have none. */
  countActive: (ownerIds: readonly string[], now: number) => Promise<ReadonlyMap<string, number>>;
  /** All keys including revoked ones, or those of one member; oldest first. */
  list: (ownerId?: string) => Promise<KeyRecord[]>;
  /** Those that work, were used since a time (Unix ms), and may have a budget of their own. */
  listUsed: (since: number) => Promise<KeyRecord[]>;
  /** Names are those of the operator's keys: members' are found by id. */
  find: (by: 'id' | 'name', value: string) => Promise<KeyRecord | null>;
  /** Those that exist, including revoked ones. */
  findByHash: (hashes: readonly string[]) => Promise<KeyRecord[]>;
  /** The names of those that exist, by id. */
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** False if no active key has this id. */
  revoke: (id: string, by?: Actor, action?: RevokeAction) => Promise<boolean>;
  /** Fields that are left out stay as they are. `inactive`: no active key has this id; `taken`: another key has the name. */
  update: (id: string, changes: Partial<KeyUpdate>, by?: Actor) => Promise<UpdateResult>;
  setUsedFrom: (id: string, network: string) => Promise<void>;
  /** Replaces the secret; false if no active key has this id. */
  rotate: (id: string, secret: KeySecret, by?: Actor) => Promise<boolean>;
}>;

type KeyStoreOptions = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  readLong: RunQuery;
  now: () => number;
}>;

export function createKeyStore({ run, transact, readLong, now }: KeyStoreOptions): KeyStore {
  return {
    insert: (key, by = null, bounds) =>
      transact((db) => insertKey(db, key, { by, at: now(), bounds })),
    count: () => run(countKeys),
    countByPepper: (at) => run((db) => countKeysByPepper(db, at)),
    countActive: (ownerIds, at) => readLong((db) => countActiveKeys(db, ownerIds, at)),
    list: (ownerId) => run((db) => listKeys(db, ownerId)),
    listUsed: (since) => readLong((db) => listUsedKeys(db, since)),
    find: (by, value) => run((db) => findKey(db, by, value)),
    findByHash: (hashes) => run((db) => findKeysByHash(db, hashes)),
    names: (ids) => run((db) => readKeyNames(db, ids)),
    revoke: (id, by = null, action = 'key.revoked') =>
      transact((db) => revokeKey(db, id, { by, at: now(), action })),
    update: (id, changes, by = null) =>
      takenIfNotUnique(transact((db) => updateKey(db, id, { changes, by, at: now() }))),
    setUsedFrom: (id, network) => run((db) => setUsedFrom(db, id, network)),
    rotate: (id, secret, by = null) =>
      transact((db) => rotateKey(db, id, { secret, by, at: now() })),
  };
}
