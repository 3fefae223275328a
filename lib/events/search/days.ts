import {
  addDays,
  addMonths,
  type EventDates,
  firstDayOf,
  isOn,
  lastDayOf,
  toMonth,
  toMonthInWords,
  toSunday,
  weekdayNames,
  weekdayOf,
} from '../model/dates.ts';
import { type DateRange, toDateRange } from '../query/quick-dates.ts';
import {
  toDatesInWords,
  toDayInWords,
  toShortDays,
  toWeekdayWords,
} from '../words/dates-in-words.ts';

/** Days that a search names: of one year (`YYYY-MM-DD`), or of every year (`MM-DD`). */
export type Days = Readonly<{ isYearly: boolean; from: string; to: string }>;

/** Days at the beginning of some words, and how many of the words name them. */
export type ParsedDays = Readonly<{ days: Days; count: number; label: string }>;

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** Creates a test of whether an event is on at least one of the days. */
export function createDaysTest({ isYearly, from, to }: Days): (event: EventDates) => boolean {
  if (!isYearly) {
    return (event) => isOn(event, { from, to });
  }
  const rangesByYear = new Map<string, ReturnType<typeof toRanges>>();
  return ({ startDate, endDate }) => {
    const year = startDate.slice(0, 4);
    const ranges = rangesByYear.get(year) ?? toRanges({ isYearly, from, to }, Number(year));
    rangesByYear.set(year, ranges);
    // An open-ended event counts on its first day only: otherwise the days of every year would find it.
    const dates = { startDate, endDate: endDate ?? startDate };
    return ranges.some((range) => isOn(dates, range));
  };
}

/** The days of a year and of those beside it. A longer event is on in one of them anyway. */
function toRanges(days: Days, year: number) {
  return [year - 1, year, year + 1].map((nearYear) => toDaysOfYear(days, nearYear));
}

const wholeYear: Days = { isYearly: true, from: '01-01', to: '12-31' };

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

const weekdays = weekdayNames.map((name) => name.toLowerCase());
const phraseWordsMax = 3;

/** `saturday`, `sat`. */
export function isWeekday(word = ''): boolean {
  return weekdays.some((name) => word === name || word === name.slice(0, 3));
}

type Phrases = Readonly<Record<string, (today: string) => DateRange>>;

const phrases: Phrases = {
  yesterday: (today) => toOneDay(addDays(today, -1)),
  'last weekend': (today) => ({
    from: addDays(toSunday(today), -8),
    to: addDays(toSunday(today), -7),
  }),
  'last week': (today) => ({
    from: addDays(toSunday(today), -13),
    to: addDays(toSunday(today), -7),
  }),
  'last month': (today) => toDaysOfMonth(addMonths(toMonth(today), -1)),
  'last year': (today) => toDaysOfYear(wholeYear, yearOf(today) - 1),
  today: (today) => toDateRange('today', today),
  tomorrow: (today) => toOneDay(addDays(today, 1)),
  weekend: (today) => toDateRange('weekend', today),
  'this weekend': (today) => toDateRange('weekend', today),
  'next weekend': (today) => ({
    from: addDays(toSunday(today), 6),
    to: addDays(toSunday(today), 7),
  }),
  'this week': (today) => ({ from: today, to: toSunday(today) }),
  'next week': (today) => ({ from: addDays(toSunday(today), 1), to: addDays(toSunday(today), 7) }),
  'this month': (today) => toDateRange('month', today),
  'next month': (today) => toDateRange('next-month', today),
  'this year': (today) => ({ from: today, to: `${today.slice(0, 4)}-12-31` }),
  'next year': (today) => ({
    from: `${yearOf(today) + 1}-01-01`,
    to: `${yearOf(today) + 1}-12-31`,
  }),
};

/** Of what has happened, with the days that are over. */
const pastPhrases: Phrases = {
  'this week': (today) => ({ from: addDays(toSunday(today), -6), to: today }),
  'this month': (today) => ({ from: firstDayOf(toMonth(today)), to: today }),
  'this year': (today) => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
};

/**
 * Parses the words for days that count from today: `next weekend`, `friday`, `next 7 days`.
 * @param isPast whether they are about what has happened.
 */
export function parseNamedDays(
  words: readonly string[],
  today: string,
  isPast = false,
): ParsedDays | null {
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    const phrase = words.slice(0, count).join(' ');
    const range = toNamedRange(phrase, today, isPast);
    if (range === null) continue;
    const { from, to } = range;
    const name = `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`;
    const dates =
      from === to
        ? toWeekdayWords(from, today)
        : toShortDays({ startDate: from, endDate: to }, today);
    return { days: { isYearly: false, from, to }, count, label: `${name}, ${dates}` };
  }
  return null;
}

function toNamedRange(phrase: string, today: string, isPast: boolean): DateRange | null {
  const named = isPast ? { ...phrases, ...pastPhrases } : phrases;
  if (Object.hasOwn(named, phrase)) return named[phrase]?.(today) ?? null;
  const days = /^(next|last|past) (\d{1,3}) days$/.exec(phrase);
  if (days !== null) {
    const others = Math.max(Number(days[2]), 1) - 1;
    return days[1] === 'next'
      ? { from: today, to: addDays(today, others) }
      : { from: addDays(today, -others), to: today };
  }
  const weekday = weekdays.indexOf(phrase.replace(/^(?:this|next|last) /, ''));
  if (weekday === -1) return null;
  if (phrase.startsWith('next ')) {
    return toOneDay(addDays(toSunday(today), weekday === 0 ? 7 : weekday));
  }
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  const isBefore = phrase.startsWith('last ') || isPast;
  return toOneDay(addDays(today, isBefore ? ahead - 7 : ahead));
}

function toDaysOfMonth(month: string): DateRange {
  return { from: firstDayOf(month), to: lastDayOf(month) };
}

function toOneDay(date: string): DateRange {
  return { from: date, to: date };
}
