import { type Dialect, Kysely, type LogEvent, sql } from 'kysely';
import { startCheckpoints } from './checkpoints.ts';
import { type MigrationState, migrate, readMigrations } from './migrate.ts';
import { createPostgresDialect, readPostgresClock } from './postgres.ts';
import type { DatabaseKind, RunQuery, RunTransaction, Schema } from './schema.ts';
import { createSqliteDialect, createSqliteReader, readFileNumber } from './sqlite.ts';
import { StorageError, toFileError, toServerError } from './storage-error.ts';

/** What is worth knowing of queries. */
export type QueryObserver = Readonly<{
  /** How long a query or transaction has waited for a connection, in ms; 0 where one was free. */
  onWait: (waitMs: number) => void;
  /** A query that took long: what it does and its first table, such as `select marquee_usage`. */
  onSlowQuery: (query: Readonly<{ name: string; durationMs: number }>) => void;
}>;

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

const silentObserver: QueryObserver = { onWait: () => {}, onSlowQuery: () => {} };

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
  /** Of the embedded database that is open. */
  let fileNumber: number | null = null;

  async function openTables(): Promise<void> {
    await migrate(db, { kind, connect: () => connectPatiently(options) });
    if (kind === 'postgres') return;
    stopCheckpoints = startCheckpoints({ db, reader });
    fileNumber = await readFileNumber(options.dataDir);
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
      if (kind === 'sqlite' && (await readFileNumber(options.dataDir)) !== fileNumber) {
        throw new StorageError(
          `DATA_DIR is ${JSON.stringify(options.dataDir)}, but its database was removed or replaced while the server runs. What was written since is lost when it ends: restore a backup, and restart.`,
          { code: 'REMOVED_DATABASE' },
        );
      }
    },
    async close() {
      stopCheckpoints();
      await db.destroy();
      // Last: the one that closes the file last waits for the disk.
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

const slowMs = 200;

/** A log for Kysely, which would print failed queries: errors are thrown, and logged where they are handled. */
function watchQueries({ onSlowQuery }: QueryObserver): (event: LogEvent) => void {
  return ({ query, queryDurationMillis: durationMs }) => {
    if (durationMs >= slowMs) onSlowQuery({ name: nameQuery(query.sql), durationMs });
  };
}

function nameQuery(sql: string): string {
  const [verb, table] = [/^\w+/, /\bmarquee_\w+/].map((part) => part.exec(sql)?.[0]);
  return [verb, table].join(' ').trim();
}
