import type { Transaction } from 'kysely';
import type { Log } from '#lib/http/log.ts';
import type { RunTransaction, Schema } from '#lib/storage/schema.ts';
import type { RecordedChange } from './change.ts';
import type { EventsHistory, ReadEvents, ReadTime } from './history.ts';
import {
  type HistoryHead,
  hasChangesBesideStatus,
  lockHead,
  type StoredEvent,
  selectRecentRows,
  selectStored,
  selectStoredOf,
  writeHead,
} from './history-rows.ts';
import { recordDifferences } from './record-differences.ts';

/** Which table is read, and how its rows become events. */
type TableReading = Readonly<{ table: string; reading: string }>;

/** Called in the transaction that writes the changes: what it writes is written with them or not at all. */
export type OnChanges = (
  db: Transaction<Schema>,
  changes: readonly RecordedChange[],
) => Promise<void>;

/** The first read of another table is a new beginning; that of another reading replaces what is stored: no changes. */
type RecordOptions = TableReading & Readonly<{ onChanges: OnChanges; log: Log }>;

export type HistoryStore = Readonly<{
  /** Writes what differs from the last recorded read; of all instances, one at a time. */
  record: (read: ReadEvents, options: RecordOptions) => Promise<EventsHistory>;
  /**
   * Notes a read that found the same as the last one; returns the position of the newest change, or null if another
   * instance has read in another way since.
   */
  markRead: (read: ReadTime) => Promise<number | null>;
  /**
   * Writes the statuses of these events after a transition; returns the position of the newest change, or null if more
   * than statuses has changed since a position.
   */
  recordStatuses: (
    read: ReadEvents,
    options: RecordOptions & Readonly<{ since: number }>,
  ) => Promise<number | null>;
}>;

/** What a page or a feed of changes shows. */
const recentDays = 30;
const recentMax = 500;
const dayMs = 86_400_000;
const clockSkewMaxMs = 60_000;

export function createHistoryStore(transact: RunTransaction, now: () => number): HistoryStore {
  let own: TableReading | null = null;
  return {
    markRead: (read) =>
      transact(async (db) => {
        const head = await lockHead(db);
        if (own !== null && !isSameReading(head, own)) return null;
        if (!isOutdated(read, head, now())) {
          await writeHead(db, { ...head, ...toHead(read, head, now()) });
        }
        return head.position;
      }),
    async record(read, options) {
      const { table, reading, log } = options;
      const { history, isWritten } = await transact(async (db) => {
        const head = await lockHead(db);
        const isOthers = isReplaced(head, own, now());
        if (isOthers) log.warn({ own: reading, other: head.reading }, replacedText);
        const isBeginning = !isOthers && head.table_name !== table;
        if (isBeginning) await db.deleteFrom('marquee_event_history').execute();
        const stored = await selectStored(db);
        if (isOthers || (!isBeginning && isOutdated(read, head, now()))) {
          const history = await readHistory(db, stored, head.position, now());
          return { history, isWritten: false };
        }
        const isSilent = !isSameReading(head, options);
        if (isSilent && !isBeginning) log.info({ before: head.reading, reading }, replacingText);
        const position = await write(db, { read, stored, head, isSilent }, options);
        return { history: await readHistory(db, stored, position, now()), isWritten: true };
      });
      if (isWritten) own = options;
      return history;
    },
    recordStatuses: (read, { since, ...options }) =>
      transact(async (db) => {
        const head = await lockHead(db);
        if (!isSameReading(head, options) || isOutdated(read, head, now())) return null;
        if (await hasChangesBesideStatus(db, since)) return null;
        const ids = read.events.map(({ id }) => id);
        const stored = await selectStoredOf(db, ids);
        return write(db, { read, stored, head, isSilent: false }, options);
      }),
  };

  /** Returns the position of the newest change. */
  async function write(
    db: Transaction<Schema>,
    { read, stored, head, isSilent }: Written,
    { table, reading, onChanges }: RecordOptions,
  ): Promise<number> {
    const options = { position: head.position, isSilent, atMs: now() };
    const changes = await recordDifferences(db, read, stored, options);
    if (changes.length > 0) await onChanges(db, changes);
    const position = head.position + changes.length;
    const time = toHead(read, head, now());
    await writeHead(db, { position, table_name: table, reading, ...time });
    return position;
  }
}

type Written = Readonly<{
  read: ReadEvents;
  stored: Map<string, StoredEvent>;
  head: HistoryHead;
  isSilent: boolean;
}>;

function toHead(read: ReadTime, head: HistoryHead, nowMs: number) {
  const { readAtMs, transitionAtMs, day } = read;
  // Without an event that was removed, the last transition may be an earlier one.
  const recordedMs = isAhead(head, nowMs) ? 0 : head.transition_at;
  return { read_at: readAtMs, day, transition_at: Math.max(recordedMs, transitionAtMs) };
}

/** Other instances have other clocks: a transition that one of them has recorded is not taken back. */
function isOutdated(read: ReadTime, head: HistoryHead, nowMs: number): boolean {
  if (isAhead(head, nowMs)) return false;
  return read.readAtMs < head.read_at || read.nextTransitionAtMs <= head.transition_at;
}

/** The time of a read so far ahead of the clock is not believed: the clock has been set back since. */
function isAhead(head: HistoryHead, nowMs: number): boolean {
  return Math.max(head.read_at, head.transition_at) > nowMs + clockSkewMaxMs;
}

async function readHistory(
  db: Transaction<Schema>,
  stored: ReadonlyMap<string, StoredEvent>,
  position: number,
  nowMs: number,
): Promise<EventsHistory> {
  const rows = [...stored.values()].filter(({ removed_at }) => removed_at === null);
  return {
    position,
    revisions: new Map(rows.map(({ event_id, revision }) => [event_id, revision])),
    lastChanges: new Map(
      rows.flatMap(({ event_id, last_change }) =>
        last_change === null ? [] : [[event_id, JSON.parse(last_change)]],
      ),
    ),
    recent: await selectRecentRows(db, { sinceMs: nowMs - recentDays * dayMs, max: recentMax }),
  };
}

/** An instance that has recorded no read for so long is no longer there. */
const silenceMaxMs = 600_000;

/**
 * Whether another instance has replaced what this one has recorded, and still reads. If both went on, each would
 * silently replace the other’s events, and nothing would ever be a change.
 * @param own what this process has recorded; null before its first read.
 */
function isReplaced(head: HistoryHead, own: TableReading | null, nowMs: number): boolean {
  if (own === null || isSameReading(head, own)) return false;
  return head.read_at > nowMs - silenceMaxMs;
}

function isSameReading(head: HistoryHead, { table, reading }: TableReading): boolean {
  return head.table_name === table && head.reading === reading;
}

const replacedText =
  'another instance reads the table in another way, so this one records no changes: give all the same version and settings';
const replacingText =
  'the table is read in another way than before: what differs is no change of events';
