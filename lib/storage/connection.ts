import { type Dialect, Kysely, sql } from 'kysely';
import { migrate } from './migrate.ts';
import { createPostgresDialect, readPostgresClock } from './postgres.ts';
import type { DatabaseKind, RunQuery, RunTransaction, Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite.ts';
import { StorageError, toFileError, toServerError } from './storage-error.ts';

export type DatabaseOptions = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The clock, Unix ms. */
  now?: () => number;
}>;

/** A database whose tables are up to date. All methods throw StorageError only. */
export type Connection = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  /** Unix ms by the server's clock, which judges leases: those of the instances may differ. */
  readClock: () => Promise<number>;
  /** Connects and migrates. The other methods do so when needed. */
  open: () => Promise<void>;
  /** @throws StorageError if queries fail. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Creates a connection that opens on first use; a failed attempt is repeated by the next call. */
export function createConnection(options: DatabaseOptions): Connection {
  const { databaseUrl, dataDir, now = Date.now } = options;
  const kind: DatabaseKind = databaseUrl === null ? 'sqlite' : 'postgres';
  const db = connect(
    databaseUrl === null ? createSqliteDialect(dataDir) : createPostgresDialect(databaseUrl),
  );
  let opened: Promise<void> | null = null;

  const toError = (error: unknown): StorageError => {
    if (error instanceof StorageError) return error;
    return kind === 'sqlite' ? toFileError(error, dataDir) : toServerError(error);
  };

  async function open(): Promise<void> {
    opened ??= migrate(db, { kind, connect: () => connectPatiently(options) });
    const attempt = opened;
    try {
      await attempt;
    } catch (error) {
      if (opened === attempt) opened = null;
      throw toError(error);
    }
  }

  const run: RunQuery = async (query) => {
    await open();
    try {
      return await query(db);
    } catch (error) {
      throw toError(error);
    }
  };

  return {
    run,
    transact: (change) => run((db) => db.transaction().execute(change)),
    readClock: () => run(async (db) => (kind === 'sqlite' ? now() : readPostgresClock(db))),
    open,
    async ping() {
      await run((db) => sql`select 1`.execute(db));
    },
    close: () => db.destroy(),
  };
}

function connect(dialect: Dialect): Kysely<Schema> {
  // Kysely would print failed queries; errors are thrown, and logged where they are handled.
  return new Kysely<Schema>({ dialect, log: () => {} });
}

/** A migration of a large table takes minutes, in which the other processes wait for it. */
const migrationMaxMs = 3_600_000;

function connectPatiently({ databaseUrl, dataDir }: DatabaseOptions): Kysely<Schema> {
  return connect(
    databaseUrl === null
      ? createSqliteDialect(dataDir, { lockWaitMs: migrationMaxMs })
      : createPostgresDialect(databaseUrl, { queryTimeoutMs: null }),
  );
}
