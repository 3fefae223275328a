import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { createSqliteFile, toSqlitePath } from './database-file.ts';
import { openInThread } from './open-in-thread.ts';
import { createSlots, type Slots } from './slots.ts';
import { type LocalSqliteFile, openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import { toErrorCode } from './storage-error.ts';

const defaultLockWaitMs = 5_000;
const turnWaitMs = 10_000;
const retryEveryMs = 1;

type SqliteOptions = Readonly<{
  dataDir: string;
  /** How long a statement waits for another process to finish its own writing. */
  lockWaitMs?: number;
  /** Told how long each query or transaction has waited for those before it, in ms. */
  onWait?: (waitMs: number) => void;
}>;

/** Node's built-in SQLite. The first query creates the folder and opens the file. */
export function createSqliteDialect(options: SqliteOptions): Dialect {
  const { dataDir, lockWaitMs = defaultLockWaitMs } = options;
  const open = () => openFile(dataDir, lockWaitMs);
  // Takes the write lock at the start of a transaction, so that none fails half-way.
  return toDialect({ open, begin: 'begin immediate', ...options });
}

/** The same file in a thread of its own, for long reads; somebody else creates it. */
export function createSqliteReader(options: SqliteOptions): Dialect {
  const open = async () => openInThread(toSqlitePath(options.dataDir));
  return toDialect({ open, begin: 'begin', ...options });
}

type DialectOptions = SqliteOptions &
  Readonly<{ open: () => Promise<SqliteFile>; begin: 'begin' | 'begin immediate' }>;

function toDialect(options: DialectOptions): Dialect {
  return {
    createAdapter: () => new QueuedAdapter(),
    createDriver: () => new QueuedDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class QueuedAdapter extends SqliteAdapter {
  /** Kysely need not guard the connection: the driver has a queue, which has an order and is measured. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Kysely does not rely on it, but SQLite changes tables within transactions, too (https://sqlite.org/transactional.html). */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection, used by one query or transaction at a time. */
class QueuedDriver implements Driver {
  readonly #options: DialectOptions;
  readonly #slots: Slots;
  #file: SqliteFile | null = null;
  #connection: DatabaseConnection | null = null;

  constructor(options: DialectOptions) {
    const { onWait = () => {} } = options;
    this.#options = options;
    this.#slots = createSlots({ max: 1, waitMaxMs: turnWaitMs, onWait });
  }

  async init(): Promise<void> {
    const { open: openIt, lockWaitMs } = this.#options;
    this.#file = await openIt();
    this.#connection = toConnection(this.#file, lockWaitMs);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#slots.acquire();
    if (this.#connection === null) throw new Error('The file is not open.');
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#slots.release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#options.begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** SQLite has rolled back by itself where the disk is full or fails; the error would hide the cause. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
  }

  async destroy(): Promise<void> {
    await this.#file?.close();
  }
}

function toConnection(file: SqliteFile, lockWaitMs = defaultLockWaitMs): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await whileLocked(lockWaitMs, () => file.execute(sql, parameters));
      return { rows: rows as R[], ...(changes !== null && { numAffectedRows: changes }) };
    },
    streamQuery() {
      throw new Error('Rows are read a page at a time.');
    },
  };
}

/** Opens the file, and creates it where there is none. */
export async function openFile(
  dataDir: string,
  lockWaitMs = defaultLockWaitMs,
): Promise<LocalSqliteFile> {
  createSqliteFile(dataDir);
  return whileLocked(lockWaitMs, () => openSqliteFile(toSqlitePath(dataDir)));
}

/** Repeats what another process does not let happen yet: SQLite's own busy timeout would block the event loop. */
async function whileLocked<T>(lockWaitMs: number, operation: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const isLocked = ['SQLITE_5', 'SQLITE_6'].includes(toErrorCode(error));
      if (!isLocked || performance.now() > deadline) throw error;
    }
    await delay(retryEveryMs);
  }
}
