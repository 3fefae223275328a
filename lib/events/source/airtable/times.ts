import { type EventClocks, type EventDates, toEndDay } from '../../model/dates.ts';
import type { EventDraft } from '../../model/schema.ts';
import type { EventPlace } from '../../model/time-and-place.ts';
import {
  formatZonedTime,
  haveSameClocks,
  toClockTime,
  toZonedTime,
  type ZonedTime,
} from '../../model/zoned-time.ts';
import type { Cells } from './cells/cells.ts';
import type { ZonedDay } from './cells/date-cell.ts';
import { type NightTime, parseTimeCell, type TimeCell } from './clock-time.ts';
import { parseSchedule } from './schedule.ts';
import { parseZoneCell, toPlaceZone } from './time-zone-cell.ts';

type EventTimes = Pick<
  EventDraft,
  'startTime' | 'endTime' | 'timeZone' | 'startsAt' | 'endsAt' | 'schedule'
>;

/** What gives an event its zone, besides its cells. */
type ZoneSource = Readonly<{
  place: EventPlace | null;
  /** Of events whose place is not known, or has several zones. */
  siteTimeZone: string;
}>;

type EventZone = Readonly<{
  /** The cells that were read to find it. */
  start: TimeCell | null;
  end: TimeCell | null;
  /** What the cells name; null if it cannot be read, undefined without any. */
  named: string | null | undefined;
  /** Null: its times are no moments. */
  zone: string | null;
  /** A moment needs no zone: without one, its day and clock time are those of the site. */
  ofMoments: string;
}>;

/** The zone of an event: what its cells name, else that of its place, else a moment’s offset, else the site’s. */
export function findZone(cells: Cells, source: ZoneSource): EventZone {
  const start = toTimeCell('Start Time', source, cells);
  const end = toTimeCell('End Time', source, cells);
  const named = toNamedZone([start, end], source, cells);
  const ofPlace = () => toPlaceZone(source.place) ?? toOffsetZone([start, end]);
  const zone = named === undefined ? (ofPlace() ?? source.siteTimeZone) : named;
  return { start, end, named, zone, ofMoments: zone ?? source.siteTimeZone };
}

/** The offset of a moment, as it was written. */
function toOffsetZone(times: ReadonlyArray<TimeCell | null>): string | null {
  const [offset] = times.flatMap((cell) => (cell?.kind === 'moment' ? (cell.offset ?? []) : []));
  return offset === undefined ? null : parseZoneCell(offset, null);
}

type EventDays = Readonly<{ start: ZonedDay; end: ZonedDay | null }>;

/**
 * The clock times of an event on its days, and the moments that they stand for: none if its zone cannot be read.
 */
export function toTimes(days: EventDays, cells: Cells, eventZone: EventZone): EventTimes {
  const { start, end, named, zone, ofMoments } = eventZone;
  const dates = { startDate: days.start.date, endDate: days.end?.date ?? null };
  const ofDates = toClocksOfDates(days);
  const startTime = toTime(start, ofMoments) ?? ofDates.start;
  const rangeEnd = start?.kind === 'clock' ? start.end : null;
  const namedEnd = toTime(end, ofMoments) ?? rangeEnd?.time ?? ofDates.end;
  const isInNight = (end?.kind === 'clock' ? end : rangeEnd)?.isNextDay === true;
  // From `25:00`, the days are those of the night.
  const isNextDay = isInNight && !isOnNextDay(start);
  const endTime = toEndTime(
    { ...dates, startTime },
    namedEnd && { time: namedEnd, isNextDay },
    cells,
  );
  const schedule = toSchedule(dates, cells);
  const hasTime = startTime !== null || endTime !== null || schedule !== null;
  return {
    startTime,
    endTime,
    timeZone: hasTime ? zone : (named ?? null),
    ...(zone === null ? noMoments : toMoments({ ...dates, startTime, endTime }, zone)),
    schedule,
  };
}

const noMoments = { startsAt: null, endsAt: null };

/** The clock times of dates with times. Midnights are those of whole days, unless only one of them is. */
function toClocksOfDates({ start, end }: EventDays) {
  const isWholeDays = [start.time, end?.time ?? null].every(
    (time) => (time ?? '00:00') === '00:00',
  );
  return isWholeDays ? { start: null, end: null } : { start: start.time, end: end?.time ?? null };
}

function toMoments(clocks: EventClocks, timeZone: string) {
  const { startDate, startTime, endTime } = clocks;
  const endDay = toEndDay(clocks);
  const start = startTime && toZonedTime({ date: startDate, time: startTime, timeZone });
  const end = endTime && endDay && toZonedTime({ date: endDay, time: endTime, timeZone });
  // A clock change may have swallowed what was between start and end.
  const isLater = !start || !end || end.timeMs > start.timeMs;
  return { startsAt: formatMoment(start), endsAt: isLater ? formatMoment(end) : null };
}

function formatMoment(moment: ZonedTime | '' | null): string | null {
  return moment ? formatZonedTime(moment) : null;
}

/** The zone that the cells name; null if it cannot be read, undefined without any. */
function toNamedZone(
  times: ReadonlyArray<TimeCell | null>,
  { place }: ZoneSource,
  cells: Cells,
): string | null | undefined {
  const text = cells.line('Time Zone');
  const ofEvent = text === null ? undefined : parseZoneCell(text, place);
  if (ofEvent === null) cells.repaired('Time Zone', 'unknown_time_zone', text);
  // What stands behind a time is meant for it, before the zone of the event.
  const [ofTime] = times.flatMap((cell) => (cell?.kind === 'clock' ? (cell.zone ?? []) : []));
  if (ofTime === undefined) return ofEvent;
  const zone = parseZoneCell(ofTime, place);
  if (zone === null) cells.repaired('Start Time', 'unknown_time_zone', ofTime);
  const isSame = ofEvent && (zone === null || haveSameClocks(zone, ofEvent));
  return isSame ? ofEvent : zone;
}

function toTimeCell(
  column: 'Start Time' | 'End Time',
  { place }: ZoneSource,
  cells: Cells,
): TimeCell | null {
  const text = cells.line(column);
  if (text === null) return null;
  const isZone = (name: string) => parseZoneCell(name, place) !== null;
  const cell = parseTimeCell(text, { isEnd: column === 'End Time', isZone });
  if (cell === null) return cells.repaired(column, 'not_a_clock_time', text);
  if (cell.kind === 'clock' && cell.isRewritten) cells.repaired(column, 'time_rewritten', text);
  return cell;
}

/** Whether a time is one of the night after the day of the event: `25:00`. */
export function isOnNextDay(cell: TimeCell | null): boolean {
  return cell?.kind === 'clock' && cell.isNextDay;
}

function toTime(cell: TimeCell | null, timeZone: string): string | null {
  return cell?.kind === 'moment' ? toClockTime(cell.timeMs, timeZone) : (cell?.time ?? null);
}

function toEndTime(
  { startDate, endDate, startTime }: Omit<EventClocks, 'endTime'>,
  end: NightTime | '' | null,
  cells: Cells,
): string | null {
  if (!end) return null;
  const { time, isNextDay } = end;
  if (endDate === null) cells.repaired('End Time', 'no_end_date', time);
  // Of several days, midnight would be before the last one.
  const isLastMinute =
    isNextDay && (startTime === null || time >= startTime || (endDate ?? startDate) !== startDate);
  if (isLastMinute) {
    cells.repaired('End Time', 'time_rewritten', time);
    return '23:59';
  }
  const isEmpty = startTime === time && startDate === endDate;
  return isEmpty ? cells.repaired('End Time', 'end_is_start', time) : time;
}

function toSchedule(dates: EventDates, cells: Cells) {
  const text = cells.text('Schedule');
  if (text === null) return null;
  const { entries, ignored, isShortened } = parseSchedule(text, dates);
  for (const line of ignored) cells.repaired('Schedule', 'not_a_schedule_line', line);
  if (isShortened) cells.repaired('Schedule', 'schedule_shortened', text);
  return entries.length > 0 ? entries : null;
}
