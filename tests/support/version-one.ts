import { Kysely, sql } from 'kysely';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { migration001 } from '#lib/storage/migrations/001.ts';
import { createPostgresDialect } from '#lib/storage/postgres.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { createSqliteDialect } from '#lib/storage/sqlite.ts';

/** A connection that migrates nothing. */
export function openRaw({ databaseUrl, dataDir }: DatabaseOptions): Kysely<Schema> {
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ dataDir })
      : createPostgresDialect({ databaseUrl });
  return new Kysely<Schema>({ dialect });
}

/** Makes an empty database what version 1.0 made of it, and runs statements in it. */
export async function createVersionOne(
  options: DatabaseOptions,
  statements: readonly string[] = [],
): Promise<void> {
  const db = openRaw(options);
  await migration001.up(db);
  for (const statement of [...migrationsOfVersionOne, ...statements]) {
    await sql.raw(statement).execute(db);
  }
  await db.destroy();
}

const migrationsOfVersionOne = [
  'create table marquee_migrations (name text primary key, applied_at bigint not null)',
  `insert into marquee_migrations values ('001-af6a4bb102c4', 1773144000000)`,
];
