import {
  addDays,
  daysBetween,
  daysInMonth,
  isCalendarDate,
  monthNames,
} from '../../../model/dates.ts';
import { toClockTime, toLocalDay } from '../../../model/zoned-time.ts';
import { toPlainDigits, toPlainWord, wordGap } from '../../../words/fold-text.ts';
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
  | (Readonly<{ kind: 'date' }> & ZonedDay)
  /** A month without a day, or with a day past its last one: usable as an end, not as a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  /** `05/12/2026`: in May or in December. */
  | Readonly<{ kind: 'ambiguous'; dates: readonly string[] }>
  | Readonly<{ kind: 'unreadable' }>;

/** A day in a zone, and the clock time that a cell with one says. */
export type ZonedDay = Readonly<{
  date: string;
  time: string | null;
  /** The last day, if the cell has several: `1–3 July 2027`. */
  end?: Omit<ZonedDay, 'end'>;
}>;

/** What comes first in dates such as `31/07/2026`. */
export type DateOrder = 'day' | 'month';

/** The order of day and month that texts prove; null if they do not, or prove both. */
export function findDateOrder(texts: readonly string[]): DateOrder | null {
  const orders = new Set<DateOrder>();
  for (const text of texts) {
    for (const [, first, second] of text.matchAll(/(?<!\d)(\d\d?)[/-](\d\d?)(?=[/-]\d{4}|\s)/g)) {
      if (Number(first) > 12) orders.add('day');
      if (Number(second) > 12) orders.add('month');
    }
  }
  const [order = null, ...others] = orders;
  return others.length > 0 ? null : order;
}

/** @param order of day and month, as other cells of the row prove it. */
export function readDate(cell: Cell, order: DateOrder | null): DateCell {
  const value = readSingle(cell);
  if (value === null) return { kind: isEmptyCell(cell) ? 'empty' : 'unreadable' };
  if (isCalendarDate(value)) return { kind: 'date', date: value, time: null };
  const moment = toMoment(value);
  if (moment !== null) {
    const timeMs = Date.parse(moment);
    return isInYears(timeMs) ? { kind: 'moment', timeMs } : { kind: 'unreadable' };
  }
  const date = parseDateText(value, order);
  if (date.kind === 'date') cell.repaired('date_rewritten', value);
  return date;
}

/** Airtable’s dates with times are in UTC, programs write `… +0200`; without an offset it is a clock time. */
function toMoment(text: string): string | null {
  const plain = text.replace(/ UTC$/, 'Z').replace(/ (?=[+-]\d{2}:?\d{2}$)/, '');
  const isMoment =
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(plain);
  return isMoment ? plain : null;
}

/** Whether a moment is in a year of four digits in every zone. */
function isInYears(timeMs: number): boolean {
  return timeMs >= Date.UTC(1, 0, 2) && timeMs < Date.UTC(9999, 11, 31);
}

/** Longer texts are no days. */
const lengthMax = 80;

/** A day or several, which clock times may follow. */
function parseDateText(text: string, order: DateOrder | null): DateCell {
  if (text.length > lengthMax) return { kind: 'unreadable' };
  const plain = toPlainText(text);
  const day = parseTimedDay(plain, order);
  return day.kind === 'unreadable' ? (parseRange(plain, order) ?? day) : day;
}

const weekdays =
  /\([日月火水木金土祝일월화수목금토・]+\)|[日月火水木金土]曜日?|[일월화수목금토]요일|(?:星期|周|週)[一二三四五六日天]/g;

/** `4 & 5`, `24./25.`, and `24/25 October`. */
const twoDays =
  /(?<![\d./-])(\d\d?)(?:\.?\s?[&+]\s?|\.\/|\/(?=\d\d?\.?\s\p{L}))(\d\d?)(?![\d/-])/gu;

/** Dates of East Asia as those of ISO 8601, and all signs for ranges as a hyphen. */
function toPlainText(text: string): string {
  return (
    toPlainDigits(text.normalize('NFKC'))
      .trim()
      .replace(weekdays, ' ')
      .replace(
        /(\d{4})\s?[年년]\s?(\d\d?)\s?[月월](?:\s?(\d\d?)\s?[日일号])?/g,
        (_, year, month, day) =>
          [year, month, ...(day === undefined ? [] : [day])].join('-').concat(' '),
      )
      .replace(/(\d\d?)\s?[月월]\s?(\d\d?)\s?[日일号]/g, '$1-$2 ')
      .replace(/(\d\d?)\s?[日일号]/g, '$1 ')
      .replace(/\s?(?:[~〜–—―→]|\.{2,3}|から|부터)\s?/g, ' - ')
      .replace(/まで|까지/g, '')
      .replace(/\s[•·|]\s/g, ', ')
      .replace(/(?<=\p{L}.*\s)['’](?=\d\d$)/u, '20')
      // `18 Aug-24, 2027`.
      .replace(/(?<![\d./-])(\d\d?)\s(\p{L}+)\.?\s?-\s?(\d\d?),?\s(\d{4})$/u, '$1-$3 $2 $4')
      .replace(twoDays, (text, day, next) =>
        Number(next) === Number(day) + 1 ? `${day}-${next}` : text,
      )
      .replace(/(?<![\d./-])(\d\d?)\s?-\s?(\d\d?)([/.])(\d\d?)\3(\d{4})/, '$5-$4-$1 - $5-$4-$2')
      .replace(/(?<!\d[-/.]?)(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})/g, '$1$2$3$2$4')
      .replace(
        /(?<![\d./-])(\d{4})([/.])(\d\d?)\2(\d\d?)\s?-\s?(\d\d?)(?![\d./-])/,
        '$1-$3-$4 - $1-$3-$5',
      )
      .replace(/(?<=\d[./]\d{0,4})-(?=\d\d?[./])/g, ' - ')
      .replace(/(?<=\d)\/(?=\d{4}-)/, ' - ')
      .replace(/(?<=\d)-\s*(?=\p{L}+\.?\s\d{1,2}(?!\d))/u, ' - ')
      .replace(/^(?:from|du|vom|von|del|dal|od|fra|van)\s/i, '')
      .trim()
  );
}

function parseTimedDay(text: string, order: DateOrder | null): DateCell {
  const day = parseDay(text, order);
  if (day.kind === 'date') return day;
  const parts =
    /^(.+?)(?:[,\s]+(?:(?:at|um|ab|from|à|alle|ore|kl\.?|@)\s?)?|T)(\d{1,2}[:.h]\d\d(?::\d\d)?(?:\s?(?:[ap]\.?m\.?|uhr|h))?|\d{1,2}\s?(?:[ap]\.?m\.?|uhr|h))(?:\s?-\s?(\d{1,2}[:.h]\d\d(?:\s?(?:[ap]\.?m\.?|uhr|h))?|\d{1,2}\s?(?:[ap]\.?m\.?|uhr|h)))?$/i.exec(
      text,
    );
  const clock = parseClockTime(parts?.[2] ?? '');
  if (clock === null) return day;
  const dayBefore = parseDay(parts?.[1] ?? '', order);
  if (dayBefore.kind !== 'date') return dayBefore;
  const until = parseClockTime(parts?.[3] ?? '');
  const { date } = dayBefore;
  const end = until === null ? undefined : { date, time: until.time };
  return { ...dayBefore, time: clock.time, ...(end && { end }) };
}

/** A certain day, or several of a month, of which the whole text is: the weekday may stand before or after it. */
function parseDay(text: string, order: DateOrder | null): DateCell {
  const names = allDayNames();
  const words = text
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
    if (written !== undefined) return toDay(written, order);
  }
  return { kind: 'unreadable' };
}

function toDay(written: WrittenDays, order: DateOrder | null): DateCell {
  const { year, month, days, isAmbiguous } = written;
  // Days of every year, or of a year of another calendar.
  if (year === null || month === null || year < 1900 || year > 2199) return { kind: 'unreadable' };
  if (isAmbiguous && days !== null && order !== 'day') {
    const swapped = write(year, days.from, month);
    if (order === 'month') return { kind: 'date', date: swapped, time: null };
    return { kind: 'ambiguous', dates: [write(year, month, days.from), swapped] };
  }
  const lastDay = daysInMonth(year, month);
  if (days === null || days.to > lastDay) {
    return { kind: 'partial', lastDay: write(year, month, lastDay) };
  }
  if (days.from > days.to) return { kind: 'unreadable' };
  const day = { kind: 'date', date: write(year, month, days.from), time: null } as const;
  if (days.from === days.to) return day;
  return { ...day, end: { date: write(year, month, days.to), time: null } };
}

function write(year: number, month: number, day: number): string {
  return [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}

const rangeSigns = /\s+(?:-|to|until|till?|through|thru|bis|al?|au|à|hasta|tot|t\/m|do|до|по)\s+/gi;
/** They join two days, which are a range if one follows the other. */
const jointSigns = /\s+(?:&|and|und|et|y|e|og|och|en|i|ja|ve|и)\s+/gi;

/** From a day to another: what one lacks, it has from the other. */
function parseRange(text: string, order: DateOrder | null): DateCell | null {
  const range = parseJoined(text, rangeSigns, order);
  if (range !== null) return range;
  const days = parseJoined(text, jointSigns, order);
  if (days?.kind !== 'date' || days.end?.date !== addDays(days.date, 1)) return null;
  // `8 et 9 mai 2027, 14h` begins then.
  const { time, end } = days;
  return { ...days, time: time ?? end.time, end: time === null ? { ...end, time } : end };
}

function parseJoined(text: string, signs: RegExp, order: DateOrder | null): DateCell | null {
  const parse = (side: string) => parseTimedDay(side, order);
  for (const { index, 0: sign } of text.matchAll(signs)) {
    const left = text.slice(0, index).replace(/[,\s]+$/, '');
    const right = text.slice(index + sign.length);
    const [first, last] = [toOneDay(parse(left)), toOneDay(parse(right))];
    if (first !== null && last !== null)
      return first.date <= last.date ? toRange(first, last) : null;
    const starts = last === null ? [] : listStarts(left, last.date).map(parse).map(toOneDay);
    const start = starts.find((day) => isShortRange(day, last));
    if (start && last) return toRange(start, last);
    const ends = first === null ? [] : listEnds(right, first.date).map(parse).map(toOneDay);
    const end = ends.find((day) => isShortRange(first, day));
    if (first && end) return toRange(first, end);
    if (parse(right).kind === 'ambiguous') return parse(right);
  }
  return null;
}

function toOneDay(cell: DateCell): ZonedDay | null {
  return cell.kind === 'date' && cell.end === undefined ? cell : null;
}

/** What has its year from the other end does not last longer. */
const rangeDaysMax = 183;

function isShortRange(start: ZonedDay | null, end: ZonedDay | null): boolean {
  if (start === null || end === null) return false;
  const days = daysBetween(start.date, end.date);
  return days >= 0 && days <= rangeDaysMax;
}

function toRange(start: ZonedDay, { date, time }: ZonedDay): DateCell {
  return { kind: 'date', date: start.date, time: start.time, end: { date, time } };
}

/** `Jun 30`, `30.`, `01.07.` and `7/1` with the year, and if need be the month, of the end. */
function listStarts(text: string, end: string): string[] {
  const month = monthNames[Number(end.slice(5, 7)) - 1];
  return [Number(end.slice(0, 4)), Number(end.slice(0, 4)) - 1].flatMap((year) => [
    `${text} ${year}`,
    `${text}/${year}`,
    `${text}${year}`,
    `${text}.${year}`,
    `${text} ${month} ${year}`,
  ]);
}

/** `3`, `7-3` and `July 3` with the year, and if need be the month, of the start. */
function listEnds(text: string, start: string): string[] {
  const [year, month] = start.split('-');
  const digits = text.replace(/[./]/g, '-');
  return [`${year}-${month}-${text}`, `${year}-${digits}`, `${year} ${text}`, `${text} ${year}`];
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
