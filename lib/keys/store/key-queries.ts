import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import { type KeyRecord, toRecord } from './key-record.ts';

export type KeyChanges = Readonly<{
  /** For the next call of `changedSince`. */
  version: number;
  keys: readonly KeyRecord[];
  /** `keys` are all keys, not only the changed ones. */
  isWhole: boolean;
}>;

/** How many keys one owner may have. */
export type KeyBounds = Readonly<{ activeMax: number; perDayMax: number }>;

const dayMs = 86_400_000;

export type KeyRow = Selectable<Schema['marquee_keys']>;

/** Returns the key as it was before; null if there is no such active key. */
export async function updateActive(
  db: Transaction<Schema>,
  id: string,
  values: Partial<Insertable<Schema['marquee_keys']>>,
): Promise<KeyRow | null> {
  const before = await findActive(db, id);
  if (before === null) return null;
  await db.updateTable('marquee_keys').set(values).where('id', '=', id).execute();
  return before;
}

export async function findActive(db: Transaction<Schema>, id: string): Promise<KeyRow | null> {
  const keys = db.selectFrom('marquee_keys').selectAll().where('id', '=', id);
  return (await keys.where('revoked_at', 'is', null).executeTakeFirst()) ?? null;
}

/** In the transaction, which other changes of keys wait for: none can slip past the bounds. */
export async function hasRoom(
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
export async function isNameTaken(
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

export async function readChanges(db: Kysely<Schema>, known: number): Promise<KeyChanges> {
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

export function selectKeys(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_keys as key')
    .leftJoin('marquee_members as member', 'member.id', 'key.owner_id')
    .leftJoin('marquee_groups as group', 'group.name', 'member.group_name')
    .selectAll('key')
    .select(['member.email', 'member.claims', 'member.disabled_at', 'member.confirmed_at'])
    .select(['member.group_name', 'member.budget as member_budget'])
    .select('group.budget as group_budget');
}
