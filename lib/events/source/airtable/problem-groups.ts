import { z } from 'zod';
import { type ColumnNames, toShownColumn } from './column-names.ts';
import { leftOutReasons, repairReasons } from './problem-reasons.ts';
import type { RowProblem } from './record-report.ts';

/** A row that was left out or has such a cell, and the cell’s value. */
const problemRowSchema = z.object({ recordId: z.string(), value: z.string() });

export const problemGroupSchema = z
  .object({
    /** As operators know it. */
    column: z.string(),
    done: z.enum(['left out', 'repaired']),
    reason: z.enum([...Object.keys(leftOutReasons), ...Object.keys(repairReasons)]),
    count: z.number(),
    rows: z.array(problemRowSchema).readonly(),
  })
  .readonly();

/** The problems of one column that have the same reason: their number, and the first of their rows. */
export type ProblemGroup = z.infer<typeof problemGroupSchema>;

type GroupOptions = Readonly<{
  /** Of a group, by what was done. */
  rowsMax: Readonly<Record<RowProblem['done'], number>>;
  columnNames: ColumnNames;
}>;

/** Groups problems: rows that were left out first, then by number. */
export function groupProblems(
  problems: readonly RowProblem[],
  { rowsMax, columnNames }: GroupOptions,
): ProblemGroup[] {
  const byKind = Map.groupBy(problems, ({ done, column, reason }) => `${done} ${column} ${reason}`);
  const groups = [...byKind.values()].flatMap((ofKind) => {
    const [first] = ofKind;
    if (first === undefined) return [];
    const { column, done, reason } = first;
    const rows = ofKind.slice(0, rowsMax[done]).map(({ recordId, value }) => ({ recordId, value }));
    const shown = toShownColumn(column, columnNames);
    return [{ column: shown, done, reason, count: ofKind.length, rows }];
  });
  const rank = ({ done }: ProblemGroup) => (done === 'left out' ? 0 : 1);
  return groups.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
}

const reasons: Readonly<Record<string, Readonly<{ meaning: string; advice: string }>>> = {
  ...leftOutReasons,
  ...repairReasons,
};

const examplesMax = 3;

/** Rows whose values differ; one without a value where none has any. */
export function listExamples<Row extends Readonly<{ value: string }>>(rows: readonly Row[]): Row[] {
  const byValue = Map.groupBy(rows, ({ value }) => value.trim());
  const examples = [...byValue].flatMap(([value, [row]]) => (value && row ? [row] : []));
  return examples.length > 0 ? examples.slice(0, examplesMax) : rows.slice(0, 1);
}

/** Rows that were left out. */
export function listLeftOut(groups: readonly ProblemGroup[]) {
  return groups
    .filter(({ done }) => done === 'left out')
    .flatMap(({ column, reason, rows }) => rows.map((row) => ({ ...row, column, reason })));
}

/** What was wrong, and what the operator can do about it. */
export function describeReason(reason: string) {
  return reasons[reason] ?? { meaning: reason.replaceAll('_', ' '), advice: '' };
}
