import {
  addDays,
  compareText,
  daysBetween,
  firstDayOf,
  isOn,
  lastDayOf,
  toMonday,
  toMonth,
} from '../../model/dates.ts';
import { toInPersonDays } from '../../model/in-person-days.ts';
import type { MarqueeEvent } from '../../model/schema.ts';
import { endsSoonest } from '../directory/sections.ts';

/** The fields that determine an event's days. */
export type DatedEvent = Pick<MarqueeEvent, 'id' | 'state' | 'startDate' | 'endDate' | 'inPerson'>;

/** The days of an event within one week. */
export type MonthBar<Event> = Readonly<{
  event: Event;
  /** Its line within the week, from 0. Bars in a slot never overlap. */
  slot: number;
  /** Number of days, from the day that it is listed under. */
  days: number;
  /** Its in-person days, unless all days are: their number, and the number of days before them. */
  inPerson: Readonly<{ offset: number; days: number }> | null;
  /** Whether the event begins and ends in this week. */
  isStart: boolean;
  isEnd: boolean;
}>;

export type MonthDay<Event> = Readonly<{
  date: string;
  /** Weeks at both ends of a month have days of other months. */
  isInMonth: boolean;
  isToday: boolean;
  /** Bars that begin on this day or, for events that began earlier, in this week. */
  bars: readonly MonthBar<Event>[];
  /** Events without a bar, which would begin here. */
  hidden: readonly Event[];
  /** How many events are on: what `from` and `to` of this day select. */
  total: number;
}>;

type MonthWeek<Event> = Readonly<{ slots: number; days: readonly MonthDay<Event>[] }>;

export type MonthView<Event> = Readonly<{
  month: string;
  /** Monday to Sunday. */
  weeks: readonly MonthWeek<Event>[];
  /** Open-ended events that began by the end of the month. The grid shows only their first day. */
  openEnded: readonly Event[];
  /** How many events are on in the month. */
  total: number;
}>;

/** Most slots in a week. */
export const slotsMax = 8;
/** Most short events on a day, in a week where not all events fit. */
const shortMax = 4;
const shortDaysMax = 3;
/** What lasts longer than a week and began before it is running: one such event has a bar, for all of them. */
const runningDaysMin = 8;

const weekDays = 7;

type MonthOptions = Readonly<{ month: string; today: string }>;

/** A week’s part of an event: first and last column, 0–6. */
type Part<Event> = Readonly<{
  event: Event;
  first: number;
  last: number;
  isStart: boolean;
  isEnd: boolean;
}>;

/** Lays events out as bars in the weeks of a month. */
export function toMonthView<Event extends DatedEvent>(
  events: readonly Event[],
  { month, today }: MonthOptions,
): MonthView<Event> {
  const [firstDay, lastDay] = [firstDayOf(month), lastDayOf(month)];
  const weeks: MonthWeek<Event>[] = [];
  const near = events.filter((event) =>
    isOn(event, { from: toMonday(firstDay), to: addDays(lastDay, weekDays) }),
  );
  for (let monday = toMonday(firstDay); monday <= lastDay; monday = addDays(monday, weekDays)) {
    weeks.push(toWeek(near, { monday, month, today }));
  }
  const inMonth = near.filter((event) => isOn(event, { from: firstDay, to: lastDay }));
  return {
    month,
    weeks,
    openEnded: inMonth.filter(({ endDate }) => endDate === null).sort(byDates),
    total: inMonth.length,
  };
}

function toWeek<Event extends DatedEvent>(
  events: readonly Event[],
  { monday, month, today }: MonthOptions & Readonly<{ monday: string }>,
): MonthWeek<Event> {
  const dates = Array.from({ length: weekDays }, (_, column) => addDays(monday, column));
  const sunday = addDays(monday, weekDays - 1);
  const parts = events.flatMap((event) => toPart(event, { monday, sunday, dates }));
  const [lane] = parts.filter(isRunning).sort(byEnd);
  const shown = chooseParts(parts.filter((part) => part === lane || !isRunning(part)));
  const bars = assignSlots(shown);
  return {
    slots: Math.max(0, ...bars.map(({ slot }) => slot + 1)),
    days: dates.map((date, column) => ({
      date,
      isInMonth: toMonth(date) === month,
      isToday: date === today,
      bars: bars
        .filter(({ first }) => first === column)
        .map(({ first: _, ...bar }) => ({ ...bar, inPerson: toInPersonPart(bar, dates, column) })),
      hidden: parts
        .filter((part) => part.first === column && !shown.includes(part))
        .map(({ event }) => event),
      total: events.filter((event) => isOn(event, { from: date, to: date })).length,
    })),
  };
}

type Week = Readonly<{ monday: string; sunday: string; dates: readonly string[] }>;

function toPart<Event extends DatedEvent>(
  event: Event,
  { monday, sunday, dates }: Week,
): Part<Event>[] {
  const { startDate, endDate } = event;
  // An open-ended event shows on its first day only: a bar in every week forever would say nothing.
  const end = endDate ?? startDate;
  if (startDate > sunday || end < monday) return [];
  const isStart = startDate >= monday;
  const isEnd = end <= sunday;
  const first = isStart ? dates.indexOf(startDate) : 0;
  const last = isEnd ? dates.indexOf(end) : weekDays - 1;
  return [{ event, first, last, isStart, isEnd: isEnd && endDate !== null }];
}

/**
 * All parts if they fit. Otherwise up to four short events a day, then longer ones while there is room: an event of
 * several months must not hide an evening, nor fifty evenings fill the screen.
 */
function chooseParts<Event extends DatedEvent>(parts: readonly Part<Event>[]): Part<Event>[] {
  const columns = Array.from({ length: weekDays }, (_, column) => column);
  if (columns.every((column) => countAt(parts, column) <= slotsMax)) return [...parts];
  const taken = columns.map(() => 0);
  return parts.toSorted(byLength).filter(({ event, first, last }) => {
    const max = toDays(event) <= shortDaysMax ? shortMax : slotsMax;
    const covered = columns.slice(first, last + 1);
    if (covered.some((column) => (taken[column] ?? 0) >= max)) return false;
    for (const column of covered) taken[column] = (taken[column] ?? 0) + 1;
    return true;
  });
}

/** Gives each part the first free slot, in order of start: never more slots than events on one day. */
function assignSlots<Event extends DatedEvent>(parts: readonly Part<Event>[]) {
  const lastColumns: number[] = [];
  return parts
    .toSorted((a, b) => a.first - b.first || byDates(a.event, b.event))
    .map(({ event, first, last, isStart, isEnd }) => {
      const free = lastColumns.findIndex((column) => column < first);
      const slot = free === -1 ? lastColumns.length : free;
      lastColumns[slot] = last;
      return { event, slot, first, days: last - first + 1, isStart, isEnd };
    });
}

/** The in-person days of a bar. @param first the bar's first column. */
function toInPersonPart(
  { event, days }: Readonly<{ event: DatedEvent; days: number }>,
  dates: readonly string[],
  first: number,
) {
  const there = toInPersonDays(event);
  if (there === null) return null;
  const { startDate, endDate } = there;
  const columns = dates
    .slice(first, first + days)
    .flatMap((date, offset) =>
      date >= startDate && (endDate === null || date <= endDate) ? [offset] : [],
    );
  const [offset] = columns;
  return offset === undefined ? null : { offset, days: columns.length };
}

function countAt(parts: readonly Part<unknown>[], column: number): number {
  return parts.filter(({ first, last }) => first <= column && column <= last).length;
}

function isRunning({ event, isStart }: Part<DatedEvent>): boolean {
  return !isStart && toDays(event) >= runningDaysMin;
}

function byEnd(a: Part<DatedEvent>, b: Part<DatedEvent>): number {
  return endsSoonest(a.event, b.event) || byDates(a.event, b.event);
}

// Longer events first, so that they keep the same slot from week to week.
function byDates(a: DatedEvent, b: DatedEvent): number {
  return (
    compareText(a.startDate, b.startDate) ||
    compareText(b.endDate ?? '', a.endDate ?? '') ||
    compareText(a.id, b.id)
  );
}

function byLength(a: Part<DatedEvent>, b: Part<DatedEvent>): number {
  return toDays(a.event) - toDays(b.event) || byDates(a.event, b.event);
}

function toDays({ startDate, endDate }: DatedEvent): number {
  return endDate === null ? 1 : daysBetween(startDate, endDate) + 1;
}
