import { addDays, daysInMonth, weekdayOf } from '../model/dates.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { type DateRange, toDateRange } from '../query/quick-dates.ts';

/** One term of a search: a word, or words that name days together. */
export type SearchTerm = Readonly<{
  words: readonly string[];
  /** Whether an event is on the days that the words name; null if they name none. */
  isOnDays: ((event: EventDates) => boolean) | null;
}>;

type EventDates = Pick<MarqueeEvent, 'startDate' | 'endDate'>;

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const phrases: Readonly<Record<string, (today: string) => DateRange>> = {
  today: (today) => toDateRange('today', today),
  tonight: (today) => toDateRange('today', today),
  tomorrow: (today) => toOneDay(addDays(today, 1)),
  weekend: (today) => toDateRange('weekend', today),
  'this weekend': (today) => toDateRange('weekend', today),
  'this week': (today) => ({ from: today, to: toSunday(today) }),
  'next week': (today) => ({ from: addDays(toSunday(today), 1), to: addDays(toSunday(today), 7) }),
  'next 7 days': (today) => toDateRange('next-7-days', today),
  'this month': (today) => toDateRange('month', today),
  'next month': (today) => toNextMonth(today),
};
const phraseWordsMax = 3;

/**
 * Divides a search into terms: phrases that name days (`this weekend`, `december`), and single words.
 * @param words folded.
 * @param today `YYYY-MM-DD`.
 */
export function toSearchTerms(words: readonly string[], today: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (let start = 0; start < words.length; ) {
    const term = findPhrase(words.slice(start, start + phraseWordsMax), today);
    terms.push(term);
    start += term.words.length;
  }
  return terms;
}

function findPhrase(words: readonly string[], today: string): SearchTerm {
  for (let count = words.length; count > 0; count--) {
    const phrase = words.slice(0, count);
    const isOnDays = toDayTest(phrase.join(' '), today);
    if (isOnDays !== null) return { words: phrase, isOnDays };
  }
  return { words: words.slice(0, 1), isOnDays: null };
}

function toDayTest(phrase: string, today: string): SearchTerm['isOnDays'] {
  const month = months.findIndex((name) => phrase === name || phrase === name.slice(0, 3));
  if (month !== -1) return (event) => isInMonth(event, month + 1);
  const weekday = weekdays.indexOf(phrase);
  const toRange = Object.hasOwn(phrases, phrase) ? phrases[phrase] : undefined;
  if (weekday === -1 && toRange === undefined) return null;
  const range = toRange?.(today) ?? toOneDay(addDays(today, (weekday - weekdayOf(today) + 7) % 7));
  return ({ startDate, endDate }) =>
    startDate <= range.to && (endDate === null || endDate >= range.from);
}

// Any year matches. An open-ended event counts only in the month of its start: otherwise every month would find it.
function isInMonth({ startDate, endDate }: EventDates, month: number): boolean {
  const first = toMonthNumber(startDate);
  const last = Math.max(first, toMonthNumber(endDate ?? startDate));
  const monthsUntil = (((month - 1 - first) % 12) + 12) % 12;
  return first + monthsUntil <= last;
}

/** Months since the year 0. */
function toMonthNumber(date: string): number {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return year * 12 + month - 1;
}

function toOneDay(date: string): DateRange {
  return { from: date, to: date };
}

function toSunday(today: string): string {
  return addDays(today, (7 - weekdayOf(today)) % 7);
}

function toNextMonth(today: string): DateRange {
  const from = addDays(toDateRange('month', today).to, 1);
  const [year = 0, month = 1] = from.split('-').map(Number);
  return { from, to: addDays(from, daysInMonth(year, month) - 1) };
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** Folds text for searching, without case, accents and compatibility forms (NFKD). */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      // NFKD turns styled letters into plain ones, capitals among them.
      .toLowerCase()
      .replace(/[ßæœøđðþłħı]/g, (letter) => letters[letter] ?? letter)
  );
}
