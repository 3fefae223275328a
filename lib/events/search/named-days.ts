import {
  addDays,
  addMonths,
  firstDayOf,
  lastDayOf,
  toMonth,
  toSunday,
  weekdayNames,
  weekdayOf,
} from '../model/dates.ts';
import { type DateRange, toDateRange } from '../query/quick-dates.ts';
import { toShortDays, toWeekdayWords } from '../words/dates-in-words.ts';
import { type DayNames, englishDayNames } from '../words/written-days.ts';
import { type ParsedDays, toDaysOfYear, yearOf } from './days.ts';

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
  'last year': (today) =>
    toDaysOfYear({ isYearly: true, from: '01-01', to: '12-31' }, yearOf(today) - 1),
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

const phraseWordsMax = 3;
/** Of a month or weekday in another language than English, without a number beside it. */
export const foreignLengthMin = 5;

export type NamedDaysContext = Readonly<{
  today: string;
  names: DayNames;
  /** Whether they are about what has happened. */
  isPast: boolean;
}>;

/** Parses the words for days that count from today: `next weekend`, `friday`, `next 7 days`, `demain`. */
export function parseNamedDays(
  words: readonly string[],
  { today, names, isPast }: NamedDaysContext,
): ParsedDays | null {
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    const phrase = toEnglish(words.slice(0, count), names);
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

function toEnglish(words: readonly string[], names: DayNames): string {
  const phrase = words.join(' ');
  if (names === englishDayNames()) return phrase;
  return words.map((word) => toEnglishWeekday(word, names) ?? word).join(' ');
}

/** A weekday in English; null if it is none, or so short in another language that it may be another word. */
function toEnglishWeekday(word = '', { weekdays }: DayNames): string | null {
  const weekday = weekdays.get(word);
  if (weekday === undefined) return null;
  if (englishDayNames().weekdays.has(word)) return word;
  return word.length < foreignLengthMin ? null : (weekdayNames[weekday]?.toLowerCase() ?? null);
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
  const weekday = englishDayNames().weekdays.get(phrase.replace(/^(?:this|next|last) /, ''));
  if (weekday === undefined) return null;
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
