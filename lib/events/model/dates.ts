/** First and last day, inclusive; `endDate` is null for something open-ended. */
export type EventDates = Readonly<{ startDate: string; endDate: string | null }>;

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

/** The day of the week, 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** How many days `to` is after `from`; negative if it is before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
