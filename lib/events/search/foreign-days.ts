import { foldText } from './fold-text.ts';

/** Languages whose names of months and weekdays a search understands. */
const languages = 'de fr es pt it nl pl sv da nb fi cs hu ro tr el ru uk ar he hi id'.split(' ');

/** Phrases that count from today, folded: German and French → English. */
const phrases: ReadonlyMap<string, string> = new Map([
  ['heute', 'today'],
  ['heute abend', 'tonight'],
  ['morgen', 'tomorrow'],
  ['wochenende', 'weekend'],
  ['am wochenende', 'weekend'],
  ['dieses wochenende', 'this weekend'],
  ['nachstes wochenende', 'next weekend'],
  ['diese woche', 'this week'],
  ['nachste woche', 'next week'],
  ['diesen monat', 'this month'],
  ['nachsten monat', 'next month'],
  ["aujourd'hui", 'today'],
  ['aujourd’hui', 'today'],
  ['ce soir', 'tonight'],
  ['demain', 'tomorrow'],
  ['week-end', 'weekend'],
  ['ce week-end', 'this weekend'],
  ['ce weekend', 'this weekend'],
  ['le week-end prochain', 'next weekend'],
  ['week-end prochain', 'next weekend'],
  ['weekend prochain', 'next weekend'],
  ['cette semaine', 'this week'],
  ['la semaine prochaine', 'next week'],
  ['semaine prochaine', 'next week'],
  ['ce mois-ci', 'this month'],
  ['ce mois', 'this month'],
  ['le mois prochain', 'next month'],
  ['mois prochain', 'next month'],
]);

const phraseWordsMax = 3;

/** Words for days in other languages at the beginning of folded words, in English. */
type EnglishPhrase = Readonly<{ english: string; count: number }>;

export function findForeignPhrase(words: readonly string[]): EnglishPhrase | null {
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    const english = phrases.get(words.slice(0, count).join(' '));
    if (english !== undefined) return { english, count };
  }
  return null;
}

/** A phrase in English, if it is one of another language. */
export function toEnglishPhrase(phrase: string): string {
  return phrases.get(phrase) ?? phrase;
}

let englishNames: ReadonlyMap<string, string> | undefined;

/**
 * Folded words with months and weekdays of other languages in English: `5 dezember` → `5 december`. A short name such
 * as `mai` or `mars` may be another word, so it counts beside a number only.
 */
export function translateDays(words: readonly string[]): readonly string[] {
  englishNames ??= listNames();
  const names = englishNames;
  return words.map((word, index) => {
    const english = names.get(word);
    if (english === undefined) return word;
    const isClear = word.length > 4 || [words[index - 1], words[index + 1]].some(isNumber);
    return isClear ? english : word;
  });
}

function isNumber(word: string | undefined): boolean {
  return word !== undefined && /^\d{1,4}\.?$/.test(word);
}

/** By `Intl`: months and weekdays in full, folded → English. */
function listNames(): ReadonlyMap<string, string> {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)));
  // 1 to 7 November 2026.
  const weekdays = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 10, day + 1)));
  const write = (language: string, options: Intl.DateTimeFormatOptions, date: Date) =>
    foldText(new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(date));
  const entries = languages.flatMap((language) => [
    ...months.flatMap((date) => {
      const english = write('en', { month: 'long' }, date);
      // Of a date, months are inflected: `grudnia`, not `grudzień`.
      const ofDate = new Intl.DateTimeFormat(language, {
        timeZone: 'UTC',
        day: 'numeric',
        month: 'long',
      })
        .formatToParts(date)
        .find(({ type }) => type === 'month');
      return [write(language, { month: 'long' }, date), foldText(ofDate?.value ?? '')].map(
        (name) => [name, english] as const,
      );
    }),
    ...weekdays.map(
      (date) =>
        [
          write(language, { weekday: 'long' }, date),
          write('en', { weekday: 'long' }, date),
        ] as const,
    ),
  ]);
  return new Map(entries.filter(([name]) => /^[\p{L}-]{3,}$/u.test(name)));
}
