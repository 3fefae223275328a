import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What a statement gives: its rows, or how many rows it has changed. */
export type SqliteResult = Readonly<{ rows: Record<string, unknown>[]; changes: bigint | null }>;

/** The file of the embedded database, opened in this thread or in another. */
export type SqliteFile = Readonly<{
  /** @throws Error of node:sqlite; `SQLITE_BUSY` at once, since waiting would block the thread. */
  execute: (sql: string, parameters: readonly unknown[]) => SqliteResult | Promise<SqliteResult>;
  close: () => void | Promise<void>;
}>;

/** A file that is opened in this thread. */
export type LocalSqliteFile = Readonly<{
  execute: (sql: string, parameters?: readonly unknown[]) => SqliteResult;
  /** May be called again. */
  close: () => void;
}>;

/** What a busy second writes. */
export const walBytesMax = 64 * 1024 ** 2;
/** There are few queries; batches differ by their number of rows. */
const statementsMax = 200;

/** Opens an existing file, with cached statements: preparing one takes longer than running it. */
export function openSqliteFile(path: string): LocalSqliteFile {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // WAL: readers and the writer do not wait for each other. After a power cut the last
    // transactions may be missing, but the file is intact.
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    // See checkpoints.ts.
    database.exec('pragma wal_autocheckpoint = 0');
    // The most that stays of the log when it is begun anew.
    database.exec(`pragma journal_size_limit = ${walBytesMax}`);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, Statement>();

  function prepare(sql: string): Statement {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare(sql);
    const statement = { prepared, hasRows: prepared.columns().length > 0 };
    if (statements.size >= statementsMax) statements.clear();
    statements.set(sql, statement);
    return statement;
  }

  return {
    execute(sql, parameters = []) {
      const { prepared, hasRows } = prepare(sql);
      const values = requireStorable(parameters);
      if (hasRows) return { rows: prepared.all(...values), changes: null };
      return { rows: [], changes: BigInt(prepared.run(...values).changes) };
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

type Statement = Readonly<{ prepared: StatementSync; hasRows: boolean }>;

// Parameters come from our own typed queries: this only guards against a bug.
function requireStorable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'number') continue;
    if (value instanceof Uint8Array) continue;
    throw new TypeError(`SQLite cannot store a ${typeof value}.`);
  }
  return parameters as readonly SQLInputValue[];
}
