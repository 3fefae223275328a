import type { PeriodName } from '#lib/config/budget.ts';
import { addDays, toMonday } from '#lib/events/model/dates.ts';
import { dayMs, toUtcDay } from '#lib/storage/days.ts';

/** Over which usage is summed up and bounded. Days are `YYYY-MM-DD`, in UTC. Texts say “a week” and “of the week”. */
type Period = Readonly<{
  /** Of the period that a day is in. */
  toFirstDay: (day: string) => string;
  toLastDay: (day: string) => string;
  /** The period that is now, as people say it; and what is of it. */
  when: string;
  ofWhen: string;
  /** `limit_reset` of OpenRouter’s keys. */
  openRouterName: string;
}>;

export const periods: Readonly<Record<PeriodName, Period>> = {
  day: {
    toFirstDay: (day) => day,
    toLastDay: (day) => day,
    when: 'today',
    ofWhen: 'today’s',
    openRouterName: 'daily',
  },
  week: {
    toFirstDay: toMonday,
    toLastDay: (day) => addDays(toMonday(day), 6),
    when: 'this week',
    ofWhen: 'this week’s',
    openRouterName: 'weekly',
  },
  month: {
    toFirstDay: toFirstOfMonth,
    toLastDay: (day) => addDays(toFirstOfMonth(addDays(toFirstOfMonth(day), 31)), -1),
    when: 'this month',
    ofWhen: 'this month’s',
    openRouterName: 'monthly',
  },
};

/** When the period of a time ends, Unix ms. */
export function toPeriodEnd(timeMs: number, name: PeriodName): number {
  return Date.parse(periods[name].toLastDay(toUtcDay(timeMs))) + dayMs;
}

/** When all periods of a time have ended, Unix ms. */
export function toLastPeriodEnd(timeMs: number): number {
  return Date.parse(toPeriodDays(toUtcDay(timeMs)).lastDay) + dayMs;
}

/** Both days are part of it. */
export type DayRange = Readonly<{ firstDay: string; lastDay: string }>;

/** The days of all periods that a day is in. */
export function toPeriodDays(day: string): DayRange {
  const all = Object.values(periods);
  const firstDays = all.map(({ toFirstDay }) => toFirstDay(day));
  const lastDays = all.map(({ toLastDay }) => toLastDay(day));
  return { firstDay: firstDays.sort()[0] ?? day, lastDay: lastDays.sort().at(-1) ?? day };
}

/** Every day from one to another. */
export function listDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function toFirstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}
