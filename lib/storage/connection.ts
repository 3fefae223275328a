import { type Dialect, Kysely, sql } from 'kysely';
import { startCheckpoints } from './checkpoints.ts';
import { type MigrationState, migrate, readMigrations } from './migrate.ts';
import { createPostgresDialect, readPostgresClock } from './postgres.ts';
import { type QueryObserver, silentObserver, watchQueries } from './query-observer.ts';
import type { DatabaseKind, RunQuery, RunTransaction, Schema } from './schema.ts';
import { createSqliteDialect, createSqliteReader } from './sqlite.ts';
import { StorageError, toFileError, toServerError } from './storage-error.ts';

export type DatabaseOptions = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The clock, Unix ms. */
  now?: () => number;
  observer?: QueryObserver;
}>;

/** A database whose tables are up to date. All methods throw StorageError only. */
export type Connection = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  /** Runs queries that read much, beside the others and off the event loop. They must not write. */
  readLong: RunQuery;
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
  const { now = Date.now, observer = silentObserver } = options;
  const kind = toKind(options);
  const dialects = createDialects(options);
  const log = watchQueries(observer);
  const db = new Kysely<Schema>({ dialect: dialects.main, log });
  const reader = new Kysely<Schema>({ dialect: dialects.reader, log: () => {} });
  let opened: Promise<void> | null = null;
  let stopCheckpoints = () => {};

  async function openTables(): Promise<void> {
    await migrate(db, { kind, connect: () => connectPatiently(options) });
    if (kind === 'sqlite') stopCheckpoints = startCheckpoints({ db, reader });
  }

  async function open(): Promise<void> {
    opened ??= openTables();
    const attempt = opened;
    try {
      await attempt;
    } catch (error) {
      if (opened === attempt) opened = null;
      throw toError(error, options);
    }
  }

  const runOn =
    (database: Kysely<Schema>): RunQuery =>
    async (query) => {
      await open();
      try {
        return await query(database);
      } catch (error) {
        throw toError(error, options);
      }
    };
  const run = runOn(db);

  return {
    run,
    transact: (change) => run((database) => database.transaction().execute(change)),
    readLong: runOn(reader),
    readClock: () =>
      run(async (database) => (kind === 'sqlite' ? now() : readPostgresClock(database))),
    open,
    async ping() {
      await run((database) => sql`select 1`.execute(database));
    },
    async close() {
      stopCheckpoints();
      await db.destroy();
      // Last: whoever closes the file last waits for the disk.
      await reader.destroy();
    },
  };
}

/** Which migrations a database has, and which it lacks. Applies none. @throws StorageError */
export async function examineMigrations(options: DatabaseOptions): Promise<MigrationState> {
  const db = new Kysely<Schema>({ dialect: createDialects(options).main, log: () => {} });
  try {
    return await readMigrations(db, toKind(options));
  } catch (error) {
    throw toError(error, options);
  } finally {
    await db.destroy();
  }
}

function toKind({ databaseUrl }: DatabaseOptions): DatabaseKind {
  return databaseUrl === null ? 'sqlite' : 'postgres';
}

function toError(error: unknown, { databaseUrl, dataDir }: DatabaseOptions): StorageError {
  if (error instanceof StorageError) return error;
  return databaseUrl === null ? toFileError(error, dataDir) : toServerError(error);
}

/** A migration of a large table takes minutes, in which the other processes wait for it. */
const migrationMaxMs = 3_600_000;

function connectPatiently({ databaseUrl, dataDir }: DatabaseOptions): Kysely<Schema> {
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ dataDir, lockWaitMs: migrationMaxMs })
      : createPostgresDialect({ databaseUrl, timeoutMs: migrationMaxMs });
  return new Kysely<Schema>({ dialect, log: () => {} });
}

const longTimeoutMs = 60_000;

/** Long reads have connections of their own, so that no request waits for one. */
function createDialects(options: DatabaseOptions): Readonly<Record<'main' | 'reader', Dialect>> {
  const { databaseUrl, dataDir, observer = silentObserver } = options;
  const { onWait } = observer;
  return databaseUrl === null
    ? {
        main: createSqliteDialect({ dataDir, onWait }),
        reader: createSqliteReader({ dataDir }),
      }
    : {
        main: createPostgresDialect({ databaseUrl, onWait }),
        reader: createPostgresDialect({
          databaseUrl,
          connectionsMax: 2,
          timeoutMs: longTimeoutMs,
        }),
      };
}
