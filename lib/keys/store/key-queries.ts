import { type Kysely, sql } from 'kysely';
import { sortByCost } from '#lib/spend/store/recent-costs.ts';
import type { List } from '#lib/storage/lists.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { type KeyRecord, toRecord } from './key-record.ts';

/** A key, and the name of its owner; null: the operator's, or of a member that is no more. */
type ListedKey = Readonly<{ key: KeyRecord; ownerName: string | null }>;

const usedAt = {
  value: sql<number>`coalesce(item.used_at, 0)`,
  isText: false,
};

/** All keys. */
export const keyList = {
  from: sql`marquee_keys as item`,
  id: 'item.id',
  texts: ['item.name', 'item.hint', 'item.id', 'member.name', 'member.email'],
  textJoin: sql`left join marquee_members as member on member.id = item.owner_id`,
  search: 'Name, first characters, id or owner',
  sorts: {
    newest: {
      words: 'Newest first',
      by: () => ({ value: sql.ref('item.created_at'), isText: false, isDescending: true }),
    },
    cost: { words: 'Cost, 30 days', by: (now) => sortByCost('key', now) },
    used: { words: 'Last used first', by: () => ({ ...usedAt, isDescending: true }) },
    unused: { words: 'Longest unused first', by: () => ({ ...usedAt, isDescending: false }) },
    name: {
      words: 'Name',
      by: () => ({ value: sql`lower(item.name)`, isText: true, isDescending: false }),
    },
  },
  filters: {
    state: {
      label: 'State',
      options: [
        ['active', 'Active', isActive],
        ['expired', 'Expired', (now) => sql`(revoked_at is null and expires_at <= ${now})`],
        ['revoked', 'Revoked', () => sql`revoked_at is not null`],
      ],
    },
    owner: {
      label: 'Owner',
      all: 'Everybody',
      options: [
        ['member', 'Members', () => sql`item.owner_id is not null`],
        ['operator', 'The operator', () => sql`item.owner_id is null`],
      ],
    },
    /** The id of their owner. */
    person: { label: null, where: (id) => sql`item.owner_id = ${id}` },
  },
  async readRows(db, ids) {
    const keys = selectKeys(db).select('member.name as owner_name').where('key.id', 'in', ids);
    return (await keys.execute()).map((row) => ({
      key: toRecord(row),
      ownerName: row.owner_name,
    }));
  },
  toId: ({ key }) => key.id,
} as const satisfies List<ListedKey>;

const countAll = sql<number>`count(*)`.as('total');

/** Whether a key works at this time, Unix ms. */
function isActive(at: number) {
  return sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > ${at}))`;
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

/** How many keys work at a time, by the id of their pepper. */
export async function countKeysByPepper(
  db: Kysely<Schema>,
  at: number,
): Promise<ReadonlyMap<string | null, number>> {
  const keys = db.selectFrom('marquee_keys').where(isActive(at)).groupBy('pepper_id');
  const rows = await keys.select(['pepper_id', countAll]).execute();
  return new Map(rows.map(({ pepper_id, total }) => [pepper_id, total]));
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

/** Those that work, were used since a time (Unix ms), and may have a budget of their own. */
export async function listUsedKeys(db: Kysely<Schema>, since: number): Promise<KeyRecord[]> {
  const rows = await selectKeys(db)
    // As in the index.
    .where(sql`coalesce(key.used_at, 0)`, '>=', since)
    .where('key.revoked_at', 'is', null)
    .where((key) =>
      key.or([
        key('key.budget', 'is not', null),
        key('key.tokens_per_day', 'is not', null),
        key('key.owner_id', 'is', null),
      ]),
    )
    .execute();
  return rows.map(toRecord);
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
