import { z } from 'zod';
import type { Log } from '#lib/http/log.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import type { RunQuery } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { type Column, columns } from '../../model/field-lists.ts';
import { toReading } from '../reading.ts';
import type { EventsRead, TableSource } from '../source.ts';
import { type ColumnNames, toShownColumn } from './column-names.ts';
import { AirtableError } from './failure.ts';

/** What one read found. */
type Found = Readonly<{ events: number; rows: number; repairs: EventsRead['repairs'] }>;

/** Why a read is not believed. */
export type ReadRejection = Readonly<{ columns: readonly Column[]; text: string }>;

/** Fewer rows than that are mistakes of an editor: they are left out one by one. */
const rowsMin = 3;

/**
 * Most of the rows that are present were events at the last read, and are none now: a column was renamed or
 * emptied. Deleted rows never count.
 * @returns null if the read is plausible.
 */
export function findRejection(
  found: Found,
  known: StoredTable | null,
  columnNames: ColumnNames,
): ReadRejection | null {
  if (known === null || found.events * 2 >= known.events) return null;
  const leftOut = found.rows - found.events;
  const newlyLeftOut = leftOut - known.leftOut;
  if (newlyLeftOut < rowsMin || newlyLeftOut * 2 <= found.rows - known.leftOut) return null;
  const counts = countByColumn(found.repairs);
  const most = [...counts].filter(([, count]) => count * 2 > newlyLeftOut);
  const blamed = most.length > 0 ? most : [...counts];
  const rejected = blamed.map(([column]) => column);
  if (rejected.every((column) => known.accepted.includes(column))) return null;
  const text = blamed.map(
    ([column, count]) =>
      `${toShownColumn(column, columnNames)} is empty or invalid in ${count} of ${found.rows} rows`,
  );
  return { columns: rejected, text: text.join(', ') };
}

function countByColumn(repairs: EventsRead['repairs']): Map<Column, number> {
  const counts = new Map<Column, number>();
  for (const [problem, count] of Object.entries(repairs)) {
    const column = problemColumns[problem];
    if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + count);
  }
  return counts;
}

const problemColumns: Readonly<Record<string, Column>> = {
  'leftOut.no_name': 'Name',
  'leftOut.no_start_date': 'Start Date',
  'leftOut.impossible_start_date': 'Start Date',
  'leftOut.ambiguous_start_date': 'Start Date',
};

type Table = Readonly<{ apiUrl: string; baseId: string | null; table: string }>;

/** Identifies a table in the database. */
export function toTableName({ apiUrl, baseId, table }: Table): string {
  return JSON.stringify([apiUrl, baseId, table]);
}

/** Identifies it as it is read: another way of reading it may find other rows and cells. */
export function toReadTableName(config: ReadTable): string {
  return JSON.stringify([toTableName(config.airtable), toReading(config)]);
}

type ReadTable = Parameters<typeof toReading>[0] & Readonly<{ airtable: Table }>;

type GuardOptions = Readonly<{
  store: TableStore;
  table: string;
  columnNames: ColumnNames;
  log: Log;
}>;

/** Reads do not wait longer than this for the database. */
const timeoutMs = 1_000;

/** A source whose read fails if it loses most events at once. What the last read found is stored for all instances. */
export function guardTable(source: TableSource, options: GuardOptions): TableSource {
  const { store, table, columnNames, log } = options;
  /** Used while the database is away. */
  let last: StoredTable | null = null;

  async function findKnown(): Promise<StoredTable | null> {
    try {
      return (await withTimeout(store.find(table), timeoutMs)) ?? last;
    } catch {
      return last;
    }
  }

  return {
    async read() {
      const [first, known] = await Promise.all([source.read(), findKnown()]);
      // Airtable has been seen to send a part of a table without an error. What was deleted is gone in the next read, too.
      const read = hasLostRows(first, known) ? await source.read() : first;
      const { drafts, rows = drafts.length, repairs } = read;
      const found = { events: drafts.length, rows, repairs };
      const rejection = findRejection(found, known, columnNames);
      if (rejection !== null) {
        throw new AirtableError({ reason: 'rows_rejected', details: rejection.text });
      }
      last = toStored(found, known);
      if (!isSame(last, known)) {
        await withTimeout(store.save(table, last), timeoutMs).catch(() =>
          log.warn({}, 'the size of the table could not be stored'),
        );
      }
      return read;
    },
  };
}

/** Whether a read lacks more than a tenth of the rows of the last one. */
function hasLostRows({ drafts, rows = drafts.length }: EventsRead, known: StoredTable | null) {
  if (known === null) return false;
  const lost = known.events + known.leftOut - rows;
  return lost >= rowsMin && lost * 10 > rows + lost;
}

/** A column is accepted until most of its cells are valid again. */
function toStored({ events, rows, repairs }: Found, known: StoredTable | null): StoredTable {
  const counts = countByColumn(repairs);
  const accepted = (known?.accepted ?? []).filter((column) => (counts.get(column) ?? 0) * 2 > rows);
  return { events, leftOut: rows - events, accepted };
}

function isSame(a: StoredTable, b: StoredTable | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What the last read of a table found. */
type StoredTable = Readonly<{
  events: number;
  leftOut: number;
  /** Columns that the operator has accepted to be missing. */
  accepted: readonly Column[];
}>;

export type TableStore = Readonly<{
  find: (table: string) => Promise<StoredTable | null>;
  save: (table: string, stored: StoredTable) => Promise<void>;
}>;

const storedColumns = z.array(z.enum(columns));

export function createTableStore(run: RunQuery): TableStore {
  return {
    find: (table) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_event_tables')
          .select(['events', 'left_out', 'accepted'])
          .where('name', '=', table)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { events, left_out: leftOut } = row;
        return { events, leftOut, accepted: readStored(storedColumns, row.accepted, []) };
      }),
    save: (table, { events, leftOut, accepted }) =>
      run(async (db) => {
        const values = { events, left_out: leftOut, accepted: JSON.stringify(accepted) };
        await db
          .insertInto('marquee_event_tables')
          .values({ name: table, ...values })
          .onConflict((on) => on.column('name').doUpdateSet(values))
          .execute();
      }),
  };
}
