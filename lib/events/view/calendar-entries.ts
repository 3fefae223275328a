import { toInPersonDays } from '../model/in-person-days.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { isOff } from '../words/clock-words.ts';
import { toFullPlace } from './event-facts.ts';

/** What a calendar shows of an event: all of its days, or those at its place. */
export type CalendarEntry = Readonly<{
  kind: 'event' | 'in-person';
  startDate: string;
  /** The last day; null if there is none. */
  endDate: string | null;
  /** RFC 3339; null for whole days. */
  startsAt: string | null;
  endsAt: string | null;
  place: string | null;
}>;

type DatedEvent = Pick<
  MarqueeEvent,
  'state' | 'startDate' | 'endDate' | 'startsAt' | 'endsAt' | 'inPerson' | 'place'
>;

const wholeDays = { startsAt: null, endsAt: null };

/**
 * Whether a calendar shows an event at its moments, and not as whole days. The times of an open-ended event are those of
 * every day, and several days of which only the start is known would shrink to that moment.
 */
export function hasMoments({
  startDate,
  endDate,
  startsAt,
  endsAt,
}: Pick<MarqueeEvent, 'startDate' | 'endDate' | 'startsAt' | 'endsAt'>): boolean {
  if (startsAt === null || endDate === null) return false;
  return endsAt !== null || endDate <= startDate;
}

/**
 * The calendar entries of an event. Its in-person days get an entry of their own: otherwise two months online would
 * look like two months in a hall. An open-ended event starts today, since only the rest of it matters.
 * @param today `YYYY-MM-DD`.
 */
export function toCalendarEntries(event: DatedEvent, today: string): CalendarEntry[] {
  const { startDate, endDate } = event;
  const place = toFullPlace(event);
  const inPersonDays = toInPersonDays(event);
  const isUnderWay = endDate === null && startDate < today;
  const moments = { startsAt: event.startsAt, endsAt: event.endsAt };
  const times = hasMoments(event) ? moments : wholeDays;
  const whole = { startDate: isUnderWay ? today : startDate, endDate, ...times };
  if (inPersonDays === null) return [{ kind: 'event', ...whole, place }];
  return [
    { kind: 'event', ...whole, place: null },
    { kind: 'in-person', ...inPersonDays, ...wholeDays, place },
  ];
}

/**
 * Whether people are reminded of a calendar entry: of the start of an event, and of its first day at its place, if that is
 * another day. What is under way without an end starts again each day, and nobody is reminded of that.
 */
export function hasReminders(
  event: Pick<MarqueeEvent, 'state' | 'status' | 'startDate'>,
  { kind, startDate }: CalendarEntry,
): boolean {
  if (isOff(event) || event.status === 'ended') return false;
  return (kind === 'event') === (startDate === event.startDate);
}

/** A clock time of no known zone: calendars would show a floating time as one of UTC. */
export function withClockTime(
  title: string,
  { startTime, startsAt }: Pick<MarqueeEvent, 'startTime' | 'startsAt'>,
): string {
  return startTime !== null && startsAt === null ? `${startTime} ${title}` : title;
}
