import { addDays, daysInMonth } from './dates.ts';

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
  return addDays(date, -toWeekday(date));
}

/** 0 is Monday, 6 is Sunday. */
export function toWeekday(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
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

const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** Monday first. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** `December 2026`, from `2026-12`. */
export function toMonthInWords(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`));
}

/** `Saturday 5 December`, from `2026-12-05`. */
export function toWeekdayInWords(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}
