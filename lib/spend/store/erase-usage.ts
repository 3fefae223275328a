import { sql, type Transaction } from 'kysely';
import { parseJsonObject } from '#lib/http/json-value.ts';
import { repeatInTurns } from '#lib/storage/repeat-in-turns.ts';
import type { RunTransaction, Schema } from '#lib/storage/schema.ts';
import { type DerivedTable, derivedTables } from './derived-sums.ts';
import { addOnConflict, toColumns } from './sum-columns.ts';

/** What stands for the keys of members who have deleted their accounts: their usage stays as numbers. */
const erasedKeyId = 'deleted';

/** Few enough for SQLite, which works on the event loop. */
const rowsMax = 500;

type Erased = Readonly<{ memberId: string; keyIds: readonly string[] }>;

/** Erases the ids of a member and of its keys from all usage. The balances of groups and of the site stay. */
export async function eraseUsage(transact: RunTransaction, erased: Erased): Promise<void> {
  await repeatInTurns(async () => (await transact((db) => eraseSome(db, erased))) === rowsMax);
  await transact(async (db) => {
    await lockErasing(db);
    const { memberId, keyIds } = erased;
    const accounts = keyIds.map((id) => `key:${id}`);
    await moveSums(db, derivedTables.balances, { from: accounts, to: `key:${erasedKeyId}` });
    await moveSums(db, derivedTables.sumsByKey, { from: keyIds, to: erasedKeyId });
    await db.deleteFrom('marquee_balances').where('account', '=', `member:${memberId}`).execute();
    await db
      .deleteFrom('marquee_recent_costs')
      .where('account', 'in', [...accounts, `member:${memberId}`])
      .execute();
    await db.deleteFrom('marquee_usage_by_member').where('member_id', '=', memberId).execute();
    await db.deleteFrom('marquee_request_counts').where('key_id', 'in', keyIds).execute();
    await db.deleteFrom('marquee_rejections').where('key_id', 'in', keyIds).execute();
    await eraseSetAside(db, erased);
  });
}

/** Two processes would move the same sums twice. */
async function lockErasing(db: Transaction<Schema>): Promise<void> {
  await db
    .updateTable('marquee_usage_pruned')
    .set((value) => ({ before_day: value.ref('before_day') }))
    .execute();
}

/** The records; what they have added to balances and sums follows at the end. */
async function eraseSome(db: Transaction<Schema>, { memberId }: Erased): Promise<number> {
  await lockErasing(db);
  const { numUpdatedRows } = await db
    .updateTable('marquee_usage')
    .set({ key_id: erasedKeyId, member_id: null, request_id: null, reply_id: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('marquee_usage')
        .select('id')
        .where('member_id', '=', memberId)
        .limit(rowsMax),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Adds the sums of several owners to those of another one, and deletes them. */
async function moveSums(
  db: Transaction<Schema>,
  { table, key, amounts }: DerivedTable,
  { from, to }: Readonly<{ from: readonly string[]; to: string }>,
): Promise<void> {
  // Of the primary key: whose sums they are, and the other columns.
  const [owner = '', ...others] = key;
  const sums = amounts.map((name) => sql`sum(${sql.ref(name)})`);
  const isFrom = sql`${sql.ref(owner)} in (${sql.join(from)})`;
  await sql`
    insert into ${sql.table(table)} (${toColumns([...key, ...amounts])})
    select ${sql.val(to)}, ${toColumns(others)}, ${sql.join(sums)} from ${sql.table(table)}
    where ${isFrom} group by ${toColumns(others)}
    ${addOnConflict({ table, key, amounts })}
  `.execute(db);
  await sql`delete from ${sql.table(table)} where ${isFrom}`.execute(db);
}

const withoutOwner = { keyId: erasedKeyId, memberId: null, requestId: null, replyId: null };

/** There are few, since each is a fault. */
async function eraseSetAside(db: Transaction<Schema>, { keyIds }: Erased): Promise<void> {
  const rows = await db.selectFrom('marquee_usage_set_aside').select(['id', 'record']).execute();
  for (const { id, record } of rows) {
    const usage = parseJsonObject(record);
    if (usage === null || !keyIds.includes(String(usage.keyId))) continue;
    await db
      .updateTable('marquee_usage_set_aside')
      .set({ record: JSON.stringify({ ...usage, ...withoutOwner }) })
      .where('id', '=', id)
      .execute();
  }
}
