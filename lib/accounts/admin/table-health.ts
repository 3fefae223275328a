import { failureAdvice } from '#lib/events/source/airtable/examine-table.ts';
import type { RowProblem } from '#lib/events/source/airtable/record-report.ts';
import type { ReadStatus } from '#lib/events/source/loader.ts';
import { describeProblem } from '#lib/events/source/source.ts';

/** What the last reads of the events table found, as the admin pages show it. Times are Unix ms. */
export type TableHealth = Readonly<{
  readAtMs: number | null;
  events: number | null;
  leftOut: number;
  repaired: number;
  rows: readonly TableRow[];
  failure: Readonly<{ atMs: number; reason: string; isOver: boolean }> | null;
}>;

export type TableRow = Readonly<{
  recordId: string;
  url: string;
  column: string;
  value: string;
  result: string;
}>;

type Table = Readonly<{ baseId: string | null; table: string }>;

export function toTableHealth(status: ReadStatus, table: Table): TableHealth {
  const { lastRead, lastFailure, isFailing } = status;
  const { readAtMs = null, events = null, repairs = {}, problems = [] } = lastRead ?? {};
  const count = (kind: string) =>
    Object.entries(repairs)
      .filter(([name]) => name.startsWith(kind))
      .reduce((sum, [, count]) => sum + count, 0);
  return {
    readAtMs,
    events,
    leftOut: count('leftOut.'),
    repaired: count('repaired.'),
    rows: problems.map((row) => toTableRow(row, table)),
    failure: lastFailure && {
      atMs: lastFailure.atMs,
      reason: toWords(lastFailure.reason),
      isOver: !isFailing,
    },
  };
}

/** Rows left out or repaired whose record, column or value has the text. */
export function findRows(rows: TableHealth['rows'], text: string): readonly TableRow[] {
  const plain = text.toLowerCase();
  return rows.filter(({ recordId, column, value }) =>
    `${recordId} ${column} ${value}`.toLowerCase().includes(plain),
  );
}

function toTableRow(row: RowProblem, table: Table): TableRow {
  const { recordId, column, value } = row;
  return {
    recordId,
    column,
    value,
    result: describeProblem(row),
    url: toRecordUrl(table, recordId),
  };
}

/** Airtable links records by the table's id; of a table that is known by its name only the base can be linked. */
function toRecordUrl({ baseId, table }: Table, recordId: string): string {
  const path = table.startsWith('tbl') ? [baseId, table, recordId] : [baseId];
  return `https://airtable.com/${path.map((part) => encodeURIComponent(part ?? '')).join('/')}`;
}

/** A reason such as `rate_limited (429)`, or `rows_rejected: …` with its details. */
function toWords(reason: string): string {
  const [, code = '', details] = /^(\w+)(?:: (.*))?/.exec(reason) ?? [];
  const known: Readonly<Record<string, string | undefined>> = failureAdvice;
  const advice = known[code] ?? `${reason.replaceAll('_', ' ')}.`;
  return details === undefined ? advice : `${details}. ${advice}`;
}
