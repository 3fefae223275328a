import {
  addDays,
  type EventDates,
  isCalendarDate,
  weekdayNames,
  weekdayOf,
} from '../../model/dates.ts';
import type { ScheduleEntry } from '../../model/time-and-place.ts';
import { parseClockTime } from './clock-time.ts';

type Schedule = Readonly<{
  entries: ScheduleEntry[];
  /** Lines without a time or a title, or on a day when the event is not. */
  ignored: readonly string[];
  isShortened: boolean;
}>;

const entriesMax = 100;
const titleLengthMax = 200;
/** Before this, an earlier time on the last day belongs to the night. */
const nightUntil = '06:00';

/**
 * Parses a programme: lines such as `19:00 Doors`. They are on the first day, unless a line starts with another one or
 * names it alone: `2026-12-05`, `Day 2`, `Saturday`.
 */
export function parseSchedule(text: string, dates: EventDates): Schedule {
  const lines = text.split('\n').map(toPlainLine).filter(Boolean);
  const entries: ScheduleEntry[] = [];
  const ignored: string[] = [];
  let day = dates.startDate;
  let previousTime = '';
  for (const line of lines.slice(0, entriesMax)) {
    const named = takeDay(line, day, dates);
    if (named !== null) [day, previousTime] = [named.day, ''];
    const rest = named?.rest ?? line;
    if (rest === '') continue;
    const entry = parseEntry(rest);
    if (entry === null) {
      ignored.push(line);
      continue;
    }
    if (entry.time < previousTime && mayBeNextDay(entry.time, day, dates)) day = addDays(day, 1);
    previousTime = entry.time;
    entries.push({ day, ...entry });
  }
  return { entries, ignored, isShortened: lines.length > entriesMax };
}

function toPlainLine(line: string): string {
  return line
    .normalize('NFC')
    .replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .replace(/[*_]{2}/g, '')
    .trim();
}

function parseEntry(line: string): Omit<ScheduleEntry, 'day'> | null {
  const parts =
    /^(\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\b\.?|h\b|uhr\b)?)(?:\s?[-–—]\s?(\d{1,2}[:.h]\d{2}(?:\s?[ap]\.?m\b\.?)?))?\s?[-–—:|,]?\s+(.+)$/i.exec(
      line,
    );
  const time = parseClockTime(parts?.[1] ?? '')?.time;
  if (parts === null || time === undefined) return null;
  const until = parseClockTime(parts[2] ?? '')?.time;
  const title = `${parts[3]}${until === undefined ? '' : ` (until ${until})`}`;
  return { time, title: title.slice(0, titleLengthMax).toWellFormed() };
}

function mayBeNextDay(time: string, day: string, { startDate, endDate }: EventDates): boolean {
  const lastDay = endDate ?? startDate;
  return day < lastDay || (day === lastDay && time < nightUntil);
}

/** The day that a line starts with, and what follows. */
function takeDay(line: string, current: string, dates: EventDates) {
  const parts =
    /^(?:(\d{4}-\d{2}-\d{2})|day (\d{1,2})|((?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun))(?:\s?[-–—:,.]\s?|\s|$)(.*)$/i.exec(
      line,
    );
  if (parts === null) return null;
  const [, date, number, weekday, rest = ''] = parts;
  const day =
    date ?? (number ? addDays(dates.startDate, Number(number) - 1) : toNext(weekday, current));
  const isPossible =
    isCalendarDate(day) &&
    day >= dates.startDate &&
    (dates.endDate === null || day <= addDays(dates.endDate, 1));
  return isPossible ? { day, rest } : null;
}

function toNext(weekday = '', from: string): string {
  const start = weekday.slice(0, 3).toLowerCase();
  const wanted = weekdayNames.findIndex((name) => name.toLowerCase().startsWith(start));
  return addDays(from, (wanted - weekdayOf(from) + 7) % 7);
}
