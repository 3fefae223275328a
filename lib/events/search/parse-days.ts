import { addDays, daysBetween, daysInMonth, toSunday } from '../model/dates.ts';
import { toDayInWords } from '../words/dates-in-words.ts';
import {
  allDayNames,
  type DayNames,
  englishDayNames,
  isBesideDays,
  rangeWords,
  readWrittenDays,
  type WrittenDays,
} from '../words/written-days.ts';
import {
  type Days,
  type ParsedDays,
  toDaysAfter,
  toDaysInWords,
  toDaysOfYear,
  yearOf,
} from './days.ts';
import { foreignLengthMin, type NamedDaysContext, parseNamedDays } from './named-days.ts';

const bounds = new Set(['from', 'between', 'since', 'after', 'until', 'till', 'before', 'by']);
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';
/** A year further away is more likely a number. */
const yearsAwayMax = 20;

/**
 * Parses the days that words begin with: `5 december`, `dec 5-7`, `2026-12-05`, `jan 2027`, `next weekend`,
 * `30 dec to 2 jan`, `from friday`, `until 5 december`. Days without a year are those of every year. Those in other
 * languages than English are read where they say more.
 * @param words folded.
 * @param today `YYYY-MM-DD`.
 * @param isName whether the name of an event has a folded word: then it is no day in another language.
 */
export function parseDays(
  words: readonly string[],
  today: string,
  isName: (word: string) => boolean = () => false,
): ParsedDays | null {
  const english = parseIn(words, { today, names: englishDayNames(), isPast: false });
  const any = parseIn(words, { today, names: allDayNames(), isPast: false });
  if (any === null || any.count <= (english?.count ?? 0)) return english;
  const isNamed = (word: string) => /\p{L}/u.test(word) && isName(word);
  return words.slice(0, any.count).some(isNamed) ? english : any;
}

function parseIn(words: readonly string[], context: NamedDaysContext): ParsedDays | null {
  return parseBound(words, context) ?? parseRange(words, context);
}

/**
 * Parses the days of what has happened: `this week` with its days that are over, `since monday`, `last 7 days`.
 * @param words folded.
 */
export function parsePastDays(words: readonly string[], today: string): ParsedDays | null {
  const context = { today, names: englishDayNames(), isPast: true };
  const isSince = words[0] === 'since' || words[0] === 'after';
  const rest = isSince ? words.slice(1) : words;
  const named = parseRange(rest, context);
  if (named === null || !isSince) return named;
  const { days, count } = named;
  const { from } = days.isYearly ? toDaysBefore(days, today) : days;
  const since = { isYearly: false, from, to: today };
  return { days: since, count: count + 1, label: `From ${toDayInWords(from)}` };
}

function parseBound(
  [bound = '', ...rest]: readonly string[],
  context: NamedDaysContext,
): ParsedDays | null {
  if (!bounds.has(bound)) return null;
  const { today } = context;
  const words = bound === 'between' ? rest.map((word) => (word === 'and' ? '-' : word)) : rest;
  const named = parseRange(words, context);
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

function parseRange(words: readonly string[], context: NamedDaysContext): ParsedDays | null {
  const start = parseOne(words, context);
  if (start === null || !rangeWords.has(words[start.count] ?? '')) return start;
  const end = parseOne(words.slice(start.count + 1), context);
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

function toNextDays(days: Days, today: string): Days {
  return days.isYearly ? toDaysAfter(days, today) : days;
}

/** A day may have its weekday before or behind it, which adds nothing: `sat 5 december`. */
function parseOne(words: readonly string[], context: NamedDaysContext): ParsedDays | null {
  const week = parseWeekOf(words, context);
  if (week !== null) return week;
  const before = countWeekdayBefore(words, context);
  const date = parseDate(words.slice(before), context);
  const isDay = date?.days.from === date?.days.to;
  if (date === null || (before > 0 && !isDay)) return parseNamedDays(words, context);
  const end = before + date.count;
  const after = isDay && isClearWeekday(words[end], context.names) ? 1 : 0;
  return { ...date, count: end + after, label: toDaysInWords(date.days) };
}

/** The one with a day: `weekend of 12 december`, `week of 7 december`. Of several days, these: `weekend 12-13 december`. */
function parseWeekOf(words: readonly string[], context: NamedDaysContext): ParsedDays | null {
  const [period = '', of] = words;
  if (period !== 'week' && period !== 'weekend') return null;
  const before = of === 'of' ? 2 : 1;
  const date = parseDate(words.slice(before), context);
  if (date === null) return null;
  const { from, to } = toNextDays(date.days, context.today);
  if (daysBetween(from, to) > 6) return null;
  const sunday = toSunday(from);
  const first = addDays(sunday, period === 'week' ? -6 : -1);
  const days = from === to ? { isYearly: false, from: first, to: sunday } : date.days;
  return { days, count: before + date.count, label: toDaysInWords(days) };
}

/** How many words are a weekday before a day, which two may be: `יום שבת`. */
function countWeekdayBefore(words: readonly string[], context: NamedDaysContext): number {
  const { names } = context;
  const first = words.findIndex((word) => names.weekdays.has(word) || !isBesideDays(word, names));
  const word = words[first] ?? '';
  if (isClearWeekday(word, names)) return first + 1;
  if (!names.weekdays.has(word)) return 0;
  // Two letters are rather a state or a city, as in `la 5 december`.
  const rest = words.slice(first + 1);
  const isWeekday =
    word.length > 2 || parseDate(rest, { ...context, names: englishDayNames() }) === null;
  return isWeekday ? first + 1 : 0;
}

function isClearWeekday(word = '', { weekdays }: DayNames): boolean {
  return weekdays.has(word) && (word.length > 3 || englishDayNames().weekdays.has(word));
}

function parseDate(
  words: readonly string[],
  { today, names }: NamedDaysContext,
): Pick<ParsedDays, 'days' | 'count'> | null {
  for (const written of readWrittenDays(words, names)) {
    const { days, year, count } = written;
    const name = words[count - 1] ?? '';
    // `mars` alone may be another word.
    const isUnclear = days === null && year === null && name.length < foreignLengthMin;
    const isLeftOut = isUnclear && !englishDayNames().months.has(name);
    const span = isLeftOut ? null : toSpan(written, today);
    if (span !== null) return { days: span, count };
  }
  return parseHoliday(words);
}

/** The days of one year or of every year; null if there are none, or if they are more likely a number. */
function toSpan({ year, month, days }: WrittenDays, today: string): Days | null {
  const isYearly = year === null;
  if (month === null) {
    const isNear = !isYearly && Math.abs(year - yearOf(today)) <= yearsAwayMax;
    return isNear ? toDaysOfYear({ isYearly, from: '01-01', to: '12-31' }, year) : null;
  }
  // Of every year, February has the days of a leap year.
  const length = daysInMonth(year ?? 2000, month);
  const { from, to } = days ?? { from: 1, to: length };
  if (from > to || to > length) return null;
  const everyYear = {
    isYearly: true,
    from: `${pad(month)}-${pad(from)}`,
    to: `${pad(month)}-${pad(to)}`,
  };
  return isYearly ? everyYear : toDaysOfYear(everyYear, year);
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

function parseHoliday(words: readonly string[]): Pick<ParsedDays, 'days' | 'count'> | null {
  for (const [name, day] of holidays) {
    const count = name.split(' ').length;
    if (words.slice(0, count).join(' ') !== name) continue;
    return { days: { isYearly: true, from: day, to: day }, count };
  }
  return null;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
