import { addDays } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { YieldWhenDue } from '#lib/events/store/time-slices.ts';
import { toOneLine } from '#lib/events/view/clean-text.ts';
import { toEventTitle, toFactsLine, toPlace } from '#lib/events/view/event-facts.ts';
import { eventCalendarUid, eventPageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toEventText } from './event-text.ts';
import { toCalendarText, toContentLine } from './icalendar-text.ts';

export type CalendarOptions = Readonly<{
  site: Site;
  /** Awaited between events. */
  yieldWhenDue?: YieldWhenDue;
}>;

/** A property: its name with parameters, and its encoded value. */
type Line = readonly [name: string, value: string];

const textLengthMax = 500;

/** Later events get facts only, since parsing thousands of Markdown texts takes seconds. */
const describedEventsMax = 300;

/** Longer events are transparent: they do not mark attendees as busy. */
const busyDaysMax = 3;

/**
 * Events as a calendar to subscribe to (RFC 5545, RFC 7986), each an all-day entry. The same events always
 * give the same bytes.
 */
export async function toICalendar(
  events: readonly MarqueeEvent[],
  { site, yieldWhenDue }: CalendarOptions,
): Promise<string> {
  const parts = [writeLines(calendarLines(toOneLine(site.name)))];
  if (events.length === 0) parts.push(writeLines(placeholderLines));
  for (const [index, event] of events.entries()) {
    parts.push(writeLines(eventLines(event, site, index < describedEventsMax)));
    await yieldWhenDue?.();
  }
  parts.push(writeLines([['END', 'VCALENDAR']]));
  return parts.join('');
}

/** One event as a calendar file, with the same entry as in the calendar of all events. */
export function toEventICalendar(event: MarqueeEvent, { site }: Readonly<{ site: Site }>): string {
  const lines: Line[] = [...opening, ...eventLines(event, site, true), ['END', 'VCALENDAR']];
  return writeLines(lines);
}

const opening: readonly Line[] = [
  ['BEGIN', 'VCALENDAR'],
  ['VERSION', '2.0'],
  ['PRODID', '-//Marquee//Events directory//EN'],
  ['CALSCALE', 'GREGORIAN'],
];

function calendarLines(name: string): readonly Line[] {
  const title = toCalendarText(`${name}: events`);
  return [
    ...opening,
    ['NAME', title],
    ['X-WR-CALNAME', title],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
    ['X-PUBLISHED-TTL', 'PT1H'],
  ];
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

function eventLines(event: MarqueeEvent, site: Site, isDescribed: boolean): Line[] {
  const pageUrl = eventPageUrl(site, event.slug);
  const text = isDescribed ? toEventText(event, textLengthMax) : toFactsLine(event);
  const announced = toUtcTimestamp(event.announcedAt);
  const isOpenEnded = event.endDate === null;
  const title = toEventTitle(event);
  const place = toPlace(event);
  const lines: Line[] = [
    ['BEGIN', 'VEVENT'],
    ['UID', eventCalendarUid(site, event)],
    ['DTSTAMP', announced],
    ['CREATED', announced],
    ['DTSTART;VALUE=DATE', toBasicDate(event.startDate)],
  ];
  const end = toExclusiveEnd(event);
  if (end !== null) lines.push(['DTEND;VALUE=DATE', toBasicDate(end)]);
  lines.push(['SUMMARY', toCalendarText(isOpenEnded ? `${title} (open-ended)` : title)]);
  lines.push(['DESCRIPTION', toCalendarText(`${text}\n\n${pageUrl}`)]);
  if (place !== null) lines.push(['LOCATION', toCalendarText(place)]);
  lines.push(['URL', pageUrl]);
  if (event.projectTypes.length > 0) {
    lines.push(['CATEGORIES', event.projectTypes.map(toCalendarText).join(',')]);
  }
  if (isOpenEnded || isLong(event.startDate, event.endDate)) lines.push(['TRANSP', 'TRANSPARENT']);
  lines.push(['END', 'VEVENT']);
  return lines;
}

// DTEND is exclusive and must be later than DTSTART (RFC 5545 §3.6.1). Years have four digits, so no day
// follows 9999-12-31.
function toExclusiveEnd({ startDate, endDate }: MarqueeEvent): string | null {
  if (endDate === null || endDate < startDate || endDate === '9999-12-31') return null;
  return addDays(endDate, 1);
}

function isLong(startDate: string, endDate: string | null): boolean {
  return (
    endDate !== null && Date.parse(endDate) - Date.parse(startDate) >= busyDaysMax * 86_400_000
  );
}

function toBasicDate(date: string): string {
  return date.replaceAll('-', '');
}

// DTSTAMP is when an entry was last revised (RFC 5545 §3.8.7.2). The table does not say, and the time of
// reading would change every entry on every read, so `announcedAt` is used.
function toUtcTimestamp(dateTime: string): string {
  return new Date(dateTime).toISOString().replace(/[-:]|\.\d+/g, '');
}

function writeLines(lines: readonly Line[]): string {
  return lines.map(([name, value]) => toContentLine(name, value)).join('');
}
