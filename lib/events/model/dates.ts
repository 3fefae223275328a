/** First and last day, inclusive; `endDate` is null for something open-ended. */
export type EventDates = Readonly<{ startDate: string; endDate: string | null }>;

/** Local clock times of the first and the last day as `HH:MM`; null: unknown. */
export type EventClocks = EventDates &
  Readonly<{ startTime: string | null; endTime: string | null }>;

/** Whether `text` is an existing day as `YYYY-MM-DD` (RFC 3339 `full-date`). */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Days in a month of the Gregorian calendar; `month` counts from 1. */
export function daysInMonth(year: number, month: number): number {
  // Date.UTC maps years before 100 to the 20th century; the calendar repeats every 400 years.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

const lastDayMs = Date.UTC(9999, 11, 31);

/** The calendar day `days` after `date`, or before it if negative. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return new Date(Math.min(time + days * 86_400_000, lastDayMs)).toISOString().slice(0, 10);
}

/** The day on which an event’s last hour is: what is on from 21:00 to 01:00 of one day ends on the next. Null: open-ended. */
export function toEndDay({ startDate, endDate, startTime, endTime }: EventClocks): string | null {
  if (endDate === null || startTime === null || endTime === null) return endDate;
  return startDate === endDate && endTime < startTime ? addDays(endDate, 1) : endDate;
}

/** The day of the week, 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Whether something is on at least one of the days from `from` to `to`. */
export function isOn(
  { startDate, endDate }: EventDates,
  { from, to }: Readonly<{ from: string; to: string }>,
): boolean {
  return startDate <= to && (endDate === null || endDate >= from);
}

/** How many days `to` is after `from`; negative if it is before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Compares texts by code units, for `sort`: the same order everywhere, and that of ISO dates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Calendar months as `YYYY-MM`. They compare as text, as ISO dates do. */

const yearsBack = 10;
const yearsAhead = 5;

/** Whether `text` is a month as `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
}

/** The month of a day. */
export function toMonth(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** The month `count` months after `month`, or before it if negative. */
export function addMonths(month: string, count: number): string {
  const { year, number } = parseMonth(month);
  const months = year * 12 + number - 1 + count;
  const [years, rest] = [Math.floor(months / 12), months % 12];
  return `${String(years).padStart(4, '0')}-${String(rest + 1).padStart(2, '0')}`;
}

export function firstDayOf(month: string): string {
  return `${month}-01`;
}

export function lastDayOf(month: string): string {
  const { year, number } = parseMonth(month);
  return `${month}-${daysInMonth(year, number)}`;
}

/** The Monday of the week of a day. */
export function toMonday(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}

/** The last day of the week of a day, which begins on Monday. */
export function toSunday(date: string): string {
  return addDays(toMonday(date), 6);
}

/** Whether the month view has a month: ten years back and five years ahead, so that its pages are bounded. */
export function isMonthInReach(month: string, today: string): boolean {
  const current = toMonth(today);
  return (
    month >= addMonths(current, -12 * yearsBack) && month <= addMonths(current, 12 * yearsAhead)
  );
}

function parseMonth(month: string): Readonly<{ year: number; number: number }> {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { year, number };
}

/** In the order of `weekdayOf`. */
export const weekdayNames: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `December 2026`, from `2026-12`. */
export function toMonthInWords(month: string): string {
  const { year, number } = parseMonth(month);
  return `${monthNames[number - 1]} ${year}`;
}

/** `Saturday 5 December`, from `2026-12-05`. */
export function toWeekdayInWords(date: string): string {
  const [, month = 1, day] = date.split('-').map(Number);
  return `${weekdayNames[weekdayOf(date)]} ${day} ${monthNames[month - 1]}`;
}
