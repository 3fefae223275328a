import { parseColor } from '#lib/events/model/color.ts';
import { daysInMonth, isCalendarDate } from '#lib/events/model/dates.ts';
import { type Attachment, attachmentId } from '#lib/events/model/schema.ts';
import type { Column } from './columns.ts';
import type { RecordReport } from './report.ts';

/** Reads the cells of one record, and reports each one that had to be mended. */
export type Cells = Readonly<{
  text: (column: Column) => string | null;
  /** One line: what a name, a place or a channel is. */
  line: (column: Column) => string | null;
  webAddress: (column: Column) => string | null;
  date: (column: Column) => DateCell;
  dateTime: (column: Column) => string | null;
  choices: (column: Column) => string[];
  checked: (column: Column) => boolean;
  number: (column: Column, bounds: Readonly<{ min: number; max: number }>) => number | null;
  color: (column: Column) => string | null;
  /** The first attachment; without an id that lasts, it has its address alone. */
  attachment: (column: Column) => AttachmentCell | null;
}>;

export type AttachmentCell = Readonly<{
  /** Signed, and dead after two hours. */
  url: string;
  attachment: Attachment | null;
}>;

export type DateCell =
  | Readonly<{ kind: 'empty' }>
  | Readonly<{ kind: 'date'; date: string }>
  /** A year and month, or a day past the month's last one: good enough for an end, not for a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  | Readonly<{ kind: 'unreadable' }>;

export const textLengthMax = 100_000;
const lineLengthMax = 300;
const choicesMax = 100;

/** @param dayAt the calendar day of a moment (Unix time, ms), for dates that come with a time. */
export function createCells(
  fields: Readonly<Record<string, unknown>>,
  report: RecordReport,
  dayAt: (timeMs: number) => string,
): Cells {
  function text(column: Column): string | null {
    const value = toText(fields[column]);
    if (value === undefined) return report.mended(column, 'not_text', fields[column]);
    const clean = cleanText(value).trim();
    if (clean.length > textLengthMax) {
      report.mended(column, 'text_shortened', fields[column]);
      return cutText(clean, textLengthMax);
    }
    return /[^\p{Cf}\p{Mn}\s]/u.test(clean) ? clean : null;
  }

  function line(column: Column): string | null {
    const value = text(column)?.replace(/\s+/g, ' ');
    if (value === undefined) return null;
    if (value.length <= lineLengthMax) return value;
    report.mended(column, 'text_shortened', value);
    return cutText(value, lineLengthMax);
  }

  function webAddress(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return toWebAddress(value) ?? report.mended(column, 'not_a_web_address', value);
  }

  function date(column: Column): DateCell {
    const value = text(column);
    if (value === null)
      return {
        kind: toText(fields[column]) === undefined ? 'unreadable' : 'empty',
      };
    if (isCalendarDate(value)) return { kind: 'date', date: value };
    const cell = readLooseDate(value, dayAt);
    if (cell.kind === 'date') report.mended(column, 'date_rewritten', value);
    return cell;
  }

  function dateTime(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return toIsoTime(value) ?? report.mended(column, 'not_a_time', value);
  }

  function choices(column: Column): string[] {
    const value = fields[column];
    if (value == null) return [];
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length > choicesMax) report.mended(column, 'too_many_choices', value);
    return list
      .slice(0, choicesMax)
      .flatMap((one) => (typeof one === 'string' ? [one.trim()] : []));
  }

  function number(column: Column, { min, max }: Readonly<{ min: number; max: number }>) {
    const value = fields[column];
    if (value == null || value === '') return null;
    const digits = typeof value === 'string' ? value.trim().replace(/\s*px$/i, '') : null;
    if (digits === '') return null;
    const parsed = digits === null ? value : Number(digits);
    if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
      return report.mended(column, 'not_a_number', value);
    }
    const clamped = Math.min(Math.max(parsed, min), max);
    if (clamped !== parsed) report.mended(column, 'number_out_of_range', value);
    return clamped;
  }

  function color(column: Column): string | null {
    const value = text(column);
    if (value === null) return null;
    return parseColor(value) ?? report.mended(column, 'not_a_color', value);
  }

  function attachment(column: Column): AttachmentCell | null {
    const value = fields[column];
    if (value == null) return null;
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    const url = isObject(first) && typeof first.url === 'string' ? toWebAddress(first.url) : null;
    if (!isObject(first) || url === null) return report.mended(column, 'not_an_attachment', value);
    return { url, attachment: toAttachment(first) };
  }

  const checked = (column: Column) => fields[column] === true;
  return {
    text,
    line,
    webAddress,
    date,
    dateTime,
    choices,
    checked,
    number,
    color,
    attachment,
  };
}

// undefined: there is something, but no text in it (a failed formula, an AI field, a checkbox).
function toText(value: unknown): string | undefined {
  if (value == null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  // A lookup is an array, often of one.
  if (Array.isArray(value) && value.length <= 1 && !Array.isArray(value[0]))
    return toText(value[0]);
  return undefined;
}

// Control characters but tab and newline, lone surrogates and bidirectional overrides mean nothing in
// a text for readers, and break some of them.
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

function toWebAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' && text.length <= 4096 ? url.href : null;
}

// The id goes into addresses and names of folders.
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

/** A moment (Unix time, ms) in ISO 8601; null where its year does not have four digits. */
export function toIsoTimeOfYear(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  const iso = new Date(time).toISOString();
  return /^\d{4}-/.test(iso) ? iso : null;
}

function readLooseDate(text: string, dayAt: (timeMs: number) => string): DateCell {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
