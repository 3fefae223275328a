import { addDays, type EventDates } from '../../model/dates.ts';
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
import { parseTimeCell, type TimeCell } from './clock-time.ts';
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

/**
 * The clock times of an event on its days, and the moments that they stand for: none if its zone cannot be read.
 */
export function toTimes(dates: EventDates, cells: Cells, source: ZoneSource): EventTimes {
  const start = toTimeCell('Start Time', source, cells);
  const end = toTimeCell('End Time', source, cells);
  const named = toNamedZone([start, end], source, cells);
  const zone = named === undefined ? (toPlaceZone(source.place) ?? source.siteTimeZone) : named;
  // A moment needs no zone; its clock time is one of the site.
  const toClock = (cell: TimeCell | null) => toTime(cell, zone ?? source.siteTimeZone);
  const startTime = toClock(start);
  const rangeEnd = start?.kind === 'clock' ? start.endTime : null;
  const endTime = toEndTime({ ...dates, startTime }, toClock(end) ?? rangeEnd, cells);
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

type Clocks = EventDates & Readonly<{ startTime: string | null; endTime: string | null }>;

function toMoments({ startDate, endDate, startTime, endTime }: Clocks, timeZone: string) {
  const start = startTime && toZonedTime({ date: startDate, time: startTime, timeZone });
  const end =
    endTime &&
    endDate &&
    toZonedTime({
      date: isOvernight({ startDate, endDate, startTime, endTime }) ? addDays(endDate, 1) : endDate,
      time: endTime,
      timeZone,
    });
  // A clock change may have swallowed what was between start and end.
  const isLater = !start || !end || end.timeMs > start.timeMs;
  return { startsAt: formatMoment(start), endsAt: isLater ? formatMoment(end) : null };
}

function isOvernight({ startDate, endDate, startTime, endTime }: Clocks): boolean {
  return startDate === endDate && startTime !== null && endTime !== null && endTime < startTime;
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

function toTime(cell: TimeCell | null, timeZone: string): string | null {
  return cell?.kind === 'moment' ? toClockTime(cell.timeMs, timeZone) : (cell?.time ?? null);
}

function toEndTime(
  { startDate, endDate, startTime }: Omit<Clocks, 'endTime'>,
  endTime: string | null,
  cells: Cells,
): string | null {
  if (endTime === null) return null;
  if (endDate === null) cells.repaired('End Time', 'no_end_date', endTime);
  const isEmpty = startTime === endTime && startDate === endDate;
  return isEmpty ? cells.repaired('End Time', 'end_is_start', endTime) : endTime;
}

function toSchedule(dates: EventDates, cells: Cells) {
  const text = cells.text('Schedule');
  if (text === null) return null;
  const { entries, ignored, isShortened } = parseSchedule(text, dates);
  for (const line of ignored) cells.repaired('Schedule', 'not_a_schedule_line', line);
  if (isShortened) cells.repaired('Schedule', 'schedule_shortened', text);
  return entries.length > 0 ? entries : null;
}
