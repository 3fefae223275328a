import {
  type EventDates,
  firstDayOf,
  isOn,
  lastDayOf,
  toMonth,
  toMonthInWords,
} from '../model/dates.ts';
import { toDatesInWords, toDayInWords } from '../words/dates-in-words.ts';

/** Days that a search names: of one year (`YYYY-MM-DD`), or of every year (`MM-DD`). */
export type Days = Readonly<{ isYearly: boolean; from: string; to: string }>;

/** Days at the beginning of some words, and how many of the words name them. */
export type ParsedDays = Readonly<{ days: Days; count: number; label: string }>;

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/**
 * Creates a test of whether an event is on at least one of the days.
 * @param today an open-ended event is on the days of every year when they come next, and when it begins: otherwise it
 * would be on those of all years.
 */
export function createDaysTest(days: Days, today: string): (event: EventDates) => boolean {
  const { isYearly, from, to } = days;
  if (!isYearly) {
    return (event) => isOn(event, { from, to });
  }
  const next = toDaysAfter(days, today);
  const rangesByYear = new Map<string, ReturnType<typeof toRanges>>();
  return ({ startDate, endDate }) => {
    const year = startDate.slice(0, 4);
    const ranges = rangesByYear.get(year) ?? toRanges({ isYearly, from, to }, Number(year));
    rangesByYear.set(year, ranges);
    if (endDate === null && startDate <= next.to) return true;
    const dates = { startDate, endDate: endDate ?? startDate };
    return ranges.some((range) => isOn(dates, range));
  };
}

/** The days of a year and of those beside it. A longer event is on in one of them anyway. */
function toRanges(days: Days, year: number) {
  return [year - 1, year, year + 1].map((nearYear) => toDaysOfYear(days, nearYear));
}

/** Days of every year as those that end on this date or come next. */
export function toDaysAfter(days: Days, date: string): Days {
  const sameYear = toDaysOfYear(days, yearOf(date));
  return sameYear.to >= date ? sameYear : toDaysOfYear(days, yearOf(date) + 1);
}

/** The days of every year in one year. They may end in the next one. */
export function toDaysOfYear({ from, to }: Days, year: number): Days {
  const write = (number: number) => String(Math.max(number, 0)).padStart(4, '0');
  return {
    isYearly: false,
    from: `${write(year)}-${from}`,
    to: `${write(from <= to ? year : year + 1)}-${to}`,
  };
}

/** `5 Dec 2026`, `5–7 Dec 2026`, `January 2027`, `2027`; without the year: `5 Dec`, `December`. */
export function toDaysInWords(days: Days): string {
  if (days.isYearly) {
    // 2000 has a 29 February.
    const isInOneYear = days.from <= days.to;
    return toDaysInWords(toDaysOfYear(days, isInOneYear ? 2000 : 1999)).replaceAll(
      / (?:1999|2000)/g,
      '',
    );
  }
  const { from, to } = days;
  if (from.endsWith('-01-01') && to === from.replace('-01-01', '-12-31')) return from.slice(0, 4);
  const isOfMonths = from === firstDayOf(toMonth(from)) && to === lastDayOf(toMonth(to));
  if (!isOfMonths) {
    return from === to ? toDayInWords(from) : toDatesInWords({ startDate: from, endDate: to });
  }
  const [first, last] = [toMonthInWords(toMonth(from)), toMonthInWords(toMonth(to))];
  return first === last ? first : `${first} to ${last}`;
}
