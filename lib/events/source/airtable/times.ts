import { addDays, type EventDates } from '../../model/dates.ts';
import type { EventDraft } from '../../model/schema.ts';
import {
  formatZonedTime,
  parseTimeZone,
  toZonedTime,
  type ZonedTime,
} from '../../model/zoned-time.ts';
import type { Cells } from './cells.ts';
import { parseTimeCell } from './clock-time.ts';
import { parseSchedule } from './schedule.ts';

type EventTimes = Pick<
  EventDraft,
  'startTime' | 'endTime' | 'timeZone' | 'startsAt' | 'endsAt' | 'schedule'
>;

/**
 * The clock times of an event on its days, and the moments that they stand for.
 * @param siteTimeZone of events without a zone of their own.
 */
export function toTimes(dates: EventDates, cells: Cells, siteTimeZone: string): EventTimes {
  const ownZone = toOwnZone(cells);
  const zone = ownZone ?? siteTimeZone;
  const startTime = toTime('Start Time', zone, cells);
  const endTime = toEndTime({ ...dates, startTime }, toTime('End Time', zone, cells), cells);
  const schedule = toSchedule(dates, cells);
  const hasTime = startTime !== null || endTime !== null || schedule !== null;
  return {
    startTime,
    endTime,
    timeZone: hasTime ? zone : ownZone,
    ...toMoments({ ...dates, startTime, endTime }, zone),
    schedule,
  };
}

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

function toOwnZone(cells: Cells): string | null {
  const text = cells.line('Time Zone');
  if (text === null) return null;
  return parseTimeZone(text) ?? cells.repaired('Time Zone', 'unknown_time_zone', text);
}

function toTime(column: 'Start Time' | 'End Time', timeZone: string, cells: Cells): string | null {
  const text = cells.line(column);
  if (text === null) return null;
  // The end of a day has no clock time of its own.
  const clock = column === 'End Time' && /^24[:.h]00$/.test(text) ? '23:59 h' : text;
  const parsed = parseTimeCell(clock, timeZone);
  if (parsed === null) return cells.repaired(column, 'not_a_clock_time', text);
  if (parsed.isRewritten) cells.repaired(column, 'time_rewritten', text);
  return parsed.time;
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
