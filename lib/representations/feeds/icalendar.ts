import { addDays, daysBetween } from '#lib/events/model/dates.ts';
import { toPosition } from '#lib/events/model/position.ts';
import type { EventState, MarqueeEvent } from '#lib/events/model/schema.ts';
import { toBasicDate, toBasicTimestamp } from '#lib/events/model/zoned-time.ts';
import {
  type CalendarEntry,
  hasMoments,
  hasReminders,
  toCalendarEntries,
  withClockTime,
} from '#lib/events/view/calendar-entries.ts';
import { toFactsLine, toTitleWithState } from '#lib/events/view/event-facts.ts';
import { eventCalendarUid, eventPageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toOneLine, toXmlText } from '#lib/events/words/clean-text.ts';
import { isOff } from '#lib/events/words/clock-words.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { toEventText } from './feed.ts';

type CalendarOptions = Readonly<{
  site: Site;
  /** `YYYY-MM-DD`, from which open-ended events are shown. */
  today: string;
  /** How often each event has changed, by id: their `SEQUENCE`. */
  revisions?: ReadonlyMap<string, number>;
  /** The filters that the events match, in words: part of the calendar's name. */
  filters?: string;
  /** Whether calendars remind people of the events. */
  hasAlarms?: boolean;
  /** Awaited between events. */
  yieldWhenDue?: YieldWhenDue;
}>;

/** A property: its name with parameters, and its encoded value. */
type Line = readonly [name: string, value: string];

const textLengthMax = 500;

/** Later events get facts only, since parsing thousands of Markdown texts takes seconds. */
const describedEventsMax = 300;

/**
 * What a calendar says of an event that does not take place as announced (RFC 5545 §3.8.1.11). The new dates of a
 * postponed one are open.
 */
const statuses: Readonly<Record<EventState, string>> = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
  'moved-online': 'CONFIRMED',
};

/** Longer events are transparent: they do not mark attendees as busy. */
const busyDaysMax = 3;

/**
 * Events as a calendar to subscribe to (RFC 5545, RFC 7986): whole days, or moments in UTC for events with times. The
 * same events always give the same bytes.
 */
export async function toICalendar(
  events: readonly MarqueeEvent[],
  options: CalendarOptions,
): Promise<string> {
  const parts: string[] = [];
  for (const part of writeICalendar(events, options)) {
    parts.push(part);
    await options.yieldWhenDue?.();
  }
  return parts.join('');
}

/** The same, part by part. */
export function* writeICalendar(
  events: readonly MarqueeEvent[],
  options: CalendarOptions,
): Generator<string> {
  const { site, filters = '' } = options;
  const name = `${site.name}: ${filters || 'events'}`;
  yield writeLines([...calendarLines(toOneLine(name)), ...zoneLines(events)]);
  if (events.length === 0) yield writeLines(placeholderLines);
  for (const [index, event] of events.entries()) {
    yield writeLines(eventLines(event, options, index < describedEventsMax));
  }
  yield writeLines([['END', 'VCALENDAR']]);
}

/** One event as a calendar file, with the same entries as in the calendar of all events. */
export function toEventICalendar(event: MarqueeEvent, options: CalendarOptions): string {
  const lines: Line[] = [
    ...opening,
    ...zoneLines([event]),
    ...eventLines(event, options, true),
    ['END', 'VCALENDAR'],
  ];
  return writeLines(lines);
}

const opening: readonly Line[] = [
  ['BEGIN', 'VCALENDAR'],
  ['VERSION', '2.0'],
  ['PRODID', '-//Marquee//Events directory//EN'],
  ['CALSCALE', 'GREGORIAN'],
];

function calendarLines(name: string): readonly Line[] {
  const title = toCalendarText(name);
  return [
    ...opening,
    ['NAME', title],
    ['X-WR-CALNAME', title],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
    ['X-PUBLISHED-TTL', 'PT1H'],
  ];
}

// Programs show all times in this zone, so it is left out if events have several.
function zoneLines(events: readonly MarqueeEvent[]): Line[] {
  const zones = new Set<string>();
  for (const event of events) {
    if (hasMoments(event) && event.timeZone !== null) zones.add(event.timeZone);
  }
  const [zone, ...others] = zones;
  return zone === undefined || others.length > 0 ? [] : [['X-WR-TIMEZONE', zone]];
}

// A calendar needs at least one component (RFC 5545 §3.6), and some clients reject one without. An unused
// time zone is invisible.
const placeholderLines: readonly Line[] = [
  ['BEGIN', 'VTIMEZONE'],
  ['TZID', 'UTC'],
  ['BEGIN', 'STANDARD'],
  ['DTSTART', '19700101T000000'],
  ['TZOFFSETFROM', '+0000'],
  ['TZOFFSETTO', '+0000'],
  ['TZNAME', 'UTC'],
  ['END', 'STANDARD'],
  ['END', 'VTIMEZONE'],
];

function eventLines(event: MarqueeEvent, options: CalendarOptions, isDescribed: boolean): Line[] {
  const { site, today, revisions, hasAlarms = false } = options;
  const pageUrl = eventPageUrl(site, event.slug);
  const text = isDescribed ? toEventText(event, textLengthMax) : toFactsLine(event);
  // DTSTAMP is when an entry was last revised (RFC 5545 §3.8.7.2). The table does not say, and the time of
  // reading would change every entry on every read, so `announcedAt` is used.
  const announced = toBasicTimestamp(event.announcedAt);
  const categories = event.projectTypes.map(toCalendarText).join(',');
  const shared: readonly Line[] = [
    ['STATUS', statuses[event.state]],
    ['SEQUENCE', String(revisions?.get(event.id) ?? 0)],
    ['DESCRIPTION', toCalendarText(`${text}\n\n${pageUrl}`)],
    ['URL', pageUrl],
    ...(categories === '' ? [] : [['CATEGORIES', categories] as const]),
    ...contactLines(event),
  ];
  return toCalendarEntries(event, today).flatMap((entry): Line[] => [
    ['BEGIN', 'VEVENT'],
    ['UID', eventCalendarUid(site, event, entry.kind)],
    ['DTSTAMP', announced],
    ['CREATED', announced],
    ...dateLines(entry),
    ['SUMMARY', toCalendarText(toSummary(event, entry))],
    ...shared,
    ...placeLines(event, entry),
    ...(isBusy(event, entry) ? [] : [['TRANSP', 'TRANSPARENT'] as const]),
    ...(hasAlarms && hasReminders(event, entry) ? alarmLines(event, entry) : []),
    ['END', 'VEVENT'],
  ]);
}

// An ORGANIZER would make an invitation of it.
function contactLines({ organizer }: MarqueeEvent): Line[] {
  if (organizer === null) return [];
  const { name, url } = organizer;
  return [['CONTACT', toCalendarText(toOneLine(url === null ? name : `${name}, ${url}`))]];
}

function placeLines(event: MarqueeEvent, entry: CalendarEntry): Line[] {
  if (entry.place === null) return [];
  const location: Line = ['LOCATION', toCalendarText(entry.place)];
  const position = toPosition(event);
  if (position === null) return [location];
  return [location, ['GEO', `${position.latitude};${position.longitude}`]];
}

function toSummary(event: MarqueeEvent, { kind, endDate }: CalendarEntry): string {
  const title = withClockTime(toTitleWithState(event), event);
  if (kind === 'in-person') return `${title} (in person)`;
  return endDate === null ? `${title} (open-ended)` : title;
}

/** Before an event, or at 9:00 on the day before a whole day, which begins at midnight (RFC 5545 §3.8.6.3). */
function alarmLines(event: MarqueeEvent, entry: CalendarEntry): Line[] {
  const triggers = entry.startsAt === null ? ['-PT15H'] : ['-P1D', '-PT1H'];
  return triggers.flatMap((trigger): Line[] => [
    ['BEGIN', 'VALARM'],
    ['ACTION', 'DISPLAY'],
    ['DESCRIPTION', toCalendarText(toSummary(event, entry))],
    ['TRIGGER', trigger],
    ['END', 'VALARM'],
  ]);
}

function dateLines({ startDate, endDate, startsAt, endsAt }: CalendarEntry): Line[] {
  if (startsAt !== null) {
    const from: Line = ['DTSTART', toBasicTimestamp(startsAt)];
    return endsAt === null ? [from] : [from, ['DTEND', toBasicTimestamp(endsAt)]];
  }
  const start: Line = ['DTSTART;VALUE=DATE', toBasicDate(startDate)];
  const end = toExclusiveEnd(startDate, endDate);
  return end === null ? [start] : [start, ['DTEND;VALUE=DATE', toBasicDate(end)]];
}

// DTEND is exclusive and must be later than DTSTART (RFC 5545 §3.6.1). Years have four digits, so no day
// follows 9999-12-31.
function toExclusiveEnd(startDate: string, endDate: string | null): string | null {
  if (endDate === null || endDate < startDate || endDate === '9999-12-31') return null;
  return addDays(endDate, 1);
}

function isBusy(event: MarqueeEvent, { startDate, endDate }: CalendarEntry): boolean {
  if (isOff(event) || endDate === null) return false;
  return daysBetween(startDate, endDate) < busyDaysMax;
}

function writeLines(lines: readonly Line[]): string {
  return lines.map(([name, value]) => toContentLine(name, value)).join('');
}

const lineOctetsMax = 75;

/** A value of type TEXT (RFC 5545 §3.3.11): backslashes, semicolons, commas and newlines are escaped. */
export function toCalendarText(text: string): string {
  return toXmlText(text)
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\n/g, '\\n');
}

/**
 * A content line with its CRLF, folded at 75 octets (RFC 5545 §3.1). Characters are never split, although
 * the RFC allows it, because many parsers decode UTF-8 before unfolding.
 */
export function toContentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  // A UTF-16 code unit has at most three octets in UTF-8.
  if (line.length * 3 <= lineOctetsMax) return `${line}\r\n`;
  let folded = '';
  let start = 0;
  let octets = 0;
  for (let index = 0; index < line.length; index++) {
    const codePoint = line.codePointAt(index) ?? 0;
    const size = octetsOf(codePoint);
    if (octets + size > lineOctetsMax) {
      folded += `${line.slice(start, index)}\r\n `;
      start = index;
      octets = 1;
    }
    octets += size;
    if (codePoint > 0xffff) index++;
  }
  return `${folded}${line.slice(start)}\r\n`;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
