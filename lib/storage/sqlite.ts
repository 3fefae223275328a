import { mkdir, open } from 'node:fs/promises';
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
import { toErrorCode } from './storage-error.ts';

const fileName = 'marquee.db';
/** How long a writer waits for another process to finish its own writing. */
const lockWaitMs = 5_000;
const retryEveryMs = 5;
/** Queries have few forms; those of batches differ by their number of rows. */
const statementsMax = 200;

/** SQLite as Node carries it. The file is opened, and its folder made, when the first query comes. */
export function createSqliteDialect(dataDir: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new PatientDriver({ database: () => openFile(dataDir) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Takes the lock for writing when a transaction begins, so that none fails half-way, and waits for it
 * between turns of the event loop: SQLite's own waiting would hold up every request.
 */
class PatientDriver extends SqliteDriver {
  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return whileLocked(async () => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    });
  }
}

async function openFile(dataDir: string): Promise<SqliteDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, fileName);
  // Nobody else's to read, even in a folder that was there before; its side files take after it.
  await (await open(path, 'a', 0o600)).close();
  const database = new DatabaseSync(path, { timeout: 20 });
  try {
    // Readers and the writer do not wait for each other. A power cut may take the last
    // moments of metering along, and nothing else: the file stays whole.
    await whileLocked(async () => database.exec('pragma journal_mode = wal'));
    database.exec('pragma synchronous = normal');
  } catch (error) {
    database.close();
    throw error;
  }
  return adapt(database);
}

async function whileLocked(operation: () => Promise<void>): Promise<void> {
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

/** The part of a driver that kysely asks for, with statements kept: to prepare one costs more than to run it. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = kept.get(sql) ?? adaptStatement(database.prepare(sql));
      if (kept.size >= statementsMax) kept.clear();
      kept.set(sql, statement);
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

// All parameters come from our own typed queries; a batch has thousands.
function requireStorable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'number') continue;
    throw new TypeError(`SQLite cannot hold a ${typeof value}.`);
  }
  return parameters as readonly SQLInputValue[];
}
