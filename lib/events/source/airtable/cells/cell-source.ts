import type { Column } from '../../../model/field-lists.ts';
import type { RecordReport } from '../record-report.ts';

/** The cells of one record as they were read, and what is known of how to read them. */
export type CellSource = Readonly<{
  fields: Readonly<Record<string, unknown>>;
  report: RecordReport;
  /** The calendar day of a Unix time in ms, for dates with a time. */
  dayAt: (timeMs: number) => string;
}>;

/** The value of a cell, whatever it is. */
export function readRaw({ fields }: CellSource, column: Column): unknown {
  return fields[column];
}
