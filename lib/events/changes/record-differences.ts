import type { Transaction } from 'kysely';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { Schema } from '#lib/storage/schema.ts';
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
import type { ReadEvents } from './history.ts';
import {
  deleteRows,
  type HistoryRow,
  type StoredEvent,
  selectEventRows,
  writeChanges,
  writeRows,
} from './history-rows.ts';

type WriteOptions = Readonly<{
  position: number;
  /** Whether what differs is no change. */
  isSilent: boolean;
  atMs: number;
}>;

/** Writes the events that differ from what is stored of them, and their changes; returns these. */
export async function recordDifferences(
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
    rows.push(toRow(stored.get(id), { event, removedAtMs, change, day: read.day, isSilent }));
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
  isSilent: boolean;
}>;

function toRow(
  known: StoredEvent | undefined,
  { event, removedAtMs, change, day, isSilent }: Written,
): HistoryRow {
  const fingerprint = toFingerprint(event);
  // An event that was removed may come back: its SEQUENCE must be higher then.
  const isRevised = !isSilent && (removedAtMs !== null || known?.fingerprint !== fingerprint);
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
