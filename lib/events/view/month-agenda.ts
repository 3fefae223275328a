import { compareText } from '../model/compare-text.ts';
import { firstDayOf, toMonth } from '../model/months.ts';
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
  /** Days on which events begin: from today on in the current month, else all of them. */
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
  const starting = events.filter(({ startDate }) => toMonth(startDate) === month);
  const running = events.filter(
    ({ startDate, endDate }) => startDate < from && endDate !== null && endDate >= from,
  );
  return {
    running: toPart(from, running),
    days: toDays(starting.filter(({ startDate }) => startDate >= from)),
    earlier: toDays(starting.filter(({ endDate }) => endDate !== null && endDate < from)),
  };
}

function toDays<Event extends DatedEvent>(events: readonly Event[]): AgendaPart<Event>[] {
  const byDate = Map.groupBy(events, ({ startDate }) => startDate);
  return [...byDate]
    .sort(([a], [b]) => compareText(a, b))
    .map(([date, starting]) => toPart(date, starting));
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
