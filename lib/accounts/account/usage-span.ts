import { addDays, daysBetween, isCalendarDate } from '#lib/events/model/dates.ts';
import { listDays } from '#lib/spend/periods.ts';
import { toUtcDay, toUtcHour } from '#lib/storage/days.ts';

/** Which time the usage page shows, in UTC: whole days, or the last 24 hours. */
export type UsageSpan = Readonly<{
  /** `2026-11-26` or, of hours, `2026-11-26T14:00Z`: every one, the oldest first. */
  periods: readonly string[];
  unit: 'day' | 'hour';
  /** Of the ranges that are offered; null: two dates. */
  range: UsageRangeName | null;
}>;

export const spanRanges = ['1', '7', '30', '90'] as const;

type UsageRangeName = (typeof spanRanges)[number];

const defaultDays = 30;
const daysMax = 366;
const hoursShown = 24;
const hourMs = 3_600_000;

/**
 * Reads `days=7`, or `from=…&to=…`, in either order and with either left out. What cannot be read counts as left out.
 */
export function readUsageSpan(
  parameters: Readonly<Record<string, string | undefined>>,
  now: number,
): UsageSpan {
  const today = toUtcDay(now);
  const [from, to] = [readDay(parameters.from, today), readDay(parameters.to, today)];
  if (from !== null || to !== null) return toDates(from, to, today);
  const range = spanRanges.find((days) => days === parameters.days) ?? '30';
  if (range === '1') return { periods: listHours(now), unit: 'hour', range };
  const first = addDays(today, 1 - Number(range));
  return { periods: listDays(first, today), unit: 'day', range };
}

/** Nothing is known of the future. */
function readDay(text: string | undefined, today: string): string | null {
  if (text === undefined || !isCalendarDate(text)) return null;
  return text > today ? today : text;
}

function toDates(from: string | null, to: string | null, today: string): UsageSpan {
  const end = to ?? today;
  const [first = end, last = end] = [from ?? addDays(end, 1 - defaultDays), end].sort();
  const isTooLong = daysBetween(first, last) >= daysMax;
  const start = isTooLong ? addDays(last, 1 - daysMax) : first;
  return { periods: listDays(start, last), unit: 'day', range: null };
}

/** The current one, and those before it. */
function listHours(now: number): string[] {
  const current = now - (now % hourMs);
  return Array.from({ length: hoursShown }, (_, index) =>
    toUtcHour(current - (hoursShown - 1 - index) * hourMs),
  );
}
