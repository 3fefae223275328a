import { Kysely } from 'kysely';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { migrate } from './migrations.ts';
import { createPostgresDialect } from './postgres.ts';
import type { Run } from './run.ts';
import type { Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite.ts';
import { StorageError, toFileError, toServerError } from './storage-error.ts';
import { createUsageStore, type UsageStore } from './usage-store.ts';

export type DatabaseOptions = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
}>;

/** Keys and their usage, wherever they are kept. Every call fails with a StorageError or not at all. */
export type Database = Readonly<{
  keys: KeyStore;
  usage: UsageStore;
  /** Connects and brings the tables up to date; every other call does so too where it has not been done. */
  open: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** A database that is opened by its first use, and tried again by the next where that fails. */
export function createDatabase({ databaseUrl, dataDir }: DatabaseOptions): Database {
  const kind = databaseUrl === null ? 'sqlite' : 'postgres';
  const db = new Kysely<Schema>({
    dialect:
      databaseUrl === null ? createSqliteDialect(dataDir) : createPostgresDialect(databaseUrl),
    // Failures are thrown, and said by whoever catches them: kysely would print queries.
    log: () => {},
  });
  let opened: Promise<void> | null = null;

  const toError = (error: unknown): StorageError => {
    if (error instanceof StorageError) return error;
    return kind === 'sqlite' ? toFileError(error, dataDir) : toServerError(error);
  };

  async function open(): Promise<void> {
    opened ??= migrate(db, kind);
    const attempt = opened;
    try {
      await attempt;
    } catch (error) {
      if (opened === attempt) opened = null;
      throw toError(error);
    }
  }

  const run: Run = async (query) => {
    await open();
    try {
      return await query(db);
    } catch (error) {
      throw toError(error);
    }
  };

  return {
    keys: createKeyStore(run),
    usage: createUsageStore(run),
    open,
    close: () => db.destroy(),
  };
}

/**
 * Opens the database and brings its tables up to date.
 * @throws StorageError that says in one line what the operator can change.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = createDatabase(options);
  try {
    await database.open();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
