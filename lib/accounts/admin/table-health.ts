import { failureAdvice } from '#lib/events/source/airtable/examine-table.ts';
import { describeReason, type ProblemGroup } from '#lib/events/source/airtable/problem-groups.ts';
import type { ReadStatus } from '#lib/events/source/read-status.ts';

/** What the last reads of the events table found, as the admin pages show it. Times are Unix ms. */
export type TableHealth = Readonly<{
  readAtMs: number | null;
  events: number | null;
  leftOut: number;
  repaired: number;
  problems: readonly TableProblem[];
  failure: Readonly<{ atMs: number; reason: string; isOver: boolean }> | null;
}>;

/** What is wrong with cells of a column, and what to do about it. */
export type TableProblem = Readonly<{
  /** Names it on a page. */
  id: string;
  column: string;
  isLeftOut: boolean;
  meaning: string;
  advice: string;
  count: number;
  /** The first of its rows. */
  rows: readonly TableRow[];
}>;

export type TableRow = Readonly<{ recordId: string; url: string; value: string }>;

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
    problems: problems.map((group) => toTableProblem(group, table)),
    failure: lastFailure && {
      atMs: lastFailure.atMs,
      reason: toWords(lastFailure.reason),
      isOver: !isFailing,
    },
  };
}

/** The problems of a record, or of values that have the text. */
export function findProblems({ problems }: TableHealth, text: string): readonly TableProblem[] {
  const plain = text.toLowerCase();
  return problems
    .map((problem) => ({
      ...problem,
      rows: problem.rows.filter(({ recordId, value }) =>
        `${recordId} ${problem.column} ${value}`.toLowerCase().includes(plain),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function toTableProblem(group: ProblemGroup, table: Table): TableProblem {
  const { column, done, reason, count } = group;
  return {
    id: `${column} ${reason}`.toLowerCase().replace(/[^a-z]+/g, '-'),
    column,
    isLeftOut: done === 'left out',
    ...describeReason(reason),
    count,
    rows: group.rows.map((row) => ({ ...row, url: toRecordUrl(table, row.recordId) })),
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
