import { addDays } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEventTitle, toFactsLine, toPlace } from '#lib/events/view/event-facts.ts';

/** The URL of a prefilled Google Calendar entry. It needs an end, so an open-ended event gets its first day only. */
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

function toDigits(date: string): string {
  return date.replaceAll('-', '');
}
