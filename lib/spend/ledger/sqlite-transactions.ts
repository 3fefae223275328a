import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '#lib/storage/days.ts';
import type { LocalSqliteFile } from '#lib/storage/sqlite-file.ts';
import { isStorageError, toErrorCode, toFileError } from '#lib/storage/storage-error.ts';
import type { AccountUse } from '../budgets.ts';
import { Books, type LedgerState, type Reads, type RequestCounts, type Writes } from './books.ts';
import { isOfEntry, LedgerError, type LedgerTransactions } from './ledger-error.ts';
import {
  type Statement,
  toExpiredStatement,
  toReadStatements,
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
const writes = toWriteStatements('sqlite');
const writeNames = Object.keys(writes) as (keyof Writes)[];

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
    for (const name of writeNames) {
      const rows = books.writes[name];
      if (rows !== undefined) write(file, writes[name], [...rows.values()]);
    }
    file.execute('commit');
  } catch (error) {
    // SQLite has rolled back by itself where the disk is full.
    try {
      file.execute('rollback');
    } catch {}
    throw error;
  }
}

type Work = Readonly<{ change: (books: Books) => void; now: number }>;

/** The columns of the queries are the fields of the types. */
function read(file: LocalSqliteFile, wanted: Reads, now: number): LedgerState {
  const { spans, recordIds, counted, expiredMax } = wanted;
  const minute = Math.floor(now / minuteMs);
  const selectOne = (sql: string, parameters: readonly unknown[]) =>
    file.execute(sql, parameters).rows[0];
  return {
    now,
    uses: spans.map(({ account, firstDay, lastDay }) =>
      selectOne(reads.spans, [account, firstDay, lastDay]),
    ) as AccountUse[],
    records: recordIds
      .map((id) => selectOne(reads.records, [id]))
      .filter((row) => row !== undefined) as UsageRow[],
    counts: counted.map(({ key_id, count }) =>
      selectOne(reads.counts, [minute, key_id, count]),
    ) as RequestCounts[],
    expired:
      expiredMax === 0 ? [] : (file.execute(selectExpired, [now, expiredMax]).rows as UsageRow[]),
  };
}

/** A row that is written: its columns are those of the statement. */
type WrittenRow = Readonly<Record<string, string | number | null>>;

function write(
  file: LocalSqliteFile,
  { sqls, columns }: Statement,
  rows: readonly WrittenRow[],
): void {
  for (let first = 0; first < rows.length; first += sqls.length) {
    const end = Math.min(first + sqls.length, rows.length);
    const values = new Array<unknown>((end - first) * columns.length);
    let filled = 0;
    for (let index = first; index < end; index += 1) {
      for (const name of columns) values[filled++] = rows[index]?.[name];
    }
    file.execute(sqls[end - first - 1] ?? sqls[0], values);
  }
}

/** Another process has the lock: SQLITE_BUSY or SQLITE_LOCKED (https://sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return ['SQLITE_5', 'SQLITE_6'].includes(toErrorCode(error));
}
