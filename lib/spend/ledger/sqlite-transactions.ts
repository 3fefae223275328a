import { setTimeout as delay } from 'node:timers/promises';
import type { LocalSqliteFile, SqliteResult } from '#lib/storage/sqlite-file.ts';
import { isStorageError, toErrorCode, toFileError } from '#lib/storage/storage-error.ts';
import type { AccountUse } from '../budgets.ts';
import { Books, type LedgerState, type Reads, type RequestCounts, type Writes } from './books.ts';
import { isOfEntry, LedgerError, type LedgerTransactions } from './ledger-error.ts';
import {
  type Statement,
  type StatementRow,
  toExpiredStatement,
  toIdRows,
  toReadStatements,
  toSpanRows,
  toWriteStatements,
} from './statements.ts';
import type { UsageRow } from './usage-record.ts';

type Options = Readonly<{
  dataDir: string;
  /** Opens a connection of its own to a database that has its tables. */
  openFile: () => Promise<LocalSqliteFile>;
  /** Unix ms. */
  now: () => number;
}>;

/** How long another process may hold the lock. */
const lockWaitMs = 1_500;
const retryMs = 1;

/**
 * The embedded database. A transaction is one turn of the event loop, so it holds the lock for a fraction of a
 * millisecond; while another process has it, this one tries again instead of waiting inside SQLite.
 */
export function createSqliteTransactions({ dataDir, openFile, now }: Options): LedgerTransactions {
  let opened: Promise<LocalSqliteFile> | null = null;

  return {
    async run(wanted, change) {
      try {
        opened ??= openFile();
        const file = await opened;
        const deadline = performance.now() + lockWaitMs;
        while (!tryBegin(file, deadline)) await delay(retryMs);
        finish(file, wanted, { change, now: now() });
      } catch (error) {
        if (isOfEntry(error)) throw new LedgerError(error, { isOfEntry: true });
        // It may be another file when it works again.
        if (!isBusy(error)) await disconnect();
        throw new LedgerError(isStorageError(error) ? error : toFileError(error, dataDir));
      }
    },
    close: disconnect,
  };

  async function disconnect(): Promise<void> {
    const closed = opened;
    opened = null;
    (await closed?.catch(() => null))?.close();
  }
}

const reads = toReadStatements('sqlite');
const selectExpired = toExpiredStatement('?', '?');
const writes = Object.entries(toWriteStatements('sqlite')).map(
  ([name, statement]) => [name as keyof Writes, statement] as const,
);

/** Takes the lock. False: another process has it. @throws after the deadline */
function tryBegin(file: LocalSqliteFile, deadline: number): boolean {
  try {
    file.execute('begin immediate');
    return true;
  } catch (error) {
    if (isBusy(error) && performance.now() < deadline) return false;
    throw error;
  }
}

/** @throws what SQLite or the change throws, after a rollback */
function finish(file: LocalSqliteFile, wanted: Reads, work: Work): void {
  try {
    const books = new Books(wanted, read(file, wanted, work.now));
    work.change(books);
    const rows = books.writes;
    for (const [name, statement] of writes) {
      for (const row of rows[name]) execute(file, statement, row);
    }
    file.execute('commit');
  } catch (error) {
    rollBack(file);
    throw error;
  }
}

type Work = Readonly<{ change: (books: Books) => void; now: number }>;

function read(file: LocalSqliteFile, wanted: Reads, now: number): LedgerState {
  const { spans, recordIds, counted, expiredMax } = wanted;
  const select = <T>(statement: Statement, rows: readonly StatementRow[]): readonly T[] =>
    // The columns of the query are the fields of the type.
    rows.flatMap((row) => execute(file, statement, row).rows as T[]);
  return {
    now,
    uses: select<AccountUse>(reads.spans, toSpanRows(spans)),
    records: select<UsageRow>(reads.records, toIdRows(recordIds)),
    counts: select<RequestCounts>(
      reads.counts,
      counted.map((row) => ({ ...row, minute: Math.floor(now / 60_000) })),
    ),
    expired:
      expiredMax === 0 ? [] : (file.execute(selectExpired, [now, expiredMax]).rows as UsageRow[]),
  };
}

function execute(
  file: LocalSqliteFile,
  { sql, columns }: Statement,
  row: StatementRow,
): SqliteResult {
  return file.execute(
    sql,
    columns.map((name) => row[name]),
  );
}

/** SQLite has rolled back by itself where the disk is full. */
function rollBack(file: LocalSqliteFile): void {
  try {
    file.execute('rollback');
  } catch {}
}

/** Another process has the lock: SQLITE_BUSY or SQLITE_LOCKED (https://sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return ['SQLITE_5', 'SQLITE_6'].includes(toErrorCode(error));
}
