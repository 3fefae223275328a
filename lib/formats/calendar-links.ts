import { addDays } from '#lib/events/calendar-date.ts';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import { toEventTitle, toFactsLine, toPlace } from './event-facts.ts';

/** As long as a search may be. */
const searchLengthMax = 200;

/** A form of Google Calendar, filled in with an event: whole days, the last one of an open-ended event its first. */
export function toGoogleCalendarUrl(event: MarqueeEvent, pageUrl: string): string {
  const { startDate, endDate } = event;
  const end = addDays(endDate !== null && endDate > startDate ? endDate : startDate, 1);
  const url = new URL('https://calendar.google.com/calendar/render');
  url.searchParams.set('action', 'TEMPLATE');
  url.searchParams.set('text', toEventTitle(event));
  url.searchParams.set('dates', `${toDigits(startDate)}/${toDigits(end)}`);
  url.searchParams.set('details', `${toFactsLine(event)}\n${pageUrl}`);
  const place = toPlace(event);
  if (place !== null) url.searchParams.set('location', place);
  return url.href;
}

/**
 * Filters of the calendar that let this event through, and others only where their words and days are
 * the same: the calendar has no filter for one id.
 */
export function toCalendarFilters(event: MarqueeEvent) {
  const words = toEventTitle(event).slice(0, searchLengthMax).toWellFormed();
  const q = words.length < searchLengthMax ? words : words.replace(/\s+\S*$/, '');
  return { q, from: event.startDate, to: event.startDate };
}

function toDigits(date: string): string {
  return date.replaceAll('-', '');
}
