import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createFolder } from '#lib/storage/create-folder.ts';
import { toNanoUsd } from '../prices.ts';
import type { RejectionCount } from '../store/rejection-store.ts';
import type { UsageRecord } from '../store/usage-upsert.ts';

/** A record's place in the queue, a number that its process counts up: SQLite stores that faster than an id. */
export type Place = number;
type Queued = Readonly<{ place: Place; record: UsageRecord }>;
/** A record as it is now, or with its end. */
export type QueuedChange = Queued & Readonly<{ isOpen: boolean }>;

/**
 * A SQLite file of one process, which it locks as long as it lives: what it contains survives `kill -9`, and
 * a process that can open the file knows that its owner is dead. All methods throw if the disk does not take it.
 */
export type UsageQueue = Readonly<{
  /** Stores records, and adds to counts, in one transaction: all of it or nothing. */
  write: (changes: readonly QueuedChange[], rejections: readonly RejectionCount[]) => void;
  /** The oldest requests that have ended. */
  readEnded: (limit: number) => Queued[];
  remove: (places: readonly Place[]) => void;
  /** Counts that have changed since they were written to the database. */
  readRejections: () => RejectionCount[];
  /** They are in the database; minutes before `at` are complete and removed. */
  markRejections: (written: readonly RejectionCount[], at: number) => void;
  /** Ends what its process has left open. */
  endAll: () => void;
  countRecords: () => number;
  isEmpty: () => boolean;
  /** Unlocks the file, and deletes it if it is empty. */
  release: () => void;
}>;

/** They may be there: the disk was full at the first attempt, or a request ends after the recorder was closed. */
const tables = `
  create table if not exists records (
    place integer primary key, is_open integer not null, record text not null
  );
  create table if not exists rejections (
    id text primary key, key_id text not null, at integer not null, status integer not null,
    code text not null, count integer not null, written integer not null
  ) without rowid;
`;

/** Creates and locks the file of this process. */
export function createUsageQueue(path: string): UsageQueue {
  createFolder(dirname(path));
  const database = lock(path);
  try {
    // WAL: a write is one append. It need not survive a power cut: waiting for the disk would block the process for
    // one to three milliseconds a request.
    database.exec(`pragma journal_mode = wal; pragma synchronous = off; ${tables}`);
    return toQueue(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The queue of a dead process; null if it lives or has not begun, or if another one has adopted its queue. */
export function adoptUsageQueue(path: string): UsageQueue | null {
  const existing = pathToFileURL(path);
  existing.searchParams.set('mode', 'rw');
  let database: DatabaseSync;
  try {
    database = lock(existing);
  } catch (error) {
    if (!existsSync(path)) return null;
    throw error;
  }
  try {
    if (database.prepare('select 1 from sqlite_schema').get() !== undefined) {
      return toQueue(database, path);
    }
  } catch (error) {
    if (!isLocked(error)) {
      database.close();
      throw error;
    }
  }
  database.close();
  return null;
}

/** The lock is taken with the first query, and released by the system at the latest when the process ends. */
function lock(path: string | URL): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('pragma locking_mode = exclusive');
  return database;
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html). */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === 5;
}

function toQueue(database: DatabaseSync, path: string): UsageQueue {
  const put = database.prepare(
    `insert into records values (?, ?, ?)
    on conflict (place) do update set is_open = excluded.is_open, record = excluded.record`,
  );
  const count = database.prepare(
    `insert into rejections values (?, ?, ?, ?, ?, ?, 0)
    on conflict (id) do update set count = count + excluded.count`,
  );
  const select = database.prepare(
    'select place, record from records where is_open = 0 order by place limit ?',
  );
  const remove = database.prepare(
    'delete from records where place in (select value from json_each(?))',
  );
  const selectCounts = database.prepare(
    'select id, key_id as keyId, at, status, code, count from rejections where count > written',
  );
  const markCount = database.prepare('update rejections set written = ? where id = ?');
  const removeCounts = database.prepare('delete from rejections where at < ? and count = written');

  const begin = database.prepare('begin');
  const commit = database.prepare('commit');

  function transact(run: () => void): void {
    begin.run();
    try {
      run();
      commit.run();
    } catch (error) {
      // SQLite has rolled back by itself where the disk is full.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  const isEmpty = (): boolean =>
    database.prepare('select 1 from records').get() === undefined &&
    selectCounts.get() === undefined;
  return {
    write(changes, rejections) {
      const writeAll = () => {
        for (const { place, record, isOpen } of changes) {
          put.run(place, isOpen ? 1 : 0, JSON.stringify(record));
        }
        for (const one of rejections) {
          count.run(one.id, one.keyId, one.at, one.status, one.code, one.count);
        }
      };
      // A single statement is a transaction of its own.
      if (changes.length + rejections.length === 1) writeAll();
      else transact(writeAll);
    },
    readEnded: (limit) =>
      select
        .all(limit)
        .map(({ place, record }) => ({ place: Number(place), record: JSON.parse(String(record)) })),
    remove: (places) => {
      remove.run(JSON.stringify(places));
    },
    // The columns of the query are the fields of the type.
    readRejections: () => selectCounts.all() as RejectionCount[],
    markRejections(written, at) {
      transact(() => {
        for (const one of written) markCount.run(one.count, one.id);
        removeCounts.run(at);
      });
    },
    endAll: () => database.exec('update records set is_open = 0 where is_open = 1'),
    countRecords: () =>
      Number(database.prepare('select count(*) as count from records').get()?.count),
    isEmpty,
    release() {
      // Deleted before it is unlocked, so that nobody else finds it in between.
      const isDone = isEmpty();
      if (isDone) rmSync(path, { force: true });
      database.close();
      if (isDone) rmSync(`${path}-wal`, { force: true });
    },
  };
}

/**
 * The usage of one request. Its time is that of the limits check; its tokens, input and output together, are
 * those that the reservation was settled with.
 */
export type UsageEntry = Omit<UsageRecord, 'id' | 'costNanoUsd'> &
  Readonly<{
    /** null: the price of the model is unknown. */
    costUsd: number | null;
    cachedTokens: number;
    cacheWriteTokens: number;
  }>;

const integerMax = 2 ** 31 - 1;
/** However wrong an upstream's report or a model's price is: ten thousand dollars. */
const tokensMax = 1e10;
const textLengthMax = 200;

/**
 * A record that every database accepts: one that is rejected would block its whole batch. The
 * model's name comes from the client, and PostgreSQL rejects a NUL in it.
 */
export function toUsageRecord(entry: UsageEntry, id: string, now: number): UsageRecord {
  const costNanoUsd = toNanoUsd(entry.costUsd);
  return {
    id,
    keyId: entry.keyId,
    memberId: entry.memberId,
    groupName: entry.groupName,
    at: toWhole(Number.isFinite(entry.at) ? entry.at : now, 8.64e15),
    model: toStorableText(entry.model),
    endpoint: toStorableText(entry.endpoint),
    upstream: entry.upstream,
    session: entry.session,
    isStreamed: entry.isStreamed,
    status: toWhole(entry.status, 999),
    tokensIn: toWhole(entry.tokensIn, tokensMax),
    tokensOut: toWhole(entry.tokensOut, tokensMax),
    cachedTokens: toWhole(entry.cachedTokens, tokensMax),
    cacheWriteTokens: toWhole(entry.cacheWriteTokens, tokensMax),
    isEstimated: entry.isEstimated,
    costNanoUsd,
    costSource: costNanoUsd === null ? null : entry.costSource,
    firstByteMs: entry.firstByteMs === null ? null : toWhole(entry.firstByteMs, integerMax),
    durationMs: toWhole(entry.durationMs, integerMax),
  };
}

function toWhole(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.round(value)), max);
}

function toStorableText(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Creates ids that are unique across instances and ascend with time: sequential inserts cost the
 * database a third of random ones.
 */
export function createUsageIds(now: () => number, instance: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const time = Math.max(0, now()).toString(36).padStart(9, '0');
    return `${time}-${count.toString(36).padStart(7, '0')}-${instance}`;
  };
}
