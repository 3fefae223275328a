import { isCalendarDate } from '../../../model/dates.ts';
import { toClockTime, toLocalDay } from '../../../model/zoned-time.ts';
import { parseClockTime } from '../clock-time.ts';
import type { Cell } from './cell.ts';
import { type DayText, parseDayText } from './date-text.ts';
import { isEmptyCell, readSingle } from './text-cell.ts';

export type DateCell =
  | Readonly<{ kind: 'empty' }>
  /** Of a column of dates with times: a day depends on the zone. */
  | Readonly<{ kind: 'moment'; timeMs: number }>
  | Readonly<{ kind: 'date'; date: string; time: string | null }>
  | Exclude<DayText, { kind: 'date' }>;

/** A day in a zone, and the clock time that a cell with one says. */
export type ZonedDay = Readonly<{ date: string; time: string | null }>;

export function readDate(cell: Cell): DateCell {
  const value = readSingle(cell);
  if (value === null) return { kind: isEmptyCell(cell) ? 'empty' : 'unreadable' };
  if (isCalendarDate(value)) return { kind: 'date', date: value, time: null };
  if (isMoment(value)) {
    const timeMs = Date.parse(value);
    return isInYears(timeMs) ? { kind: 'moment', timeMs } : { kind: 'unreadable' };
  }
  const date = parseDateText(value);
  if (date.kind === 'date') cell.repaired('date_rewritten', value);
  return date;
}

/** Airtable’s dates with times are in UTC; without an offset it is a clock time. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
}

/** Whether a moment is in a year of four digits in every zone. */
function isInYears(timeMs: number): boolean {
  return timeMs >= Date.UTC(1, 0, 2) && timeMs < Date.UTC(9999, 11, 31);
}

/** A day, which a clock time may follow. */
function parseDateText(text: string): DateCell {
  const day = parseDayText(text);
  if (day.kind === 'date') return { ...day, time: null };
  const parts =
    /^(.+?)(?:[,\s]+(?:at\s|um\s)?|T)(\d{1,2}[:.h]\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?)$/i.exec(
      text.trim(),
    );
  const clock = parseClockTime(parts?.[2] ?? '');
  if (clock === null) return day;
  const dayBefore = parseDayText(parts?.[1] ?? '');
  return dayBefore.kind === 'date' ? { ...dayBefore, time: clock.time } : dayBefore;
}

/** The day of a cell in a zone; null if it has none. */
export function toZonedDay(cell: DateCell, timeZone: string): ZonedDay | null {
  if (cell.kind === 'date') return cell;
  if (cell.kind !== 'moment') return null;
  return { date: toLocalDay(cell.timeMs, timeZone), time: toClockTime(cell.timeMs, timeZone) };
}

export function readDateTime(cell: Cell): string | null {
  const value = readSingle(cell);
  if (value === null) return null;
  return toIsoTime(value) ?? cell.repaired('not_a_time', value);
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
