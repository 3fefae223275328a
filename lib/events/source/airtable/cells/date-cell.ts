import { daysInMonth, isCalendarDate } from '../../../model/dates.ts';
import { toClockTime, toLocalDay } from '../../../model/zoned-time.ts';
import { toPlainWord, wordGap } from '../../../words/fold-text.ts';
import {
  allDayNames,
  isBesideDays,
  readWrittenDays,
  type WrittenDays,
} from '../../../words/written-days.ts';
import { parseClockTime } from '../clock-time.ts';
import { type Cell, isEmptyCell, readSingle } from './text-cell.ts';

export type DateCell =
  | Readonly<{ kind: 'empty' }>
  /** Of a column of dates with times: a day depends on the zone. */
  | Readonly<{ kind: 'moment'; timeMs: number }>
  | Readonly<{ kind: 'date'; date: string; time: string | null }>
  /** A month without a day, or with a day past its last one: usable as an end, not as a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  /** `05/12/2026`: in May or in December. */
  | Readonly<{ kind: 'ambiguous' }>
  | Readonly<{ kind: 'unreadable' }>;

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
  const day = parseDay(text);
  if (day.kind === 'date') return day;
  const parts =
    /^(.+?)(?:[,\s]+(?:at\s|um\s)?|T)(\d{1,2}[:.h]\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?)$/i.exec(
      text.trim(),
    );
  const clock = parseClockTime(parts?.[2] ?? '');
  if (clock === null) return day;
  const dayBefore = parseDay(parts?.[1] ?? '');
  return dayBefore.kind === 'date' ? { ...dayBefore, time: clock.time } : dayBefore;
}

/** Longer texts are no days. */
const lengthMax = 60;

/** A certain day, of which the whole text is: the weekday may stand before or after it. */
function parseDay(text: string): DateCell {
  if (text.length > lengthMax) return { kind: 'unreadable' };
  const names = allDayNames();
  const words = joinDigits(text)
    .split(wordGap)
    .map(toPlainWord)
    .filter((word) => word !== '');
  const isBeside = (word: string) => isBesideDays(word, names);
  // `mar` is a weekday and a month.
  const startMax = words.findIndex((word) => !isBeside(word));
  for (let start = 0; start <= startMax; start++) {
    const rest = words.slice(start);
    const written = readWrittenDays(rest, names).find(({ count }) =>
      rest.slice(count).every(isBeside),
    );
    if (written !== undefined) return toDay(written);
  }
  return { kind: 'unreadable' };
}

/** `5. 12. 2026` and `5 / 12 / 2026` as one word. */
function joinDigits(text: string): string {
  const plain = text.normalize('NFKC');
  return plain.replace(/(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})/, '$1$2$3$2$4');
}

function toDay({ year, month, days, isAmbiguous }: WrittenDays): DateCell {
  if (isAmbiguous) return { kind: 'ambiguous' };
  // Days of every year, of a whole year, or several.
  if (year === null || month === null || days?.from !== days?.to) return { kind: 'unreadable' };
  const lastDay = daysInMonth(year, month);
  const write = (day: number) =>
    [
      String(year).padStart(4, '0'),
      ...[month, day].map((part) => String(part).padStart(2, '0')),
    ].join('-');
  return days !== null && days.from <= lastDay
    ? { kind: 'date', date: write(days.from), time: null }
    : { kind: 'partial', lastDay: write(lastDay) };
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
