import { foldText } from './fold-text.ts';

/** Days as they were written: a part may be missing, or there is no such day in the month. */
export type WrittenDays = Readonly<{
  year: number | null;
  /** 1 to 12; null for a whole year. */
  month: number | null;
  /** Null for a whole month. */
  days: Readonly<{ from: number; to: number }> | null;
  /** Whether day and month may be the other way round, as in `05/12/2026`. */
  isAmbiguous: boolean;
  /** How many words name them. */
  count: number;
}>;

/** Folded names of months (1 to 12) and of days of the week (0 for Sunday). */
export type DayNames = Readonly<{
  months: ReadonlyMap<string, number>;
  weekdays: ReadonlyMap<string, number>;
}>;

const english = ['en-GB', 'en-US'];
/** Languages whose names of months and weekdays are read. */
const otherLanguages = 'de fr es pt it nl pl sv da nb fi cs hu ro tr el ru uk ar he hi id'.split(
  ' ',
);

/** English ones beside those of `Intl`. */
const moreWeekdays = { tues: 2, weds: 3, thur: 4, thurs: 4 };

type Part = 'days' | 'month' | 'year';

/** `5 December 2026`, in English also `December 5, 2026`, and in Hungarian `2026. december 5.`. */
const orders: readonly (readonly Part[])[] = [
  ['days', 'month', 'year'],
  ['month', 'days', 'year'],
  ['year', 'month', 'days'],
  ['days', 'month'],
  ['month', 'days'],
  ['month', 'year'],
  ['year', 'month'],
  ['month'],
  ['year'],
];

/** Words before a part of a date: `the 5th of December`, `5 de diciembre`, `lørdag den 5.`, `יום שבת`. */
const fillers: ReadonlySet<string> = new Set(['the', 'of', 'de', 'den', 'le', 'יום']);
/** “Year”, behind one. */
const yearWords: ReadonlySet<string> = new Set(['г', 'года', 'р', 'року']);
/** Words between the first and the last of several days. */
export const rangeWords: ReadonlySet<string> = new Set(['-', 'to', 'until', 'till', 'through']);

/**
 * Reads the days that words begin with, in every way that is possible; the first one has the most parts.
 * @param words as `toPlainWord` gives them.
 */
export function readWrittenDays(words: readonly string[], names: DayNames): WrittenDays[] {
  const inDigits = readDigits(words);
  if (inDigits !== null) return [inDigits];
  const joined = readJoined(words, names);
  if (joined !== null) return [joined];
  return orders.flatMap((order) => {
    const written = readOrder(order, words, names);
    // The day of `out 5 december` is not one in Portuguese.
    const isOfNext =
      order.at(-1) === 'days' && readMonth(words.slice(written?.count), names) !== null;
    return written === null || isOfNext ? [] : [written];
  });
}

/** Whether a word may stand beside a date without a meaning of its own: `Sat`, `the`. */
export function isBesideDays(word: string, { weekdays }: DayNames): boolean {
  return weekdays.has(word) || fillers.has(word);
}

/** `2026/12/05`, `20261205`, `2026-12`, `05.12.2026`, `5 12 2026`. */
function readDigits(words: readonly string[]): WrittenDays | null {
  const [first = ''] = words;
  const three = words.length < 3 ? '' : words.slice(0, 3).join(' ');
  return readDigitsIn(first, 1) ?? readDigitsIn(three, 3);
}

function readDigitsIn(text: string, count: number): WrittenDays | null {
  const yearFirst =
    /^(\d{4})([-/. ])(\d{1,2})(?:\2(\d{1,2}))?$/.exec(text) ??
    /^((?:19|20)\d\d)()(\d\d)(\d\d)$/.exec(text);
  if (yearFirst !== null) {
    const [, year, , month, day] = yearFirst;
    const days = day === undefined ? null : Number(day);
    return toWritten({ year: Number(year), month: Number(month), day: days }, count);
  }
  const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/.exec(text);
  if (yearLast === null) return null;
  const [, a, sign, b, yearText] = yearLast;
  const [day, month, year] = [Number(a), Number(b), Number(yearText)];
  // With dots, the day comes first; with other signs, where only one order is possible.
  if (sign !== '.' && month > 12) return toWritten({ year, month: day, day: month }, count);
  const isAmbiguous = sign !== '.' && day <= 12 && day !== month;
  const written = toWritten({ year, month, day }, count);
  return written && { ...written, isAmbiguous };
}

type Digits = Readonly<{ year: number; month: number; day: number | null }>;

function toWritten({ year, month, day }: Digits, count: number): WrittenDays | null {
  if (month < 1 || month > 12 || day === 0) return null;
  const days = day === null ? null : { from: day, to: day };
  return { year, month, days, isAmbiguous: false, count };
}

/** `5-Dec-2026`. */
function readJoined([first = '']: readonly string[], names: DayNames): WrittenDays | null {
  const parts = first.split(/[-/.]+/);
  if (parts.length < 2 || !/\p{L}/u.test(first)) return null;
  const written = orders.flatMap((order) => readOrder(order, parts, names) ?? []);
  const all = written.find(({ count }) => count === parts.length);
  return all ? { ...all, count: 1 } : null;
}

function readOrder(
  order: readonly Part[],
  words: readonly string[],
  names: DayNames,
): WrittenDays | null {
  let written: WrittenDays = { year: null, month: null, days: null, isAmbiguous: false, count: 0 };
  for (const part of order) {
    let { count } = written;
    while (fillers.has(words[count] ?? '')) count++;
    const found = readPart[part](words.slice(count), names);
    if (found === null) return null;
    written = { ...written, ...found, count: count + found.count };
  }
  return written;
}

type ReadPart = Partial<WrittenDays> & Readonly<{ count: number }>;

const readPart: Readonly<
  Record<Part, (words: readonly string[], names: DayNames) => ReadPart | null>
> = { days: readDays, month: readMonth, year: readYear };

/** `5`, `5th`, `5-7`, `5 to 7`. */
function readDays(words: readonly string[]): ReadPart | null {
  const [from, to] = (words[0] ?? '').split('-').map(toDay);
  if (!from || to === null) return null;
  if (to !== undefined) return { days: { from, to }, count: 1 };
  const last = rangeWords.has(words[1] ?? '') ? toDay(words[2] ?? '') : null;
  return last === null
    ? { days: { from, to: from }, count: 1 }
    : { days: { from, to: last }, count: 3 };
}

function toDay(word: string): number | null {
  const [, day] = /^(\d{1,2})(?:\.|st|nd|rd|th|er|e|o|a)?$/.exec(word) ?? [];
  return Number(day) || null;
}

function readMonth([word = '']: readonly string[], { months }: DayNames): ReadPart | null {
  const month = months.get(word.replace(/[^\p{L}\p{M}\p{N}]+$/u, ''));
  return month === undefined ? null : { month, count: 1 };
}

function readYear([word = '', next = '']: readonly string[]): ReadPart | null {
  if (!/^(?:19|20|21)\d\d$/.test(word)) return null;
  return { year: Number(word), count: yearWords.has(next) ? 2 : 1 };
}

let namesOfEnglish: DayNames | null = null;
let namesOfAll: DayNames | null = null;

export function englishDayNames(): DayNames {
  if (namesOfEnglish !== null) return namesOfEnglish;
  const { months, weekdays } = listNames(english);
  namesOfEnglish = { months, weekdays: new Map([...weekdays, ...Object.entries(moreWeekdays)]) };
  return namesOfEnglish;
}

/** Those of all languages. What two languages have for different days is left out, unless one is English. */
export function allDayNames(): DayNames {
  if (namesOfAll !== null) return namesOfAll;
  const { months, weekdays } = listNames(otherLanguages);
  const own = englishDayNames();
  namesOfAll = {
    months: new Map([...months, ...own.months]),
    weekdays: new Map([...weekdays, ...own.weekdays]),
  };
  return namesOfAll;
}

function listNames(languages: readonly string[]): DayNames {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)));
  // 1 to 7 November 2026.
  const weekdays = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 10, 1 + day)));
  const ofMonths = indexNames(languages, 'month', months);
  return {
    months: new Map([...ofMonths].map(([name, index]) => [name, index + 1])),
    weekdays: indexNames(languages, 'weekday', weekdays),
  };
}

function indexNames(
  languages: readonly string[],
  part: 'month' | 'weekday',
  dates: readonly Date[],
): ReadonlyMap<string, number> {
  const found = new Map<string, Set<number>>();
  for (const format of listFormats(languages, part)) {
    for (const [index, date] of dates.entries()) {
      for (const name of listNamesIn(format, part, date).flatMap(listForms)) {
        found.set(name, (found.get(name) ?? new Set()).add(index));
      }
    }
  }
  return new Map(
    [...found].flatMap(([name, [index = 0, ...others]]) =>
      others.length > 0 || rangeWords.has(name) ? [] : [[name, index] as const],
    ),
  );
}

/** In full and short. Beside a day, months are inflected: `grudnia`, not `grudzień`. */
function listFormats(languages: readonly string[], part: 'month' | 'weekday') {
  return languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const options = { [part]: length, timeZone: 'UTC' };
      const ofDate = part === 'month' ? [{ ...options, day: 'numeric' as const }] : [];
      return [options, ...ofDate].map((parts) => new Intl.DateTimeFormat(language, parts));
    }),
  );
}

/** How Slavic names of days and months end behind “in” and “on”: `v sobotu`, `в субботу`, `в мае`. */
const caseEnds: readonly (readonly [end: RegExp, changed: string])[] = [
  [/a$/, 'u'],
  [/а$/, 'у'],
  [/[ая]$/, 'е'],
];

function listForms(name: string): string[] {
  return [name, ...caseEnds.map(([end, changed]) => name.replace(end, changed))];
}

/** The name, and the word that it stands in: Hebrew writes “in December” as one. */
function listNamesIn(format: Intl.DateTimeFormat, part: string, date: Date): string[] {
  const name = format.formatToParts(date).find(({ type }) => type === part)?.value ?? '';
  const words = foldText(format.format(date)).split(/\s+/);
  return [foldText(name), ...words.filter((word) => word.includes(foldText(name)))]
    .flatMap((text) => text.split(' '))
    .map((word) => word.replace(/[^\p{L}\p{M}]+$/u, ''))
    .filter((word) => /^[\p{L}\p{M}'-]{2,}$/u.test(word));
}
