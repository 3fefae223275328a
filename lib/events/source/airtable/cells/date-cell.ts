import { daysInMonth, isCalendarDate } from '../../../model/dates.ts';
import type { Cell } from './cell.ts';
import { isEmptyCell, readSingle } from './text-cell.ts';

export type DateCell =
  | Readonly<{ kind: 'empty' }>
  | Readonly<{ kind: 'date'; date: string }>
  /** A month without a day, or with a day past its last one: usable as an end, not as a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  | Readonly<{ kind: 'unreadable' }>;

/** @param dayAt the calendar day of a Unix time in ms, for dates with a time. */
export function readDate(cell: Cell, dayAt: (timeMs: number) => string): DateCell {
  const value = readSingle(cell);
  if (value === null) return { kind: isEmptyCell(cell) ? 'empty' : 'unreadable' };
  if (isCalendarDate(value)) return { kind: 'date', date: value };
  const date = parseLooseDate(value, dayAt);
  if (date.kind === 'date') cell.repaired('date_rewritten', value);
  return date;
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
