import type { Column } from '../../../model/field-lists.ts';
import type { RepairReason } from '../problem-reasons.ts';
import type { RecordReport } from '../record-report.ts';
import { type AttachmentCell, readAttachment } from './attachment-cell.ts';
import type { Cell } from './cell.ts';
import { readChecked, readChoices } from './choice-cell.ts';
import { readColor } from './color-cell.ts';
import { type DateCell, readDate, readDateTime } from './date-cell.ts';
import { readCount, readNumber } from './number-cell.ts';
import { readLine, readSingleLine, readText } from './text-cell.ts';
import { readContactUrl, readWebUrl } from './url-cell.ts';

/** Reads the cells of one record, and reports each one that had to be repaired. */
export type Cells = Readonly<{
  text: (column: Column) => string | null;
  line: (column: Column) => string | null;
  single: (column: Column) => string | null;
  webUrl: (column: Column) => string | null;
  contactUrl: (column: Column) => string | null;
  date: (column: Column) => DateCell;
  dateTime: (column: Column) => string | null;
  choices: (column: Column) => string[];
  checked: (column: Column) => boolean;
  count: (column: Column) => number | null;
  number: (column: Column, bounds: Readonly<{ min: number; max: number }>) => number | null;
  color: (column: Column) => string | null;
  attachment: (column: Column) => AttachmentCell | null;
  /** As it was read. */
  raw: (column: Column) => unknown;
  /** Reports a cell that its reader had to repair. @param value by default as it was read */
  repaired: (column: Column, reason: RepairReason, value?: unknown) => null;
}>;

type CellsOptions = Readonly<{
  fields: Readonly<Record<string, unknown>>;
  report: RecordReport;
}>;

export function createCells({ fields, report }: CellsOptions): Cells {
  const toCell = (column: Column): Cell => {
    const raw = fields[column];
    return {
      raw,
      repaired: (reason, value = raw) => report.repaired(column, reason, value),
    };
  };
  return {
    text: (column) => readText(toCell(column)),
    line: (column) => readLine(toCell(column)),
    single: (column) => readSingleLine(toCell(column)),
    webUrl: (column) => readWebUrl(toCell(column)),
    contactUrl: (column) => readContactUrl(toCell(column)),
    date: (column) => readDate(toCell(column)),
    dateTime: (column) => readDateTime(toCell(column)),
    choices: (column) => readChoices(toCell(column)),
    checked: (column) => readChecked(toCell(column)),
    count: (column) => readCount(toCell(column)),
    number: (column, bounds) => readNumber(toCell(column), bounds),
    color: (column) => readColor(toCell(column)),
    attachment: (column) => readAttachment(toCell(column)),
    raw: (column) => toCell(column).raw,
    repaired: (column, reason, value) => toCell(column).repaired(reason, value),
  };
}
