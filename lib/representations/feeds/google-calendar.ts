import { addDays } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toBasicDate, toBasicTimestamp } from '#lib/events/model/zoned-time.ts';
import {
  type CalendarEntry,
  toCalendarEntries,
  withClockTime,
} from '#lib/events/view/calendar-entries.ts';
import { type FactsEvent, toFactsLine, toTitleWithState } from '#lib/events/view/event-facts.ts';
import { isOff } from '#lib/events/words/clock-words.ts';

type LinkedEvent = FactsEvent &
  Pick<MarqueeEvent, 'slug' | 'name' | 'startTime' | 'startsAt' | 'endsAt'>;

type GoogleCalendarLink = Readonly<{ kind: CalendarEntry['kind']; url: string }>;

type LinkOptions = Readonly<{ pageUrl: string; today: string }>;

/**
 * Prefilled Google Calendar entries for the days of an event that are left, and for those at its place: none once
 * they are over, or while it is not certain that they take place. An entry needs an end, so an open-ended event gets
 * one day.
 */
export function toGoogleCalendarLinks(
  event: LinkedEvent,
  { pageUrl, today }: LinkOptions,
): GoogleCalendarLink[] {
  if (isOff(event)) return [];
  return toCalendarEntries(event, today)
    .map((entry) => ({ ...entry, ...toDaysLeft(entry, today) }))
    .filter(({ lastDay }) => lastDay >= today)
    .map((entry) => ({ kind: entry.kind, url: toUrl(event, entry, pageUrl) }));
}

function toDaysLeft({ startDate, endDate }: CalendarEntry, today: string) {
  const firstDay = startDate < today ? today : startDate;
  const lastDay = endDate !== null && endDate > startDate ? endDate : startDate;
  return { firstDay, lastDay };
}

type DatedEntry = CalendarEntry & Readonly<{ firstDay: string; lastDay: string }>;

function toUrl(event: LinkedEvent, entry: DatedEntry, pageUrl: string): string {
  const { kind, place } = entry;
  const title = withClockTime(toTitleWithState(event), event);
  const url = new URL('https://calendar.google.com/calendar/render');
  url.searchParams.set('action', 'TEMPLATE');
  url.searchParams.set('text', kind === 'in-person' ? `${title} (in person)` : title);
  url.searchParams.set('dates', toDates(entry));
  url.searchParams.set('details', `${toFactsLine(event)}\n${pageUrl}`);
  if (place !== null) url.searchParams.set('location', place);
  return url.href;
}

// Whole days for what has begun: only the rest of it matters. Google's end is exclusive.
function toDates({ startDate, firstDay, lastDay, startsAt, endsAt }: DatedEntry): string {
  if (startsAt === null || firstDay > startDate) {
    return `${toBasicDate(firstDay)}/${toBasicDate(addDays(lastDay, 1))}`;
  }
  return `${toBasicTimestamp(startsAt)}/${toBasicTimestamp(endsAt ?? startsAt)}`;
}
