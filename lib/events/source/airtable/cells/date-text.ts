import { daysInMonth } from '../../../model/dates.ts';
import { foldText } from '../../../search/fold-text.ts';

/** What a text says of a day. */
export type DayText =
  | Readonly<{ kind: 'date'; date: string }>
  /** A month without a day, or with a day past its last one: usable as an end, not as a start. */
  | Readonly<{ kind: 'partial'; lastDay: string }>
  /** `05/12/2026`: in May or in December. */
  | Readonly<{ kind: 'ambiguous' }>
  | Readonly<{ kind: 'unreadable' }>;

/** Longer texts are no days. */
const lengthMax = 60;

const unreadable = { kind: 'unreadable' } as const;

/** Parses a day in digits (`2026/12/05`, `05.12.2026`) or with the name of its month (`Sat, 5 Dec 2026`). */
export function parseDayText(text: string): DayText {
  if (text.length > lengthMax) return unreadable;
  const plain = text.normalize('NFKC').trim();
  const yearFirst =
    /^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?$/.exec(plain) ??
    /^((?:19|20)\d\d)()(\d\d)(\d\d)$/.exec(plain);
  if (yearFirst !== null) return toDay(yearFirst[1], yearFirst[3], yearFirst[4]);
  const yearLast = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})$/.exec(plain);
  if (yearLast !== null) return parseYearLast(yearLast);
  return parseNamedMonth(plain);
}

/** With dots, the day comes first; with other signs, where only one order is possible. */
function parseYearLast([, first = '', sign, second = '', year]: RegExpExecArray): DayText {
  const [a, b] = [Number(first), Number(second)];
  if (sign === '.' || a > 12) return toDay(year, second, first);
  return b > 12 || a === b ? toDay(year, first, second) : { kind: 'ambiguous' };
}

function parseNamedMonth(text: string): DayText {
  const words = foldText(text)
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && !fillers().has(word))
    .map((word) => word.replace(/^(\d{1,2})(?:st|nd|rd|th|er|o|a)$/, '$1'));
  const names = words.flatMap((word) => monthsByName().get(word) ?? []);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const [month, ...others] = names;
  if (month === undefined || others.length > 0) return unreadable;
  if (names.length + numbers.length !== words.length) return unreadable;
  const year = numbers.find((number) => number.length === 4);
  const days = numbers.filter((number) => number.length <= 2);
  if (year === undefined || days.length > 1 || days.length + 1 !== numbers.length)
    return unreadable;
  return toDay(year, String(month), days[0]);
}

function toDay(year = '', monthText = '', dayText?: string): DayText {
  const [month, day] = [Number(monthText), Number(dayText ?? 99)];
  if (month < 1 || month > 12 || day < 1) return unreadable;
  const lastDay = daysInMonth(Number(year), month);
  const write = (dayOfMonth: number) =>
    `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
  return day <= lastDay
    ? { kind: 'date', date: write(day) }
    : { kind: 'partial', lastDay: write(lastDay) };
}

const languages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'da', 'nb', 'sv', 'pl'];

let months: ReadonlyMap<string, number> | null = null;

/** By the names of months, long and short, folded; without those that mean another month in another language. */
function monthsByName(): ReadonlyMap<string, number> {
  if (months !== null) return months;
  const found = new Map<string, Set<number>>();
  for (let month = 1; month <= 12; month++) {
    for (const name of listNames(new Date(Date.UTC(2026, month - 1, 1)), 'month')) {
      found.set(name, (found.get(name) ?? new Set()).add(month));
    }
  }
  months = new Map(
    [...found].flatMap(([name, [month = 0, ...others]]) =>
      others.length > 0 ? [] : [[name, month] as const],
    ),
  );
  return months;
}

let skipped: ReadonlySet<string> | null = null;

/** Names of weekdays, and words between the parts of a date. */
function fillers(): ReadonlySet<string> {
  if (skipped !== null) return skipped;
  const weekdays = Array.from({ length: 7 }, (_, day) =>
    listNames(new Date(Date.UTC(2026, 10, 1 + day)), 'weekday'),
  );
  skipped = new Set([...weekdays.flat(), 'tues', 'thurs', 'the', 'of', 'de', 'den', 'le']);
  return skipped;
}

function listNames(date: Date, part: 'month' | 'weekday'): string[] {
  return languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const options = { [part]: length, timeZone: 'UTC' };
      // Some languages have another form beside a day.
      return [options, { ...options, day: 'numeric' as const }].flatMap((parts) =>
        new Intl.DateTimeFormat(language, parts)
          .formatToParts(date)
          .filter(({ type }) => type === part)
          .map(({ value }) => foldText(value).replace(/\.$/, '')),
      );
    }),
  );
}
