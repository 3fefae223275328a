import type { Transaction } from 'kysely';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import type { Payer } from '../budgets.ts';
import {
  countedColumns,
  countUsage,
  lockBalances,
  toCorrection,
  toCountedUsage,
} from './count-usage.ts';

/** What stands for the keys of members who have deleted their accounts: their usage stays as numbers. */
const erasedKeyId = 'deleted';

/** Few enough for SQLite, which works on the event loop. */
const rowsMax = 500;

type Erased = Readonly<{ memberId: string; keyIds: readonly string[] }>;

/** Erases the ids of a member and of its keys from all usage. The balances of groups and of the site stay. */
export async function eraseUsage(transact: RunTransaction, erased: Erased): Promise<void> {
  for (;;) {
    const rows = await transact((db) => eraseSome(db, erased));
    if (rows < rowsMax) break;
  }
  await transact(async (db) => {
    await lockBalances(db);
    const { memberId, keyIds } = erased;
    const accounts = [`member:${memberId}`, ...keyIds.map((id) => `key:${id}`)];
    await db.deleteFrom('marquee_balances').where('account', 'in', accounts).execute();
    await db.deleteFrom('marquee_rejections').where('key_id', 'in', keyIds).execute();
    await eraseSetAside(db, erased);
  });
}

/**
 * Usage as it may be written: records of members who were erased meanwhile name nobody. Such a record has waited in
 * a queue, since its process died or the database was away.
 */
export async function withoutErasedMembers<T extends Payer>(
  run: RunQuery,
  records: readonly T[],
): Promise<readonly T[]> {
  const ids = [...new Set(records.flatMap(({ memberId }) => memberId ?? []))];
  if (ids.length === 0) return records;
  const rows = await run((db) =>
    db
      .selectFrom('marquee_members')
      .select('id')
      .where('id', 'in', ids)
      .unionAll(
        db
          .selectFrom('marquee_deleted_members')
          .select('member_id as id')
          .where('member_id', 'in', ids),
      )
      .execute(),
  );
  const known = new Set(rows.map(({ id }) => id));
  return records.map((record) =>
    record.memberId === null || known.has(record.memberId) ? record : toErased(record),
  );
}

function toErased<T extends Payer>(record: T): T {
  return { ...record, keyId: erasedKeyId, memberId: null };
}

/** Moves usage, and what it has added to balances, to the erased id. */
async function eraseSome(db: Transaction<Schema>, { keyIds }: Erased): Promise<number> {
  await lockBalances(db);
  const rows = await db
    .selectFrom('marquee_usage')
    .select(['id', 'is_counted', ...countedColumns])
    .where('key_id', 'in', keyIds)
    .limit(rowsMax)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const names = { key_id: erasedKeyId, member_id: null };
  await db.updateTable('marquee_usage').set(names).where('id', 'in', ids).execute();
  const counted = rows.filter((row) => row.is_counted === 1);
  await countUsage(db, [
    ...counted.map(toCountedUsage).map(toCorrection),
    ...counted.map((row) => toCountedUsage({ ...row, ...names })),
  ]);
  return rows.length;
}

/** There are few, since each is a fault. */
async function eraseSetAside(db: Transaction<Schema>, { keyIds }: Erased): Promise<void> {
  const rows = await db.selectFrom('marquee_usage_set_aside').select(['id', 'record']).execute();
  for (const { id, record } of rows) {
    const usage: Payer = JSON.parse(record);
    if (!keyIds.includes(usage.keyId)) continue;
    await db
      .updateTable('marquee_usage_set_aside')
      .set({ record: JSON.stringify(toErased(usage)) })
      .where('id', '=', id)
      .execute();
  }
}
