import {
  daysBetween,
  type EventClocks,
  type EventDates,
  monthNames,
  toEndDay,
  weekdayNames,
  weekdayOf,
} from '../model/dates.ts';

/** A date this close to today needs no year. */
const yearlessDaysMax = 180;

type Day = Readonly<{ day: number; month: string; year: number }>;

/**
 * An event's days in English: `12–14 Dec 2026`, `30 Dec 2026 – 2 Jan 2027`, `from 3 May 2026, open-ended`.
 * Dates are handled as text, so the machine's time zone does not matter. `toWhen` has the words of a day.
 */
export function toDatesInWords({ startDate, endDate }: EventDates): string {
  const start = parseDay(startDate);
  if (endDate === null) return `from ${formatDay(start, undefined)}, open-ended`;
  if (endDate <= startDate) return formatDay(start, undefined);
  return toRange({ start, end: parseDay(endDate), currentYear: undefined });
}

/** One day in English: `12 Dec 2026`. */
export function toDayInWords(date: string): string {
  return formatDay(parseDay(date), undefined);
}

type TimedDays = Readonly<{
  startDate: string;
  endDate: string;
  /** Empty if it is unknown. */
  startTime: string;
  endTime: string;
}>;

/** The first and the last of several days, each with its clock time: `26 Jan, 19:00 – 27 Jan 2027, 07:00`. */
export function toTimedDaysInWords({ startDate, endDate, startTime, endTime }: TimedDays): string {
  const [start, end] = [parseDay(startDate), parseDay(endDate)];
  const first = [formatDay(start, end.year), startTime].filter(Boolean).join(', ');
  const last = [formatDay(end, undefined), endTime].filter(Boolean).join(', ');
  return `${first} – ${last}`;
}

/** The first and the last hour for tables, or the days if no clock time is known: `2026-12-12 18:30`. */
export function toStartAndEnd(event: EventClocks): readonly [start: string, end: string] {
  const { startDate, startTime, endTime } = event;
  const endDay = toEndDay(event);
  return [
    toDayWithTime(startDate, startTime),
    endDay === null ? 'open-ended' : toDayWithTime(endDay, endTime),
  ];
}

function toDayWithTime(day: string, time: string | null): string {
  return time === null ? day : `${day} ${time}`;
}

/** One day with its weekday: `Sat 12 Dec 2026`. */
export function toFullDay(date: string): string {
  return `${toWeekdayName(date)} ${toDayInWords(date)}`;
}

/** The day of the week: `Sat`. */
export function toWeekdayName(date: string): string {
  return weekdayNames[weekdayOf(date)]?.slice(0, 3) ?? '';
}

/** A day with its weekday, and its year unless that is clear: `Sat 5 Dec`, `Sun 2 May 2027`. */
export function toWeekdayWords(date: string, today: string): string {
  return `${toWeekdayName(date)} ${formatDay(parseDay(date), impliedYear(date, today))}`;
}

/** Several days without weekdays, and without the year where it is clear: `5–7 Dec`, `30 Nov – 2 Dec`. */
export function toShortDays(
  { startDate, endDate }: Readonly<{ startDate: string; endDate: string }>,
  today: string,
): string {
  const [start, end] = [parseDay(startDate), parseDay(endDate)];
  const isClear =
    impliedYear(startDate, today) !== undefined && impliedYear(endDate, today) !== undefined;
  if (start.year === end.year) {
    return toRange({ start, end, currentYear: isClear ? end.year : undefined });
  }
  return isClear
    ? `${formatDay(start, start.year)} – ${formatDay(end, end.year)}`
    : toRange({ start, end, currentYear: undefined });
}

// The date's year if it is obvious from today, so that it can be omitted.
function impliedYear(date: string, today: string): number | undefined {
  const { year } = parseDay(date);
  const isSame = year === parseDay(today).year;
  return isSame || Math.abs(daysBetween(today, date)) <= yearlessDaysMax ? year : undefined;
}

type Range = Readonly<{ start: Day; end: Day; currentYear: number | undefined }>;

function toRange({ start, end, currentYear }: Range): string {
  const endWords = formatDay(end, currentYear);
  if (start.year !== end.year) {
    return `${formatDay(start, undefined)} – ${formatDay(end, undefined)}`;
  }
  if (start.month !== end.month) return `${start.day} ${start.month} – ${endWords}`;
  return `${start.day}–${endWords}`;
}

function formatDay({ day, month, year }: Day, currentYear: number | undefined): string {
  return year === currentYear ? `${day} ${month}` : `${day} ${month} ${year}`;
}

function parseDay(date: string): Day {
  const [year, month, day] = date.split('-').map(Number);
  return { year: year ?? 0, month: monthNames[(month ?? 1) - 1]?.slice(0, 3) ?? '', day: day ?? 1 };
}
