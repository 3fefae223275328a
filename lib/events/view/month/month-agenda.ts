import { compareText } from '../../model/compare-text.ts';
import { firstDayOf, toMonth } from '../../model/months.ts';
import { toInPersonDays } from '../words/in-person-days.ts';
import type { DatedEvent } from './month-view.ts';

/** Events of one day, or of those that are on already. */
export type AgendaPart<Event> = Readonly<{
  date: string;
  events: readonly Event[];
  /** How many are left out. */
  hidden: number;
}>;

/** A month as a list, for narrow screens. */
export type MonthAgenda<Event> = Readonly<{
  /** On since before the first day of `days`, soonest end first; those without an end are left out. */
  running: AgendaPart<Event>;
  /** Days on which events begin, or begin at their place: from today on in the current month, else all of them. */
  days: readonly AgendaPart<Event>[];
  /** Days of the current month before today on which events began that are over. */
  earlier: readonly AgendaPart<Event>[];
}>;

/** Most events of a part. */
export const agendaPartMax = 8;

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

/** The days of a month on which an event begins, and on which it begins at its place. */
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
  const sorted = events.toSorted(endsSoonest);
  const isLong = sorted.length > agendaPartMax + 1;
  const shown = isLong ? sorted.slice(0, agendaPartMax) : sorted;
  return { date, events: shown, hidden: sorted.length - shown.length };
}

const noEnd = '~';

function endsSoonest(a: DatedEvent, b: DatedEvent): number {
  return compareText(a.endDate ?? noEnd, b.endDate ?? noEnd) || compareText(a.id, b.id);
}
