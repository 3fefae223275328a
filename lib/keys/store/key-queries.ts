import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import type { KeyRecord } from './key-record.ts';

/** How many keys one owner may have. */
export type KeyBounds = Readonly<{ activeMax: number; perDayMax: number }>;

const dayMs = 86_400_000;

export type KeyRow = Selectable<Schema['marquee_keys']>;

/** Other changes of this key wait for this one. Null if there is no such active key. */
export async function lockActive(db: Transaction<Schema>, id: string): Promise<KeyRow | null> {
  const keys = db.updateTable('marquee_keys').set({ id }).where('id', '=', id);
  return (await keys.where('revoked_at', 'is', null).returningAll().executeTakeFirst()) ?? null;
}

/** Returns the key as it was before; null if there is no such active key. */
export async function updateActive(
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
export async function findReachedBound(
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

/** Other changes of this member and of its keys wait for this one. Null if there is no such member. */
export async function lockOwner(db: Transaction<Schema>, id: string) {
  const members = db.updateTable('marquee_members').set({ id }).where('id', '=', id);
  const found = members.returning(['disabled_at', 'budget', 'group_name']);
  return (await found.executeTakeFirst()) ?? null;
}
