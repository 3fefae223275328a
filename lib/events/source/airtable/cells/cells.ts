import type { Column } from '../../../model/field-lists.ts';
import type { RepairReason } from '../record-report.ts';
import { type AttachmentCell, readAttachment } from './attachment-cell.ts';
import { type CellSource, readRaw } from './cell-source.ts';
import { readChecked, readChoices } from './choice-cell.ts';
import { readColor } from './color-cell.ts';
import { type DateCell, readDate, readDateTime } from './date-cell.ts';
import { readCount, readNumber } from './number-cell.ts';
import { readLine, readText } from './text-cell.ts';
import { readWebUrl } from './web-url-cell.ts';

/** Reads the cells of one record, and reports each one that had to be repaired. */
export type Cells = Readonly<{
  text: (column: Column) => string | null;
  line: (column: Column) => string | null;
  webUrl: (column: Column) => string | null;
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

export function createCells(source: CellSource): Cells {
  return {
    text: (column) => readText(source, column),
    line: (column) => readLine(source, column),
    webUrl: (column) => readWebUrl(source, column),
    date: (column) => readDate(source, column),
    dateTime: (column) => readDateTime(source, column),
    choices: (column) => readChoices(source, column),
    checked: (column) => readChecked(source, column),
    count: (column) => readCount(source, column),
    number: (column, bounds) => readNumber(source, column, bounds),
    color: (column) => readColor(source, column),
    attachment: (column) => readAttachment(source, column),
    raw: (column) => readRaw(source, column),
    repaired: (column, reason, value = readRaw(source, column)) =>
      source.report.repaired(column, reason, value),
  };
}
