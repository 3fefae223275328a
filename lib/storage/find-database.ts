import { access } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import type { DatabaseOptions } from './connection.ts';
import { toSqlitePath } from './database-file.ts';
import { createPostgresDialect } from './postgres.ts';
import { toErrorCode, toFileError, toServerError } from './storage-error.ts';

/** Which database these settings mean, without user and password. */
export function nameDatabase({ databaseUrl, dataDir }: DatabaseOptions): string {
  if (databaseUrl === null) return `SQLite, ${toSqlitePath(dataDir)}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

/**
 * Whether there is a database with tables of Marquee. Creates nothing.
 * @throws StorageError if that cannot be found out.
 */
export async function hasDatabase({ databaseUrl, dataDir }: DatabaseOptions): Promise<boolean> {
  return databaseUrl === null ? hasFile(dataDir) : hasTables(databaseUrl);
}

async function hasFile(dataDir: string): Promise<boolean> {
  try {
    await access(toSqlitePath(dataDir));
    return true;
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return false;
    throw toFileError(error, dataDir);
  }
}

async function hasTables(databaseUrl: string): Promise<boolean> {
  const db = new Kysely<unknown>({
    dialect: createPostgresDialect({ databaseUrl }),
    log: () => {},
  });
  try {
    const { rows } = await sql<{ name: string | null }>`
      select to_regclass('marquee_migrations')::text as name
    `.execute(db);
    return rows[0]?.name != null;
  } catch (error) {
    throw toServerError(error);
  } finally {
    await db.destroy();
  }
}
