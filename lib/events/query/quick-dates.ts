import { addDays, addMonths, firstDayOf, lastDayOf, toMonth, weekdayOf } from '../model/dates.ts';

/** Named date ranges. They are relative to today, so bookmarks and subscriptions keep up. */
export const quickDates = [
  'today',
  'tonight',
  'weekend',
  'next-7-days',
  'month',
  'next-month',
] as const;
export type QuickDates = (typeof quickDates)[number];

export type DateRange = Readonly<{ from: string; to: string }>;

/**
 * The first and last day of a named range, without past days: on a Sunday, the weekend is that day.
 * @param today `YYYY-MM-DD`.
 */
export function toDateRange(name: QuickDates, today: string): DateRange {
  switch (name) {
    case 'today':
    case 'tonight':
      return { from: today, to: today };
    case 'weekend':
      return toWeekend(today);
    case 'next-7-days':
      return { from: today, to: addDays(today, 6) };
    case 'month':
      return { from: today, to: lastDayOf(toMonth(today)) };
    case 'next-month': {
      const next = addMonths(toMonth(today), 1);
      return { from: firstDayOf(next), to: lastDayOf(next) };
    }
  }
}

type PeriodFilters = Readonly<{
  when?: QuickDates;
  from?: string;
  to?: string;
  q?: string;
  status?: readonly unknown[];
}>;

/**
 * The first of the days that filters name, which on a Sunday is the weekend’s Saturday. Without them it is today: what
 * begins from then on comes first in a list. Null for a list that is searched by words or a status.
 */
export function toPeriodStart(
  { when, from, to, q, status }: PeriodFilters,
  today: string,
): string | null {
  const range = when && toDateRange(when, today);
  const first = when === 'weekend' && range ? addDays(range.to, -1) : range?.from;
  const days = [first, from].filter((day) => day !== undefined).sort();
  const isOfToday = q === undefined && status === undefined && (to === undefined || to >= today);
  return days.at(-1) ?? (isOfToday ? today : null);
}

/** When an evening begins, for what starts and for what is still on. */
const evening = { start: '17:00', end: '18:00' };

type TimedEvent = Readonly<{
  endDate: string | null;
  startTime: string | null;
  endTime: string | null;
  startsAt: string | null;
  endsAt: string | null;
}>;

/**
 * Whether an event of today is on in the evening, in its own time zone: events without times are not.
 * @param event one that is on today.
 */
export function isTonight(
  { endDate, startTime, endTime, startsAt, endsAt }: TimedEvent,
  today: string,
): boolean {
  // Without an end, the times are those of every day.
  if (endDate === null) {
    return (startTime ?? '') >= evening.start || (endTime ?? '') > evening.end;
  }
  // Moments are written with the clock time of the event's zone.
  return (
    (startsAt !== null && startsAt >= `${today}T${evening.start}`) ||
    (endsAt !== null && endsAt > `${today}T${evening.end}:00~`)
  );
}

function toWeekend(today: string): DateRange {
  const weekday = weekdayOf(today);
  if (weekday === 0) return { from: today, to: today };
  const saturday = addDays(today, 6 - weekday);
  return { from: saturday, to: addDays(saturday, 1) };
}
