import type { Kysely, Selectable, Transaction } from 'kysely';
import { yieldToEventLoop } from '#lib/http/time-slices.ts';
import type { Schema } from '#lib/storage/schema.ts';
import type { ComparedEvent, DatedChange } from './change.ts';

/** Queries of the tables of the history. Large ones are made in parts, since SQLite blocks the event loop meanwhile. */

/** SQLite takes 32,766 parameters in a statement. */
const rowsMax = 500;

export type HistoryRow = Schema['marquee_event_history'];
export type HistoryHead = Selectable<Schema['marquee_event_history_head']>;

/** What is compared with the next read: of each event all but itself. */
export type StoredEvent = Omit<HistoryRow, 'event'>;

export function selectHeadRow(db: Kysely<Schema>): Promise<HistoryHead> {
  return db.selectFrom('marquee_event_history_head').selectAll().executeTakeFirstOrThrow();
}

/** Reads and locks the head: the transactions of all instances run one after the other. */
export function lockHead(db: Transaction<Schema>): Promise<HistoryHead> {
  return db
    .updateTable('marquee_event_history_head')
    .set((head) => ({ position: head.ref('position') }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function writeHead(db: Transaction<Schema>, head: HistoryHead): Promise<void> {
  await db.updateTable('marquee_event_history_head').set(head).execute();
}

const storedColumns = [
  'event_id',
  'digest',
  'fingerprint',
  'revision',
  'last_change',
  'removed_at',
] as const;

/** All events that are or were stored, by id. */
export async function selectStored(db: Kysely<Schema>): Promise<Map<string, StoredEvent>> {
  const stored = new Map<string, StoredEvent>();
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('marquee_event_history')
      .select(storedColumns)
      .where('event_id', '>', last)
      .orderBy('event_id')
      .limit(rowsMax)
      .execute();
    for (const row of rows) stored.set(row.event_id, row);
    if (rows.length < rowsMax) return stored;
    last = rows.at(-1)?.event_id ?? '';
    await yieldToEventLoop();
  }
}

/** Those of these events, by id. */
export async function selectStoredOf(
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<Map<string, StoredEvent>> {
  const stored = new Map<string, StoredEvent>();
  for (const part of toParts(ids)) {
    const rows = await db
      .selectFrom('marquee_event_history')
      .select(storedColumns)
      .where('event_id', 'in', part)
      .execute();
    for (const row of rows) stored.set(row.event_id, row);
    await yieldToEventLoop();
  }
  return stored;
}

/** Whether something else than a status has changed after a position. */
export async function hasChangesBesideStatus(
  db: Kysely<Schema>,
  position: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('marquee_event_changes')
    .select('position')
    .where('position', '>', position)
    .where('is_status_only', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Events as they were last recorded, by id. */
export async function selectEventRows(
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<Map<string, ComparedEvent>> {
  const events = new Map<string, ComparedEvent>();
  for (const part of toParts(ids)) {
    const rows = await db
      .selectFrom('marquee_event_history')
      .select(['event_id', 'event'])
      .where('event_id', 'in', part)
      .execute();
    for (const row of rows) events.set(row.event_id, JSON.parse(row.event));
    await yieldToEventLoop();
  }
  return events;
}

export async function writeRows(
  db: Transaction<Schema>,
  rows: readonly HistoryRow[],
): Promise<void> {
  for (const part of toParts(rows)) {
    await db
      .insertInto('marquee_event_history')
      .values(part)
      .onConflict((on) =>
        on.column('event_id').doUpdateSet(({ ref }) => ({
          digest: ref('excluded.digest'),
          fingerprint: ref('excluded.fingerprint'),
          revision: ref('excluded.revision'),
          event: ref('excluded.event'),
          last_change: ref('excluded.last_change'),
          removed_at: ref('excluded.removed_at'),
        })),
      )
      .execute();
    await yieldToEventLoop();
  }
}

export async function deleteRows(db: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  for (const part of toParts(ids)) {
    await db.deleteFrom('marquee_event_history').where('event_id', 'in', part).execute();
    await yieldToEventLoop();
  }
}

export async function writeChanges(
  db: Transaction<Schema>,
  changes: readonly Schema['marquee_event_changes'][],
): Promise<void> {
  for (const part of toParts(changes)) {
    await db.insertInto('marquee_event_changes').values(part).execute();
    await yieldToEventLoop();
  }
}

type RecentOptions = Readonly<{ sinceMs: number; max: number }>;

/** The newest changes that visitors should know of, the newest first. */
export async function selectRecentRows(
  db: Kysely<Schema>,
  { sinceMs, max }: RecentOptions,
): Promise<DatedChange[]> {
  const rows = await db
    .selectFrom('marquee_event_changes')
    .select(['change', 'day'])
    .where('is_status_only', '=', 0)
    .where('at', '>=', sinceMs)
    .orderBy('position', 'desc')
    .limit(max)
    .execute();
  return rows.map(({ change, day }) => ({ change: JSON.parse(change), day }));
}

function* toParts<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += rowsMax) {
    yield rows.slice(start, start + rowsMax);
  }
}
