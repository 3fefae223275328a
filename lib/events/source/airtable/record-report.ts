import { z } from 'zod';
import { type Column, columns } from '../../model/field-lists.ts';

/** Why a row was left out. */
const leftOutReasons = [
  'no_name',
  'no_start_date',
  'impossible_start_date',
  'repeated_id',
] as const;

/** Why a cell was changed or ignored. */
const repairReasons = [
  'not_text',
  'text_shortened',
  'not_a_web_url',
  'date_rewritten',
  'impossible_date',
  'end_before_start',
  'not_a_time',
  'not_a_clock_time',
  'time_rewritten',
  'end_is_start',
  'no_end_date',
  'unknown_time_zone',
  'not_a_schedule_line',
  'schedule_shortened',
  'not_a_city',
  'unknown_country',
  'impossible_coordinates',
  'too_many_choices',
  'unknown_choice',
  'several_channels',
  'not_a_channel',
  'not_a_number',
  'number_out_of_range',
  'not_a_color',
  'not_an_attachment',
] as const;

type LeftOutReason = (typeof leftOutReasons)[number];
export type RepairReason = (typeof repairReasons)[number];

const cell = {
  recordId: z.string(),
  column: z.enum(columns),
  /** The cell's value, shortened. For the operator only; it never goes into a log. */
  value: z.string(),
};

export const rowProblemSchema = z
  .discriminatedUnion('done', [
    z.object({ ...cell, done: z.literal('left out'), reason: z.enum(leftOutReasons) }),
    z.object({ ...cell, done: z.literal('repaired'), reason: z.enum(repairReasons) }),
  ])
  .readonly();

/** A row that was left out, or a cell that was repaired. */
export type RowProblem = z.infer<typeof rowProblemSchema>;

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
