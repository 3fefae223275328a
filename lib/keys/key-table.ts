import { timingSafeEqual } from 'node:crypto';
import { type ApiKey, type KeyDefaults, toApiKey } from './api-key.ts';
import type { KeyChanges } from './store/key-queries.ts';
import type { KeyOwner, KeyRecord } from './store/key-record.ts';

export type KnownKey = Readonly<{
  key: ApiKey;
  isRevoked: boolean;
  /** By when its owner must sign in again, Unix ms. */
  signInBefore: number;
}>;

/** All keys in memory, found by hash. */
export type KeyTable = Readonly<{
  version: () => number;
  apply: (changes: KeyChanges) => void;
  find: (hash: string) => KnownKey | null;
}>;

type Entry = KnownKey & Readonly<{ hash: string; hashBytes: Buffer }>;

/** Until when a member's keys work without another sign-in, Unix ms; null: they do not work. */
export type OwnerRule = (owner: KeyOwner) => number | null;

export function createKeyTable(defaults: KeyDefaults, keysWorkUntil: OwnerRule): KeyTable {
  const byHash = new Map<string, Entry>();
  const byId = new Map<string, Entry>();
  let version = 0;

  function put(record: KeyRecord): void {
    const before = byId.get(record.id);
    // Rotated: the old secret is not valid any more.
    if (before !== undefined) byHash.delete(before.hash);
    const { owner, revokedAt } = record;
    const signInBefore = owner === null ? Number.POSITIVE_INFINITY : keysWorkUntil(owner);
    const entry: Entry = {
      key: toApiKey(record, defaults),
      isRevoked: revokedAt !== null || signInBefore === null,
      signInBefore: signInBefore ?? 0,
      hash: record.hash,
      hashBytes: Buffer.from(record.hash),
    };
    byHash.set(record.hash, entry);
    byId.set(record.id, entry);
  }

  return {
    version: () => version,
    apply(changes) {
      if (changes.isWhole) {
        byHash.clear();
        byId.clear();
      }
      for (const record of changes.keys) put(record);
      version = changes.version;
    },
    find(hash) {
      // The lookup's timing could only leak about a keyed hash, which a client cannot choose.
      const entry = byHash.get(hash);
      if (entry === undefined || !isEqual(entry.hashBytes, Buffer.from(hash))) return null;
      return entry;
    },
  };
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
