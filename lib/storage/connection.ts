import { setTimeout as delay } from 'node:timers/promises';
import { type Dialect, Kysely, type LogEvent, sql } from 'kysely';
import { startCheckpoints } from './checkpoints.ts';
import { compareFiles, type FileIds, readFileIds } from './database-file.ts';
import { type MigrationState, migrate, readMigrations } from './migrate.ts';
import { createPostgresDialect, readPostgresClock } from './postgres.ts';
import type { DatabaseKind, RunQuery, RunTransaction, Schema } from './schema.ts';
import { createSqliteDialect, createSqliteReader, openFile } from './sqlite.ts';
import type { LocalSqliteFile } from './sqlite-file.ts';
import {
  StorageError,
  toDamageError,
  toErrorCode,
  toFileError,
  toServerError,
} from './storage-error.ts';

/** What is worth knowing of queries and files. */
export type DatabaseObserver = Readonly<{
  /** How long a query or transaction has waited for a connection, in ms; 0 where one was free. */
  onWait: (waitMs: number) => void;
  /** A query that took long: what it does and its first table, such as `select marquee_usage`. */
  onSlowQuery: (query: Readonly<{ name: string; durationMs: number }>) => void;
  /** The log of the embedded database was removed or replaced while it was open. */
  onLogLost: (loss: LogLoss) => void;
}>;

export type LogLoss = Readonly<{
  error: StorageError;
  /** False: the process must end without closing the database, which would damage it. */
  isRecoverable: boolean;
  /** How many rows the ledger has changed since the files were last seen to be the same. */
  changes: number;
}>;

export type DatabaseOptions = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The clock, Unix ms. */
  now?: () => number;
  observer?: DatabaseObserver;
  /** How long an embedded database that has lost its log stays closed, ms. */
  reopenAfterMs?: number;
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
  /** Opens another connection to the embedded database, which ends with this one. */
  openFile: () => Promise<LocalSqliteFile>;
  /**
   * Opens, and looks for damage in an embedded database, beside all else. Where there is some, nothing works any more.
   * @returns false if it takes longer than `withinMs` and goes on. @throws StorageError if there is damage
   */
  requireIntact: (withinMs: number) => Promise<boolean>;
  /** @throws StorageError if queries fail. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}>;

const silentObserver: DatabaseObserver = {
  onWait: () => {},
  onSlowQuery: () => {},
  onLogLost: () => {},
};

/** Every process looks at the files once a second, and the alert on a failed check fires after 15 seconds of scrapes. */
const defaultReopenAfterMs = 30_000;

/** Creates a connection that opens on first use; a failed attempt is repeated by the next call. */
export function createConnection(options: DatabaseOptions): Connection {
  const { now = Date.now, observer = silentObserver, dataDir } = options;
  const { reopenAfterMs = defaultReopenAfterMs } = options;
  const kind = toKind(options);
  let { db, reader } = createPools(options);
  let opened: Promise<void> | null = null;
  let stopCheckpoints = () => {};
  /** Of the embedded database that is open. */
  let fileIds: FileIds | null = null;
  const ledgerFiles = new Set<LocalSqliteFile>();
  let changesChecked = 0;
  /** While there is one, nothing is asked of the database. */
  let failure: StorageError | null = null;

  async function openTables(): Promise<void> {
    await migrate(db, { kind, connect: () => connectPatiently(options) });
    if (kind === 'postgres') return;
    fileIds = await readFileIds(dataDir);
    stopCheckpoints = startCheckpoints({ db, reader, checkFiles });
  }

  async function open(): Promise<void> {
    if (failure !== null) throw failure;
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
    (read: () => Kysely<Schema>): RunQuery =>
    async (query) => {
      await open();
      try {
        return await query(read());
      } catch (error) {
        throw toError(error, options);
      }
    };
  const run = runOn(() => db);

  /** Whether the files that are open are still those on the disk. Where the log is not, this acts on it, once. */
  async function checkFiles(): Promise<boolean> {
    if (fileIds === null || failure !== null) return false;
    const state = compareFiles(fileIds, await readFileIds(dataDir));
    const changes = countChanges(ledgerFiles);
    if (state === 'same') changesChecked = changes;
    else if (state !== 'removed' && failure === null) {
      failure = toLogError(dataDir);
      const isRecoverable = state === 'log-removed';
      observer.onLogLost({
        error: failure,
        isRecoverable,
        changes: Math.max(0, changes - changesChecked),
      });
      if (isRecoverable) void reopen();
    }
    return state === 'same';
  }

  /** SQLite writes its log into the database when the last connection of all processes is closed. */
  async function reopen(): Promise<void> {
    await close();
    await delay(reopenAfterMs, null, { ref: false });
    ({ db, reader } = createPools(options));
    [opened, fileIds, failure] = [null, null, null];
  }

  async function close(): Promise<void> {
    stopCheckpoints();
    for (const file of ledgerFiles) file.close();
    ledgerFiles.clear();
    changesChecked = 0;
    await db.destroy();
    // Last: the one that closes the file last waits for the disk.
    await reader.destroy();
  }

  return {
    run,
    transact: (change) => run((database) => database.transaction().execute(change)),
    readLong: runOn(() => reader),
    readClock: () =>
      run(async (database) => (kind === 'sqlite' ? now() : readPostgresClock(database))),
    open,
    async openFile() {
      await open();
      const file = await openFile(dataDir);
      ledgerFiles.add(file);
      return {
        ...file,
        close() {
          ledgerFiles.delete(file);
          file.close();
        },
      };
    },
    async requireIntact(withinMs) {
      await open();
      if (kind === 'postgres') return true;
      const checked = isIntact(dataDir).then((isOk) => {
        if (!isOk) failure = toDamageError(dataDir);
        if (failure !== null) throw failure;
        return true;
      });
      // What it finds later is in `failure`.
      checked.catch(() => {});
      return Promise.race([checked, delay(withinMs, false, { ref: false })]);
    },
    async ping() {
      await run((database) => sql`select 1`.execute(database));
      if (kind === 'postgres' || (await checkFiles())) return;
      throw failure ?? toRemovedError(dataDir);
    },
    close,
  };
}

function createPools(options: DatabaseOptions): Readonly<Record<'db' | 'reader', Kysely<Schema>>> {
  const dialects = createDialects(options);
  return {
    db: new Kysely<Schema>({
      dialect: dialects.main,
      log: watchQueries(options.observer ?? silentObserver),
    }),
    reader: new Kysely<Schema>({ dialect: dialects.reader, log: () => {} }),
  };
}

function countChanges(files: ReadonlySet<LocalSqliteFile>): number {
  return [...files]
    .map((file) => Number(file.execute('select total_changes() as n').rows[0]?.n))
    .reduce((sum, changes) => sum + changes, 0);
}

/** Reads the whole file in a thread of its own, which no other query waits for. */
async function isIntact(dataDir: string): Promise<boolean> {
  const db = new Kysely<Schema>({ dialect: createSqliteReader({ dataDir }), log: () => {} });
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
    return rows[0]?.quick_check === 'ok';
  } catch (error) {
    // Some damage is an error. Any other has nothing to do with what the file holds.
    return toErrorCode(error) !== 'SQLITE_11';
  } finally {
    await db.destroy();
  }
}

function toRemovedError(dataDir: string): StorageError {
  return new StorageError(
    `DATA_DIR is ${JSON.stringify(dataDir)}, but its database was removed or replaced while the server runs. What was written since is lost when it ends: restore a backup, and restart.`,
    { code: 'REMOVED_DATABASE' },
  );
}

function toLogError(dataDir: string): StorageError {
  return new StorageError(
    `DATA_DIR is ${JSON.stringify(dataDir)}, but marquee.db-wal or marquee.db-shm in it was removed or replaced while the server runs. Only SQLite may touch these files: find out which program does.`,
    { code: 'LOST_LOG' },
  );
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
function watchQueries({ onSlowQuery }: DatabaseObserver): (event: LogEvent) => void {
  return ({ query, queryDurationMillis: durationMs }) => {
    if (durationMs >= slowMs) onSlowQuery({ name: nameQuery(query.sql), durationMs });
  };
}

function nameQuery(sql: string): string {
  const [verb, table] = [/^\w+/, /\bmarquee_\w+/].map((part) => part.exec(sql)?.[0]);
  return [verb, table].join(' ').trim();
}
