import { toUtcDay } from '#lib/storage/days.ts';
import type { AccountLimit } from './accounts.ts';

const dayMs = 86_400_000;

/** The first (UTC) of several days of which the last is that of a time. */
export function toFirstDay(days: number, timeMs: number): string {
  return toUtcDay(timeMs - (days - 1) * dayMs);
}

/** How many days of usage the pages show. */
export const shownDays = 30;

/** The period of a day (`YYYY-MM-DD`, UTC): the day itself, or its month `YYYY-MM`. */
export function toPeriod(day: string, period: AccountLimit['period']): string {
  return period === 'day' ? day : day.slice(0, 7);
}

/** When the day or month (UTC) of a time ends, Unix ms. */
export function toPeriodEnd(timeMs: number, period: AccountLimit['period']): number {
  if (period === 'day') return timeMs - (timeMs % dayMs) + dayMs;
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
