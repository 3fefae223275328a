import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#lib/database.ts';
import { type Schema, tables } from '#lib/storage/schema.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { tablesLeftOut } from './backup-files.ts';

/** Some 300 kB of usage records. */
const rowsPerStatement = 1_000;

/** Have one row from the start. */
const headTables = new Set([
  'marquee_usage_pruned',
  'marquee_audit_head',
  'marquee_event_history_head',
  'marquee_outbox',
]);

/**
 * Copies all rows of an SQLite file into a PostgreSQL database without any, in one transaction. Both have the tables of
 * this version. @throws StorageError if the database has rows.
 */
export async function copyRows(path: string, { transact }: Database): Promise<void> {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    await transact(async (db) => {
      for (const [table, columns] of Object.entries(tables)) {
        if (tablesLeftOut.includes(table)) continue;
        if (headTables.has(table)) await sql`delete from ${sql.table(table)}`.execute(db);
        else await requireEmpty(db, table);
        const names = Object.keys(columns);
        const rows = file.prepare(`select ${names.join(', ')} from ${table}`).iterate();
        for (const some of toGroups(rows)) await insert(db, { table, names, rows: some });
      }
    });
  } finally {
    file.close();
  }
}

async function requireEmpty(db: Kysely<Schema>, table: string): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  if (rows.length === 0) return;
  const message = `There is a Marquee database already, with rows in ${table}.`;
  throw new StorageError(message, { code: 'NOT_EMPTY' });
}

function* toGroups<T>(rows: Iterable<T>): Generator<T[]> {
  let group: T[] = [];
  for (const row of rows) {
    group.push(row);
    if (group.length < rowsPerStatement) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

type Rows = Readonly<{ table: string; names: readonly string[]; rows: readonly object[] }>;

/** As JSON, which is one parameter: a statement has at most 65,535. */
async function insert(db: Kysely<Schema>, { table, names, rows }: Rows): Promise<void> {
  const columns = sql.join(names.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(
    db,
  );
}
