import { addDays, weekdayOf } from '../model/dates.ts';
import { addMonths, firstDayOf, lastDayOf, toMonth } from '../model/months.ts';
import { type DateRange, toDateRange } from '../query/quick-dates.ts';
import { toShortDays, toWeekdayWords } from '../words/dates-in-words.ts';
import { type ParsedDays, yearOf } from './days.ts';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const phraseWordsMax = 3;

/** `saturday`, `sat`. */
export function isWeekday(word = ''): boolean {
  return weekdays.some((name) => word === name || word === name.slice(0, 3));
}

const phrases: Readonly<Record<string, (today: string) => DateRange>> = {
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
  'next month': (today) => toMonthRange(addMonths(toMonth(today), 1)),
  'this year': (today) => ({ from: today, to: `${today.slice(0, 4)}-12-31` }),
  'next year': (today) => ({
    from: `${yearOf(today) + 1}-01-01`,
    to: `${yearOf(today) + 1}-12-31`,
  }),
};

/** Parses the words for days that count from today: `next weekend`, `friday`, `next 7 days`. */
export function parseNamedDays(words: readonly string[], today: string): ParsedDays | null {
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    const phrase = words.slice(0, count).join(' ');
    const range = toNamedRange(phrase, today);
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

function toNamedRange(phrase: string, today: string): DateRange | null {
  if (Object.hasOwn(phrases, phrase)) return phrases[phrase]?.(today) ?? null;
  const days = /^next (\d{1,3}) days$/.exec(phrase);
  if (days !== null) return { from: today, to: addDays(today, Math.max(Number(days[1]), 1) - 1) };
  const weekday = weekdays.indexOf(phrase.replace(/^(?:this|next) /, ''));
  if (weekday === -1) return null;
  if (phrase.startsWith('next ')) {
    return toOneDay(addDays(toSunday(today), weekday === 0 ? 7 : weekday));
  }
  return toOneDay(addDays(today, (weekday - weekdayOf(today) + 7) % 7));
}

function toOneDay(date: string): DateRange {
  return { from: date, to: date };
}

function toSunday(today: string): string {
  return addDays(today, (7 - weekdayOf(today)) % 7);
}

function toMonthRange(month: string): DateRange {
  return { from: firstDayOf(month), to: lastDayOf(month) };
}
