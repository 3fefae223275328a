import { compareText, firstDayOf, toMonth } from '../../model/dates.ts';
import { toInPersonDays } from '../../model/in-person-days.ts';
import { endsSoonest } from '../directory/sections.ts';
import type { DatedEvent } from './month-view.ts';

/** Events that begin on one day, or that are running already. */
export type AgendaPart<Event> = Readonly<{
  date: string;
  events: readonly Event[];
  /** Those that are left out. */
  hidden: readonly Event[];
}>;

/** A month as a list, for narrow screens. */
export type MonthAgenda<Event> = Readonly<{
  /** Began before the first of `days`; soonest end first, without open-ended ones. */
  running: AgendaPart<Event>;
  /** Days on which events or their in-person parts begin: from today in the current month, else all days. */
  days: readonly AgendaPart<Event>[];
  /** Days before today in the current month, on which events began that are over. */
  earlier: readonly AgendaPart<Event>[];
}>;

/** Most events in a part. */
const agendaPartMax = 8;

type AgendaOptions = Readonly<{ month: string; today: string }>;

export function toMonthAgenda<Event extends DatedEvent>(
  events: readonly Event[],
  { month, today }: AgendaOptions,
): MonthAgenda<Event> {
  const from = month === toMonth(today) ? today : firstDayOf(month);
  const starting = events.flatMap((event) => toStarts(event, month));
  const running = events.filter(
    ({ startDate, endDate }) => startDate < from && endDate !== null && endDate >= from,
  );
  return {
    running: toPart(from, running),
    days: toDays(starting.filter(({ date }) => date >= from)),
    earlier: toDays(
      starting.filter(
        ({ date, event }) => date < from && event.endDate !== null && event.endDate < from,
      ),
    ),
  };
}

type Start<Event> = Readonly<{ date: string; event: Event }>;

/** The days of a month on which an event begins, and its in-person part. */
function toStarts<Event extends DatedEvent>(event: Event, month: string): Start<Event>[] {
  const there = toInPersonDays(event)?.startDate;
  return [...new Set([event.startDate, there ?? event.startDate])]
    .filter((date) => toMonth(date) === month)
    .map((date) => ({ date, event }));
}

function toDays<Event extends DatedEvent>(starts: readonly Start<Event>[]): AgendaPart<Event>[] {
  const byDate = Map.groupBy(starts, ({ date }) => date);
  return [...byDate]
    .sort(([a], [b]) => compareText(a, b))
    .map(([date, starting]) =>
      toPart(
        date,
        starting.map(({ event }) => event),
      ),
    );
}

function toPart<Event extends DatedEvent>(
  date: string,
  events: readonly Event[],
): AgendaPart<Event> {
  const sorted = events.toSorted(byEnd);
  const isLong = sorted.length > agendaPartMax + 1;
  const shown = isLong ? sorted.slice(0, agendaPartMax) : sorted;
  return { date, events: shown, hidden: sorted.slice(shown.length) };
}

function byEnd(a: DatedEvent, b: DatedEvent): number {
  return endsSoonest(a, b) || compareText(a.id, b.id);
}
