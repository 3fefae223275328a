import { type Kysely, sql } from 'kysely';
import { hasText } from '#lib/storage/has-text.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { type KeyRecord, toRecord } from './key-record.ts';

export type KeyQuery = Readonly<{
  /** A part of its name, its first characters, or its owner's name or address, in any case; '' for all. */
  text: string;
  limit: number;
  offset: number;
  /** Which keys work is that of this time, Unix ms. */
  now: number;
}>;

/** A key, and the name of its owner; null: the operator's, or of a member that is no more. */
export type FoundKey = Readonly<{ key: KeyRecord; ownerName: string | null }>;

const countAll = sql<number>`count(*)`.as('total');

/** Whether a key works at this time, Unix ms. */
function isActive(at: number) {
  return sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > ${at}))`;
}

/** First the ids of the page, so that only its rows are read in full. */
export async function searchKeys(db: Kysely<Schema>, { text, limit, offset, now }: KeyQuery) {
  const keys = db.selectFrom('marquee_keys as key');
  const found =
    text === ''
      ? keys
      : keys
          .leftJoin('marquee_members as member', 'member.id', 'key.owner_id')
          .where(hasText(['key.name', 'key.hint', 'member.name', 'member.email'], text));
  const { total } = await found.select(countAll).executeTakeFirstOrThrow();
  const ids = await found
    .select('key.id')
    .orderBy(sql`case when ${isActive(now)} then 0 else 1 end`)
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  if (ids.length === 0) return { keys: [], total };
  const order = ids.map(({ id }) => id);
  const rows = await selectKeys(db)
    .select('member.name as owner_name')
    .where('key.id', 'in', order)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    total,
    keys: order.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : { key: toRecord(row), ownerName: row.owner_name };
    }),
  };
}

/** How many keys of each owner work at a time. */
export async function countActiveKeys(
  db: Kysely<Schema>,
  ownerIds: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  if (ownerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('marquee_keys')
    .select(['owner_id as id', countAll])
    .where('owner_id', 'in', ownerIds)
    .where(isActive(at))
    .groupBy('owner_id')
    .execute();
  return new Map(rows.map(({ id, total }) => [id ?? '', total]));
}

export async function countKeys(db: Kysely<Schema>): Promise<number> {
  const keys = db.selectFrom('marquee_keys');
  const { total } = await keys.select(countAll).executeTakeFirstOrThrow();
  return total;
}

/** Of one owner, or of all; oldest first. */
export async function listKeys(db: Kysely<Schema>, ownerId?: string): Promise<KeyRecord[]> {
  const keys = selectKeys(db).orderBy('key.created_at').orderBy('key.id');
  const ofOwner = ownerId === undefined ? keys : keys.where('key.owner_id', '=', ownerId);
  return (await ofOwner.execute()).map(toRecord);
}

/** By name those of the operator alone. */
export async function findKey(
  db: Kysely<Schema>,
  by: 'id' | 'name',
  value: string,
): Promise<KeyRecord | null> {
  const keys = selectKeys(db).where(`key.${by}`, '=', value);
  const found = by === 'name' ? keys.where('key.owner_id', 'is', null) : keys;
  const row = await found.executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

export async function findKeysByHash(
  db: Kysely<Schema>,
  hashes: readonly string[],
): Promise<KeyRecord[]> {
  const rows = await selectKeys(db).where('key.hash', 'in', hashes).execute();
  return rows.map(toRecord);
}

/** By id. */
export async function readKeyNames(
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const keys = db.selectFrom('marquee_keys').select(['id', 'name']);
  const rows = await keys.where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Keys with what decides about them: their owner, and the owner's group. */
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
