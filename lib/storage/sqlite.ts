import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { createFolder } from './create-folder.ts';
import { toErrorCode } from './storage-error.ts';

const fileName = 'marquee.db';
const defaultLockWaitMs = 5_000;
const retryEveryMs = 5;
/** There are few queries; batches differ by their number of rows. */
const statementsMax = 200;

export function toSqlitePath(dataDir: string): string {
  return join(dataDir, fileName);
}

type SqliteOptions = Readonly<{
  /** How long a writer waits for another process to finish its own writing. */
  lockWaitMs?: number;
}>;

/** Node's built-in SQLite. The first query creates the folder and opens the file. */
export function createSqliteDialect(
  dataDir: string,
  { lockWaitMs = defaultLockWaitMs }: SqliteOptions = {},
): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new NonBlockingDriver(dataDir, lockWaitMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely does not rely on it, but SQLite changes tables within transactions, too (https://sqlite.org/transactional.html). */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Takes the write lock at the start of a transaction, so that none fails half-way, and polls for it:
 * SQLite's busy timeout would block the event loop.
 */
class NonBlockingDriver extends SqliteDriver {
  readonly #lockWaitMs: number;

  constructor(dataDir: string, lockWaitMs: number) {
    super({ database: () => openFile(dataDir) });
    this.#lockWaitMs = lockWaitMs;
  }

  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return whileLocked(this.#lockWaitMs, async () => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    });
  }

  /** SQLite has rolled back by itself where the disk is full or fails; the error would hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

async function openFile(dataDir: string): Promise<SqliteDatabase> {
  createFolder(dataDir);
  const path = toSqlitePath(dataDir);
  // Readable by this user only, even in an existing folder; SQLite's side files get the same mode.
  await (await open(path, 'a', 0o600)).close();
  const database = new DatabaseSync(path, { timeout: 20 });
  try {
    // WAL: readers and the writer do not wait for each other. After a power cut the last
    // transactions may be missing, but the file is intact.
    await whileLocked(defaultLockWaitMs, async () => database.exec('pragma journal_mode = wal'));
    database.exec('pragma synchronous = normal');
  } catch (error) {
    database.close();
    throw error;
  }
  return adapt(database);
}

async function whileLocked(waitMs: number, operation: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + waitMs;
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

/** The interface that Kysely expects, with cached statements: preparing one takes longer than running it. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = statements.get(sql) ?? adaptStatement(database.prepare(sql));
      if (statements.size >= statementsMax) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...requireStorable(parameters)),
    run: (parameters) => statement.run(...requireStorable(parameters)),
    iterate: (parameters) => statement.iterate(...requireStorable(parameters)),
  };
}

// Parameters come from our own typed queries: this only guards against a bug.
function requireStorable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'number') continue;
    throw new TypeError(`SQLite cannot store a ${typeof value}.`);
  }
  return parameters as readonly SQLInputValue[];
}
