import { addDays, type EventDates } from './dates.ts';
import type { EventDraft, EventStatus, MarqueeEvent } from './schema.ts';
import { toLocalDay, toZonedTime } from './zoned-time.ts';

/** The fields that a status follows from. */
export type EventMoments = Pick<
  EventDraft,
  'startDate' | 'endDate' | 'timeZone' | 'startsAt' | 'endsAt'
>;

/** A moment, and its day in the site’s time zone, `YYYY-MM-DD`. */
export type SiteTime = Readonly<{ timeMs: number; day: string }>;

/** An event’s status: by its moments, or by its days if it has none. With one of them, the other is that of its day. */
export function toStatus(event: EventMoments, now: SiteTime): EventStatus {
  if (event.startsAt === null && event.endsAt === null) return toStatusOfDays(event, now.day);
  if (hasEnded(event, now)) return 'ended';
  return hasBegun(event, now) ? 'ongoing' : 'upcoming';
}

/** The status of whole days of the site. ISO dates compare as text. */
export function toStatusOfDays({ startDate, endDate }: EventDates, today: string): EventStatus {
  if (today < startDate) return 'upcoming';
  return endDate === null || today <= endDate ? 'ongoing' : 'ended';
}

function hasBegun({ startDate, startsAt }: EventMoments, { timeMs, day }: SiteTime): boolean {
  return startsAt === null ? day >= startDate : timeMs >= Date.parse(startsAt);
}

function hasEnded(event: EventMoments, { timeMs, day }: SiteTime): boolean {
  const { endDate, endsAt, startsAt, timeZone } = event;
  if (endsAt !== null) return timeMs >= Date.parse(endsAt);
  if (endDate === null || day <= endDate) return false;
  // An evening in New York without an end: its last day goes on there.
  return startsAt === null || timeZone === null || toLocalDay(timeMs, timeZone) > endDate;
}

/** The moments at which the status of an event changes, Unix ms, besides the midnights of the site. */
export function listTransitions(event: EventMoments, siteTimeZone: string): number[] {
  const { startsAt, endsAt, endDate, timeZone } = event;
  const moments = [startsAt, endsAt].flatMap((moment) => moment ?? []).map(Date.parse);
  if (startsAt === null || endsAt !== null || endDate === null || timeZone === null) return moments;
  const midnight = toZonedTime({ date: addDays(endDate, 1), time: '00:00', timeZone });
  const isLater = toLocalDay(midnight.timeMs, siteTimeZone) > endDate;
  return isLater ? [...moments, midnight.timeMs] : moments;
}

/** Whether an event can still be joined, judging by its dates and state. */
export function isJoinable({ status, state }: Pick<MarqueeEvent, 'status' | 'state'>): boolean {
  return status !== 'ended' && (state === 'scheduled' || state === 'moved-online');
}

/** Whether an event that could be joined has no places left. */
export function isFull(event: Pick<MarqueeEvent, 'status' | 'state' | 'placesLeft'>): boolean {
  return event.placesLeft === 0 && isJoinable(event);
}

/** What people do at the website of an event: they join it, or read about it. */
export function toWebsiteLabel(
  event: Pick<MarqueeEvent, 'status' | 'state' | 'placesLeft'>,
): 'Join' | 'Website' {
  return isJoinable(event) && !isFull(event) ? 'Join' : 'Website';
}

/** Events that can be joined before those that are full, cancelled, postponed or over; each in their order. */
export function joinableFirst(events: readonly MarqueeEvent[]): MarqueeEvent[] {
  const isOpen = (event: MarqueeEvent) => isJoinable(event) && !isFull(event);
  return [...events.filter(isOpen), ...events.filter((event) => !isOpen(event))];
}
