import { connectToPostgres, type PostgresClient } from '#lib/storage/postgres.ts';
import { isStorageError, toErrorCode, toServerError } from '#lib/storage/storage-error.ts';
import type { AccountUse } from '../budgets.ts';
import { Books, type LedgerState, type Reads, type RequestCounts, type Writes } from './books.ts';
import { isOfEntry, LedgerError, type LedgerTransactions } from './ledger-error.ts';
import {
  rowsPlace,
  toExpiredStatement,
  toReadStatements,
  toWriteStatements,
} from './statements.ts';
import type { UsageRow } from './usage-record.ts';

type Options = Readonly<{
  databaseUrl: string;
  /** Makes sure that the tables are there. */
  open: () => Promise<void>;
}>;

/** After this time the client drops the connection, and the server ends the transaction before. */
const timeoutMs = 1_500;
const triesMax = 3;

/** Valid for this transaction, as PgBouncer wants it. */
const settings = Object.entries({
  // A process that is frozen must not hold locks.
  statement_timeout: '1s',
  idle_in_transaction_session_timeout: '1s',
  // Less than PostgreSQL waits before it looks for a deadlock.
  lock_timeout: '500ms',
  // A lock would be held until the disk has the commit.
  synchronous_commit: 'off',
}).map(([name, value]) => `set_config('${name}', '${value}', true)`);
const begin = `begin isolation level read committed; select ${settings.join(', ')}`;
/** What reads comes after it, so that it sees what the last owners of these locks wrote. */
const lock =
  'select pg_advisory_xact_lock(hashtextextended(name, 0)) from json_array_elements_text';
const serverNow = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** A transaction that waits for the disk, which then also has what was committed before. */
const flush = `select pg_logical_emit_message(true, 'marquee', '')`;

const reads = toReadStatements('postgres');
const writes = Object.entries(toWriteStatements('postgres')).map(
  ([name, { sqls }]) => [name as keyof Writes, sqls[0]] as const,
);

/**
 * PostgreSQL. A transaction is two messages, each with all of its statements: what begins, locks and reads; what writes and
 * commits. Rows are literals, since a message of several statements takes no parameters.
 */
export function createPostgresTransactions(options: Options): LedgerTransactions {
  const { run, close } = createSession(options, 'commit');
  const durable = createSession(options, `commit; ${flush}`);
  return {
    run,
    durable,
    async close() {
      await Promise.all([close(), durable.close()]);
    },
  };
}

/** Transactions on one connection. @param end the last statements of each */
function createSession({ databaseUrl, open }: Options, end: string): LedgerTransactions {
  let opened: Promise<PostgresClient> | null = null;

  function connect(): Promise<PostgresClient> {
    const onLost = () => {
      if (opened === connection) opened = null;
    };
    const connection = open().then(() => connectToPostgres({ databaseUrl, timeoutMs, onLost }));
    return connection;
  }

  async function disconnect(): Promise<void> {
    const closed = opened;
    opened = null;
    const client = await closed?.catch(() => null);
    await client?.end().catch(() => {});
  }

  return {
    async run(wanted, change) {
      for (let tries = 1; ; tries += 1) {
        let isCommitting = false;
        opened ??= connect();
        const connection = opened;
        const isLost = () => opened !== connection;
        try {
          const client = await connection;
          const books = new Books(wanted, await read(client, wanted));
          if (isLost()) throw new Error('The server has ended the transaction.');
          change(books);
          const texts = toWriteTexts(client, books.writes);
          isCommitting = true;
          await client.query([...texts, end].join('; '));
          return;
        } catch (error) {
          // A process that had no turn for a second finds its transaction ended: nothing is written.
          const isUnwritten = (isLost() && !isCommitting) || isConflict(error);
          // Rolled back by the server once the connection is closed.
          await disconnect();
          if (!isUnwritten || tries === triesMax) throw toLedgerError(error, isCommitting);
        }
      }
    },
    close: disconnect,
  };
}

function toLedgerError(error: unknown, isCommitting: boolean): LedgerError {
  if (isOfEntry(error)) return new LedgerError(error, { isOfEntry: true });
  return new LedgerError(isStorageError(error) ? error : toServerError(error), {
    isOutcomeUnknown: isCommitting && !isRolledBack(error),
  });
}

async function read(client: PostgresClient, wanted: Reads): Promise<LedgerState> {
  const accounts = wanted.spans.map(({ account }) => account);
  const locked = [...accounts, ...wanted.recordIds, ...wanted.newIds].sort();
  const rows = {
    spans: wanted.spans.map((span, position) => ({ ...span, position })),
    records: wanted.recordIds.map((id) => ({ id })),
    counts: wanted.counted.toSorted((a, b) => compare(a.key_id, b.key_id)),
  };
  const names = (['spans', 'records', 'counts'] as const).filter((name) => rows[name].length > 0);
  const texts = names.map((name) => withRows(client, reads[name], rows[name]));
  // What another transaction has locked, it ends.
  const expired = toExpiredStatement(serverNow, String(wanted.expiredMax));
  if (wanted.expiredMax > 0) texts.push(`${expired} for update skip locked`);
  const lockText = `${lock}(${client.escapeLiteral(JSON.stringify(locked))}) as name`;
  const text = [begin, lockText, `select ${serverNow} as now`, ...texts].join('; ');
  // The responses to `begin`, the settings and the locks come first.
  const [, , , [clock] = [], ...results] = await client.query(text);
  const found = Object.fromEntries(names.map((name, index) => [name, results[index]]));
  // The columns of the queries are the fields of the types.
  return {
    now: Number((clock as Readonly<{ now: number }> | undefined)?.now),
    uses: (found.spans ?? []) as AccountUse[],
    records: (found.records ?? []) as UsageRow[],
    counts: (found.counts ?? []) as RequestCounts[],
    expired: (results[names.length] ?? []) as UsageRow[],
  };
}

/** Rows in one order, in which `all` is the last account. */
function toWriteTexts(client: PostgresClient, tables: Writes): string[] {
  return writes.flatMap(([table, sql]) => {
    const named = [...(tables[table] ?? [])].sort(([a], [b]) => compare(b, a));
    const rows = named.map(([, row]) => row);
    return rows.length === 0 ? [] : [withRows(client, sql, rows)];
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function withRows(client: PostgresClient, sql: string, rows: readonly object[]): string {
  return sql.replace(rowsPlace, () => client.escapeLiteral(JSON.stringify(rows)));
}

/** A deadlock, a serialization failure, or a lock that another transaction has had for long. */
function isConflict(error: unknown): boolean {
  return ['40P01', '40001', '55P03'].includes(toErrorCode(error));
}

/** The server has said so itself: not as its connection broke (class 08) or as it stopped (57). */
function isRolledBack(error: unknown): boolean {
  return /^(?!08|57)(?=.*\d)[0-9A-Z]{5}$/.test(toErrorCode(error));
}
