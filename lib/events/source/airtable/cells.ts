import { formatHex, formatHex8, parse } from 'culori';
import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { daysInMonth, isCalendarDate } from '../../model/dates.ts';
import type { Column } from '../../model/field-lists.ts';
import { type Attachment, attachmentId } from '../../model/schema.ts';
import type { RecordReport, RepairReason } from './record-report.ts';

/** Reads the cells of one record, and reports each one that had to be repaired. */
export type Cells = Readonly<{
  text: (column: Column) => string | null;
  /** A single line, as for a name, a place or a channel. */
  line: (column: Column) => string | null;
  webUrl: (column: Column) => string | null;
  date: (column: Column) => DateCell;
  dateTime: (column: Column) => string | null;
  choices: (column: Column) => string[];
  checked: (column: Column) => boolean;
  /** Things that can be counted. */
  count: (column: Column) => number | null;
  number: (column: Column, bounds: Readonly<{ min: number; max: number }>) => number | null;
  color: (column: Column) => string | null;
  /** The first attachment. */
  attachment: (column: Column) => AttachmentCell | null;
  /** As it was read. */
  raw: (column: Column) => unknown;
  /** Reports a cell that its reader had to repair. @param value by default as it was read */
  repaired: (column: Column, reason: RepairReason, value?: unknown) => null;
}>;

type AttachmentCell = Readonly<{
  /** Signed; expires after two hours. */
  url: string;
  /** null without a valid id. */
  attachment: Attachment | null;
}>;

type DateCell =
  | Readonly<{ kind: 'empty' }>
  | Readonly<{ kind: 'date'; date: string }>
  /** A month without a day, or with a day past its last one: usable as an end, not as a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  | Readonly<{ kind: 'unreadable' }>;

const textLengthMax = 100_000;
const lineLengthMax = 300;
const choicesMax = 100;

/** @param dayAt the calendar day of a Unix time in ms, for dates with a time. */
export function createCells(
  fields: Readonly<Record<string, unknown>>,
  report: RecordReport,
  dayAt: (timeMs: number) => string,
): Cells {
  function text(column: Column): string | null {
    const value = toCellText(fields[column]);
    if (value === undefined) return report.repaired(column, 'not_text', fields[column]);
    const clean = cleanText(value).trim();
    if (clean.length > textLengthMax) {
      report.repaired(column, 'text_shortened', fields[column]);
      return cutText(clean, textLengthMax);
    }
    return /[^\p{Cf}\p{Mn}\s]/u.test(clean) ? clean : null;
  }

  function line(column: Column): string | null {
    const value = text(column)?.replace(/\s+/g, ' ');
    if (value === undefined) return null;
    if (value.length <= lineLengthMax) return value;
    report.repaired(column, 'text_shortened', value);
    return cutText(value, lineLengthMax);
  }

  function webUrl(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return toWebUrl(value) ?? report.repaired(column, 'not_a_web_url', value);
  }

  function date(column: Column): DateCell {
    const value = text(column);
    if (value === null) {
      return { kind: toCellText(fields[column]) === undefined ? 'unreadable' : 'empty' };
    }
    if (isCalendarDate(value)) return { kind: 'date', date: value };
    const cell = parseLooseDate(value, dayAt);
    if (cell.kind === 'date') report.repaired(column, 'date_rewritten', value);
    return cell;
  }

  function dateTime(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return toIsoTime(value) ?? report.repaired(column, 'not_a_time', value);
  }

  function choices(column: Column): string[] {
    const value = fields[column];
    if (value == null) return [];
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length > choicesMax) report.repaired(column, 'too_many_choices', value);
    return list
      .slice(0, choicesMax)
      .flatMap((item) => (typeof item === 'string' ? [item.trim()] : []));
  }

  function number(column: Column, { min, max }: Readonly<{ min: number; max: number }>) {
    const value = fields[column];
    if (value == null || value === '') return null;
    const digits = typeof value === 'string' ? value.trim().replace(/\s*px$/i, '') : null;
    if (digits === '') return null;
    const parsed = digits === null ? value : Number(digits);
    if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
      return report.repaired(column, 'not_a_number', value);
    }
    const clamped = Math.min(Math.max(parsed, min), max);
    if (clamped !== parsed) report.repaired(column, 'number_out_of_range', value);
    return clamped;
  }

  function count(column: Column): number | null {
    const value = number(column, { min: 0, max: 1_000_000 });
    return value && Math.floor(value);
  }

  function color(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return parseColor(value) ?? report.repaired(column, 'not_a_color', value);
  }

  function attachment(column: Column): AttachmentCell | null {
    const value = fields[column];
    if (value == null) return null;
    const first = toJsonObject(toJsonArray(value)[0]);
    const url = toWebUrl(toText(first.url));
    if (url === null) return report.repaired(column, 'not_an_attachment', value);
    return { url, attachment: toAttachment(first) };
  }

  return {
    text,
    line,
    webUrl,
    date,
    dateTime,
    choices,
    checked: (column) => fields[column] === true,
    count,
    number,
    color,
    attachment,
    raw: (column) => fields[column],
    repaired: (column, reason, value = fields[column]) => report.repaired(column, reason, value),
  };
}

// undefined: a value that is not text (a failed formula, an AI field, a checkbox).
function toCellText(value: unknown): string | undefined {
  if (value == null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  // A lookup is an array, often with one item.
  if (Array.isArray(value) && value.length <= 1 && !Array.isArray(value[0]))
    return toCellText(value[0]);
  return undefined;
}

// Control characters except tab and newline, lone surrogates and bidirectional overrides break some readers.
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '');
}

function cutText(text: string, lengthMax: number): string {
  return `${text
    .slice(0, lengthMax - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}

function toWebUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' && text.length <= 4096 ? url.href : null;
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

function toIsoTime(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const time = Date.parse(text);
  return toIsoTimeOfYear(time);
}

/** Unix time in ms as ISO 8601; null unless the year has four digits. */
export function toIsoTimeOfYear(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  const iso = new Date(time).toISOString();
  return /^\d{4}-/.test(iso) ? iso : null;
}

function parseLooseDate(text: string, dayAt: (timeMs: number) => string): DateCell {
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) {
    const time = Date.parse(text);
    const date = Number.isFinite(time) ? dayAt(time) : '';
    return isCalendarDate(date) ? { kind: 'date', date } : { kind: 'unreadable' };
  }
  const parts = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(text);
  if (parts === null) return { kind: 'unreadable' };
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 99)];
  if (month < 1 || month > 12 || day < 1) return { kind: 'unreadable' };
  const lastDay = daysInMonth(year, month);
  const write = (dayOfMonth: number) =>
    `${parts[1]}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
  return day <= lastDay
    ? { kind: 'date', date: write(day) }
    : { kind: 'partial', lastDay: write(lastDay) };
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
