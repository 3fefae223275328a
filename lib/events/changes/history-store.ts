import type { Transaction } from 'kysely';
import type { Log } from '#lib/http/log.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { RunTransaction, Schema } from '#lib/storage/schema.ts';
import {
  type ComparedEvent,
  compareEvents,
  type EventChange,
  isNotable,
  isStatusOnly,
  type RecordedChange,
  toDigest,
  toFingerprint,
} from './change.ts';
import type { EventsHistory, ReadEvents, ReadTime } from './history.ts';
import {
  deleteRows,
  type HistoryHead,
  type HistoryRow,
  lockHead,
  type StoredEvent,
  selectEventRows,
  selectRecentRows,
  selectStored,
  writeChanges,
  writeHead,
  writeRows,
} from './history-rows.ts';
import {
  isReplaced,
  isSameReading,
  replacedText,
  replacingText,
  type TableReading,
} from './replaced-reading.ts';

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
      const { table, reading, onChanges, log } = options;
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
        const written = await write(db, read, stored, { ...head, isSilent, atMs: now() });
        if (written.length > 0) await onChanges(db, written);
        const position = head.position + written.length;
        const time = toHead(read, head, now());
        await writeHead(db, { position, table_name: table, reading, ...time });
        return { history: await readHistory(db, stored, position, now()), isWritten: true };
      });
      if (isWritten) own = options;
      return history;
    },
  };
}

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

type WriteOptions = Readonly<{
  position: number;
  /** Whether what differs is no change. */
  isSilent: boolean;
  atMs: number;
}>;

/** Writes the events that differ from what is stored, and their changes; returns these. */
async function write(
  db: Transaction<Schema>,
  read: ReadEvents,
  stored: Map<string, StoredEvent>,
  { position, isSilent, atMs }: WriteOptions,
): Promise<RecordedChange[]> {
  const found = await findChanged(stored, read.events);
  const isLeftOut = ({ after }: ChangedEvent) => isSilent && after === null;
  const leftOut = found.filter(isLeftOut).map(({ id }) => id);
  const changed = found.filter((one) => !isLeftOut(one));
  const ids = changed.map(({ id }) => id);
  const existing = ids.filter((id) => stored.get(id)?.removed_at === null);
  const eventsBefore = await selectEventRows(db, existing);
  const recorded: RecordedChange[] = [];
  const rows: HistoryRow[] = [];
  for (const { id, after } of changed) {
    const before = eventsBefore.get(id) ?? null;
    const event = after ?? before;
    if (event === null) continue;
    const difference = isSilent ? null : compareEvents(before, after);
    const change = difference && {
      id: String(position + recorded.length + 1),
      timestamp: new Date(atMs).toISOString(),
      eventId: id,
      slug: event.slug,
      ...difference,
    };
    if (change !== null) recorded.push({ change, before, after });
    const removedAtMs = after === null ? atMs : null;
    rows.push(toRow(stored.get(id), { event, removedAtMs, change, day: read.day }));
  }
  await writeRows(db, rows);
  await deleteRows(db, leftOut);
  const changes = recorded.map(({ change }) => toChangeRow(change, atMs, read.day));
  await writeChanges(db, changes);
  for (const row of rows) stored.set(row.event_id, row);
  for (const id of leftOut) stored.delete(id);
  return recorded;
}

type ChangedEvent = Readonly<{ id: string; after: ComparedEvent | null }>;

/** The events that are new, differ from what is stored, or are no longer there. */
async function findChanged(
  stored: ReadonlyMap<string, StoredEvent>,
  events: readonly ComparedEvent[],
): Promise<ChangedEvent[]> {
  const yieldWhenDue = createTimeSlices();
  const removed = new Map([...stored].filter(([, { removed_at }]) => removed_at === null));
  const changed: ChangedEvent[] = [];
  for (const event of events) {
    if (removed.get(event.id)?.digest !== toDigest(event)) {
      changed.push({ id: event.id, after: event });
    }
    removed.delete(event.id);
    await yieldWhenDue();
  }
  const removals = [...removed.keys()].map((id) => ({ id, after: null }));
  return [...removals, ...changed];
}

type Written = Readonly<{
  event: ComparedEvent;
  removedAtMs: number | null;
  change: EventChange | null;
  day: string;
}>;

function toRow(
  known: StoredEvent | undefined,
  { event, removedAtMs, change, day }: Written,
): HistoryRow {
  const fingerprint = toFingerprint(event);
  // An event that was removed may come back: its SEQUENCE must be higher then.
  const isRevised = removedAtMs !== null || known?.fingerprint !== fingerprint;
  return {
    event_id: event.id,
    digest: toDigest(event),
    fingerprint,
    revision: known === undefined ? 0 : known.revision + Number(isRevised),
    event: JSON.stringify(event),
    last_change:
      change && isNotable(change) ? JSON.stringify({ change, day }) : (known?.last_change ?? null),
    removed_at: removedAtMs,
  };
}

function toChangeRow(
  change: EventChange,
  atMs: number,
  day: string,
): Schema['marquee_event_changes'] {
  const { id, type } = change;
  return {
    position: Number(id),
    at: atMs,
    day,
    type,
    is_status_only: Number(isStatusOnly(change)),
    change: JSON.stringify(change),
  };
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
