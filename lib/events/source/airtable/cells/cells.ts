import { formatHex, formatHex8, parse } from 'culori';
import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { Column } from '../../../model/field-lists.ts';
import { type Attachment, attachmentId } from '../../../model/schema.ts';
import type { RepairReason } from '../problem-reasons.ts';
import type { RecordReport } from '../record-report.ts';
import { type DateCell, findDateOrder, readDate, readDateTime } from './date-cell.ts';
import {
  type Cell,
  readLine,
  readMarkdown,
  readSingle,
  readSingleLine,
  readText,
  readTexts,
} from './text-cell.ts';
import { readContactUrl, readWebUrl, toWebUrl } from './url-cell.ts';

/** Reads the cells of one record, and reports each one that had to be repaired. */
export type Cells = Readonly<{
  text: (column: Column) => string | null;
  markdown: (column: Column) => string | null;
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

/** Columns of dates, whose order of day and month is the same within a row. */
const dateColumns = ['Start Date', 'End Date', 'In-Person Start', 'In-Person End'] as const;

export function createCells({ fields, report }: CellsOptions): Cells {
  const dateTexts = dateColumns.flatMap((column) => [fields[column]].flat());
  const dateOrder = findDateOrder(dateTexts.filter((text) => typeof text === 'string'));
  const toCell = (column: Column): Cell => {
    const raw = fields[column];
    return {
      raw,
      repaired: (reason, value = raw) => report.repaired(column, reason, value),
    };
  };
  return {
    text: (column) => readText(toCell(column)),
    markdown: (column) => readMarkdown(toCell(column)),
    line: (column) => readLine(toCell(column)),
    single: (column) => readSingleLine(toCell(column)),
    webUrl: (column) => readWebUrl(toCell(column)),
    contactUrl: (column) => readContactUrl(toCell(column)),
    date: (column) => readDate(toCell(column), dateOrder),
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

const choicesMax = 100;

/** The choices of a select, of a lookup, or of a text that separates them with commas. */
function readChoices(cell: Cell): string[] {
  const { raw } = cell;
  if (Array.isArray(raw) && raw.length > choicesMax) cell.repaired('too_many_choices');
  return readTexts(cell)
    .flatMap((text) => text.split(/[,;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, choicesMax);
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'x', '1', '✓', '✔', '✅', 'checked']);
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', '-', '✗', '❌', 'unchecked']);

/** A checkbox, a lookup of one, or a formula that says yes or no. */
function readChecked(cell: Cell): boolean {
  const { raw } = cell;
  if (raw === true || (Array.isArray(raw) && raw.includes(true))) return true;
  if (raw === false || (Array.isArray(raw) && raw.includes(false))) return false;
  const word = readSingle(cell)?.toLowerCase();
  if (word !== undefined && !yes.has(word) && !no.has(word)) cell.repaired('unknown_choice');
  return word !== undefined && yes.has(word);
}

/** Longer texts are no numbers. */
const numberLengthMax = 40;

type Bounds = Readonly<{ min: number; max: number }>;

function readNumber(cell: Cell, { min, max }: Bounds): number | null {
  const text = readSingle(cell);
  if (text === null) return null;
  const parsed = parseNumber(text);
  if (parsed === null) return cell.repaired('not_a_number');
  const clamped = Math.min(Math.max(parsed, min), max);
  if (clamped !== parsed) cell.repaired('number_out_of_range');
  return clamped;
}

/** Things that can be counted. */
function readCount(cell: Cell): number | null {
  const value = readNumber(cell, { min: 0, max: 1_000_000 });
  return value && Math.floor(value);
}

/** `96`, `96 px`, `1,200`. */
function parseNumber(text: string): number | null {
  if (text.length > numberLengthMax) return null;
  const digits = text
    .replace(/\s*px$/i, '')
    .replace(/(?<=^\d{1,3}(?:,\d{3})*),(?=(?:\d{3},?)+$)/g, '');
  const number = Number(digits);
  return digits !== '' && Number.isFinite(number) ? number : null;
}

function readColor(cell: Cell): string | null {
  const value = readSingle(cell);
  if (value === null) return null;
  return parseColor(value) ?? cell.repaired('not_a_color', value);
}

const colorTextLengthMax = 64;

/**
 * Parses a CSS colour (CSS Color 4: names, hex, `rgb()`, `hsl()`, `oklch()` …) to `#rrggbb`, or `#rrggbbaa` if it
 * is not opaque, so that texts of the table never reach a style.
 * @returns null for anything else.
 */
export function parseColor(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > colorTextLengthMax) return null;
  const color = parseCss(trimmed);
  if (color === undefined) return null;
  return color.alpha === undefined || color.alpha >= 1 ? formatHex(color) : formatHex8(color);
}

// The parser throws for a unit after a slash: `rgb(0 0 0 / 5px)`.
function parseCss(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

type AttachmentCell = Readonly<{
  /** Signed; expires after two hours. */
  url: string;
  /** null without a valid id. */
  attachment: Attachment | null;
}>;

const pictureType = /^image\/(?:png|jpe?g|webp|gif|avif|tiff|svg\+xml)$/i;

/** The first attachment that is a picture, or does not say what it is. */
function readAttachment(cell: Cell): AttachmentCell | null {
  if (cell.raw == null) return null;
  const attachments = toJsonArray(cell.raw).map(toJsonObject);
  if (toWebUrl(toText(attachments[0]?.url)) === null) return cell.repaired('not_an_attachment');
  const picture = attachments.find(({ type }) => type == null || pictureType.test(toText(type)));
  const url = toWebUrl(toText(picture?.url));
  if (picture === undefined || url === null) return cell.repaired('not_a_picture');
  return { url, attachment: toAttachment(picture) };
}

// The id becomes part of URLs and of folder names.
function toAttachment({ id, width, height }: Record<string, unknown>): Attachment | null {
  if (typeof id !== 'string' || !attachmentId.test(id)) return null;
  return { id, width: toPixels(width), height: toPixels(height) };
}

function toPixels(value: unknown): number | null {
  const isSide = typeof value === 'number' && Number.isInteger(value);
  return isSide && value > 0 && value <= 100_000 ? value : null;
}
