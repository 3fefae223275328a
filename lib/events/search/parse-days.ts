import {
  addDays,
  daysInMonth,
  firstDayOf,
  isCalendarDate,
  isMonth,
  lastDayOf,
  monthNames,
} from '../model/dates.ts';
import { toDayInWords } from '../words/dates-in-words.ts';
import {
  type Days,
  isWeekday,
  type ParsedDays,
  parseNamedDays,
  toDaysInWords,
  toDaysOfYear,
  yearOf,
} from './days.ts';

const months = monthNames.map((name) => name.toLowerCase());
const rangeWords = new Set(['-', 'to', 'until', 'till', 'through']);
const bounds = new Set(['from', 'between', 'since', 'after', 'until', 'till', 'before', 'by']);
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';
/** A year further away is more likely a number. */
const yearsAwayMax = 20;

/**
 * Parses the days that words begin with: `5 december`, `dec 5-7`, `2026-12-05`, `jan 2027`, `next weekend`,
 * `30 dec to 2 jan`, `from friday`, `until 5 december`. Days without a year are those of every year.
 * @param words folded.
 * @param today `YYYY-MM-DD`.
 */
export function parseDays(words: readonly string[], today: string): ParsedDays | null {
  return parseBound(words, today) ?? parseRange(words, today);
}

/**
 * Parses the days of what has happened: `this week` with its days that are over, `since monday`, `last 7 days`.
 * @param words folded.
 */
export function parsePastDays(words: readonly string[], today: string): ParsedDays | null {
  const isSince = words[0] === 'since' || words[0] === 'after';
  const rest = isSince ? words.slice(1) : words;
  const named = parseNamedDays(rest, today, true) ?? parseRange(rest, today);
  if (named === null || !isSince) return named;
  const { days, count } = named;
  const { from } = days.isYearly ? toDaysBefore(days, today) : days;
  const since = { isYearly: false, from, to: today };
  return { days: since, count: count + 1, label: `From ${toDayInWords(from)}` };
}

function parseBound([bound = '', ...rest]: readonly string[], today: string): ParsedDays | null {
  if (!bounds.has(bound)) return null;
  const words = bound === 'between' ? rest.map((word) => (word === 'and' ? '-' : word)) : rest;
  const named = parseRange(words, today);
  if (named === null) return null;
  const count = named.count + 1;
  const isRange = words.slice(0, named.count).some((word) => rangeWords.has(word));
  if (isRange) return { ...named, count };
  const { from, to } = toNextDays(named.days, today);
  if (bound === 'from' || bound === 'since' || bound === 'after') {
    const start = bound === 'after' ? addDays(to, 1) : from;
    const days = { isYearly: false, from: start, to: lastDay };
    return { days, count, label: `From ${toDayInWords(start)}` };
  }
  if (bound === 'between') return null;
  const end = bound === 'before' ? addDays(from, -1) : to;
  const days = { isYearly: false, from: end < today ? firstDay : today, to: end };
  return { days, count, label: `Until ${toDayInWords(end)}` };
}

function parseRange(words: readonly string[], today: string): ParsedDays | null {
  const start = parseOne(words, today);
  if (start === null || !rangeWords.has(words[start.count] ?? '')) return start;
  const end = parseOne(words.slice(start.count + 1), today);
  const days = end && joinDays(start.days, end.days);
  if (end === null || days === null) return start;
  return { days, count: start.count + 1 + end.count, label: toDaysInWords(days) };
}

/** From the first day of one to the last day of the other; null if that is earlier. */
function joinDays(start: Days, end: Days): Days | null {
  const { from } = start.isYearly && !end.isYearly ? toDaysBefore(start, end.to) : start;
  const { to } = end.isYearly && !start.isYearly ? toDaysAfter(end, from) : end;
  const isYearly = start.isYearly && end.isYearly;
  return isYearly || from <= to ? { isYearly, from, to } : null;
}

// A year that is named once counts for both ends of a range.
function toDaysBefore(days: Days, date: string): Days {
  const sameYear = toDaysOfYear(days, yearOf(date));
  return sameYear.from <= date ? sameYear : toDaysOfYear(days, yearOf(date) - 1);
}

/** Days of every year as those that end on this date or come next. */
function toDaysAfter(days: Days, date: string): Days {
  const sameYear = toDaysOfYear(days, yearOf(date));
  return sameYear.to >= date ? sameYear : toDaysOfYear(days, yearOf(date) + 1);
}

function toNextDays(days: Days, today: string): Days {
  return days.isYearly ? toDaysAfter(days, today) : days;
}

function parseOne(words: readonly string[], today: string): ParsedDays | null {
  // The weekday of a date adds nothing: `sat 5 december`.
  const skipped = isWeekday(words[0]) ? 1 : 0;
  const date = parseDate(words.slice(skipped), today);
  if (date === null || (skipped === 1 && date.days.from !== date.days.to)) {
    return parseNamedDays(words, today);
  }
  return { ...date, count: date.count + skipped, label: toDaysInWords(date.days) };
}

type Dated = Readonly<{ days: Days; count: number }>;

function parseDate(words: readonly string[], today: string): Dated | null {
  const [first = ''] = words;
  if (isCalendarDate(first)) return { days: { isYearly: false, from: first, to: first }, count: 1 };
  if (isMonth(first)) return { days: toDaysOfMonth(first), count: 1 };
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(first);
  if (dotted !== null) {
    const date = `${dotted[3]}-${pad(Number(dotted[2]))}-${pad(Number(dotted[1]))}`;
    return isCalendarDate(date)
      ? { days: { isYearly: false, from: date, to: date }, count: 1 }
      : null;
  }
  const isYear = /^\d{4}$/.test(first) && Math.abs(Number(first) - yearOf(today)) <= yearsAwayMax;
  if (isYear)
    return { days: { isYearly: false, from: `${first}-01-01`, to: `${first}-12-31` }, count: 1 };
  return parseDayFirst(words) ?? parseMonthFirst(words) ?? parseHoliday(words);
}

/** Days that have a name of their own, by month and day. */
const holidays: readonly (readonly [words: string, day: string])[] = [
  ['christmas eve', '12-24'],
  ['heiligabend', '12-24'],
  ['christmas', '12-25'],
  ['xmas', '12-25'],
  ['weihnachten', '12-25'],
  ['noel', '12-25'],
  ['new year’s eve', '12-31'],
  ["new year's eve", '12-31'],
  ['new years eve', '12-31'],
  ['silvester', '12-31'],
  ['new year', '01-01'],
  ['halloween', '10-31'],
];

function parseHoliday(words: readonly string[]): Dated | null {
  for (const [name, day] of holidays) {
    const count = name.split(' ').length;
    if (words.slice(0, count).join(' ') !== name) continue;
    return { days: { isYearly: true, from: day, to: day }, count };
  }
  return null;
}

/** `5 december`, `5th of december 2026`, `5-7 dec`, `5 to 7 dec`. */
function parseDayFirst(words: readonly string[]): Dated | null {
  const numbers = parseDayNumbers(words);
  if (numbers === null) return null;
  const at = numbers.count + (words[numbers.count] === 'of' ? 1 : 0);
  const month = parseMonthName(words[at]);
  if (month === null) return null;
  const year = parseYear(words[at + 1]);
  const days = toDays(month, numbers, year);
  return days && { days, count: at + (year === null ? 1 : 2) };
}

/** `december`, `dec 2026`, `dec 5`, `december 5-7 2026`. */
function parseMonthFirst(words: readonly string[]): Dated | null {
  const month = parseMonthName(words[0]);
  if (month === null) return null;
  const numbers = parseDayNumbers(words.slice(1));
  const numbersCount = numbers?.count ?? 0;
  const year = parseYear(words[1 + numbersCount]);
  const count = 1 + numbersCount + (year === null ? 0 : 1);
  const days = numbers && toDays(month, numbers, year);
  if (days) return { days, count };
  // `february 31` is a month and a number.
  if (numbers !== null) return parseMonthFirst(words.slice(0, 1));
  const last = year === null ? daysInMonthOfAnyYear(month) : daysInMonth(year, month);
  const all = toDays(month, { from: 1, to: last }, year);
  return all && { days: all, count };
}

type DayNumbers = Readonly<{ from: number; to: number }>;

function parseDayNumbers(words: readonly string[]): (DayNumbers & { count: number }) | null {
  const [first = '', join = '', second = ''] = words;
  const both = /^(\d{1,2})(?:st|nd|rd|th)?-(\d{1,2})(?:st|nd|rd|th)?$/.exec(first);
  if (both !== null) return { from: Number(both[1]), to: Number(both[2]), count: 1 };
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/;
  const [from, to] = [day.exec(first)?.[1], day.exec(second)?.[1]];
  if (from === undefined) return null;
  if (to !== undefined && rangeWords.has(join)) {
    return { from: Number(from), to: Number(to), count: 3 };
  }
  return { from: Number(from), to: Number(from), count: 1 };
}

function parseMonthName(word = ''): number | null {
  const index = months.findIndex((name) => word === name || word === name.slice(0, 3));
  if (index === -1) return word === 'sept' ? 9 : null;
  return index + 1;
}

function parseYear(word = ''): number | null {
  return /^(?:19|20|21)\d\d$/.test(word) ? Number(word) : null;
}

function toDays(month: number, { from, to }: DayNumbers, year: number | null): Days | null {
  const length = year === null ? daysInMonthOfAnyYear(month) : daysInMonth(year, month);
  if (from < 1 || from > to || to > length) return null;
  const write = (day: number) => `${year === null ? '' : `${year}-`}${pad(month)}-${pad(day)}`;
  return { isYearly: year === null, from: write(from), to: write(to) };
}

function toDaysOfMonth(month: string): Days {
  return { isYearly: false, from: firstDayOf(month), to: lastDayOf(month) };
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function daysInMonthOfAnyYear(month: number): number {
  // A leap year.
  return daysInMonth(2000, month);
}
