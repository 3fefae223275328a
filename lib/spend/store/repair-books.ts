import { sql, type Transaction } from 'kysely';
import type { RunTransaction, Schema } from '#lib/storage/schema.ts';
import type { Drift } from './audit-books.ts';
import { derivedTables } from './derived-sums.ts';
import { lockBalances } from './lock-balances.ts';

/** Few, so that no request waits for long. */
const rowsMax = 100;

/**
 * Adds to rows what they lack of the records, or takes away what they have too much. What requests have added since
 * the difference was found is part of both, so that it stays right.
 */
export async function repairBooks(
  transact: RunTransaction,
  drifts: readonly Drift[],
): Promise<void> {
  for (let from = 0; from < drifts.length; from += rowsMax) {
    await transact(async (db) => {
      await lockBalances(db);
      for (const drift of drifts.slice(from, from + rowsMax)) await repair(db, drift);
    });
  }
}

async function repair(db: Transaction<Schema>, drift: Drift): Promise<void> {
  const { table, key, expected, actual } = drift;
  const amounts = derivedTables.find((derived) => derived.table === table)?.amounts ?? [];
  const row = Object.fromEntries(
    amounts.map((name) => [name, (expected[name] ?? 0) - (actual[name] ?? 0)]),
  );
  const values = { ...key, ...row };
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  const added = amounts.map(
    (name) =>
      sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  await sql`
    insert into ${sql.table(table)} (${list(Object.keys(values))})
    values (${sql.join(Object.values(values))})
    on conflict (${list(Object.keys(key))}) do update set ${sql.join(added)}
  `.execute(db);
}
