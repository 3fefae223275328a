import type { Column } from '../../model/field-lists.ts';
import type { LeftOutReason, RepairReason } from './problem-reasons.ts';

type ProblemCell = Readonly<{
  recordId: string;
  column: Column;
  /** The cell's value, shortened. For the operator only; it never goes into a log. */
  value: string;
}>;

/** A row that was left out, or a cell that was repaired. */
export type RowProblem = ProblemCell &
  (
    | Readonly<{ done: 'left out'; reason: LeftOutReason }>
    | Readonly<{ done: 'repaired'; reason: RepairReason }>
  );

/** Collects the problems of one record. */
export type RecordReport = Readonly<{
  problems: RowProblem[];
  leftOut: (column: Column, reason: LeftOutReason, value: unknown) => null;
  repaired: (column: Column, reason: RepairReason, value: unknown) => null;
}>;

const problemsPerRecordMax = 50;

export function createRecordReport(recordId: string): RecordReport {
  const problems: RowProblem[] = [];
  const add = (problem: RowProblem) => {
    if (problems.length < problemsPerRecordMax) problems.push(problem);
    return null;
  };
  return {
    problems,
    leftOut: (column, reason, value) =>
      add({ recordId, column, reason, done: 'left out', value: toShown(value) }),
    repaired: (column, reason, value) =>
      add({ recordId, column, reason, done: 'repaired', value: toShown(value) }),
  };
}

/** Counts problems by what was done and why, for the log. */
export function countProblems(problems: readonly RowProblem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { done, reason } of problems) {
    const key = `${done === 'repaired' ? 'repaired' : 'leftOut'}.${reason}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const shownMax = 60;

function toShown(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, 1000) : toShortJson(value);
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > shownMax ? `${[...plain].slice(0, shownMax).join('')}…` : plain;
}

function toShortJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(shorten(value, 3)).slice(0, 1000);
}

/** Cuts what would not be shown: writing a deeply nested value blocks the event loop. */
function shorten(value: unknown, depthMax: number): unknown {
  if (typeof value === 'string') return value.slice(0, 200);
  if (typeof value !== 'object' || value === null) return value;
  if (depthMax === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 5).map((item) => shorten(item, depthMax - 1));
  const entries = Object.entries(value).slice(0, 5);
  return Object.fromEntries(entries.map(([key, item]) => [key, shorten(item, depthMax - 1)]));
}
