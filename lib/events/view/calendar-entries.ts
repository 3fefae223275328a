import type { MarqueeEvent } from '../model/schema.ts';
import { toInPersonDays } from '../words/dates-in-words.ts';
import { toPlace } from './event-facts.ts';

/** What a calendar shows of an event: all of its days, or those at its place. */
export type CalendarEntry = Readonly<{
  kind: 'event' | 'in-person';
  startDate: string;
  /** The last day; null if there is none. */
  endDate: string | null;
  place: string | null;
}>;

type DatedEvent = Pick<MarqueeEvent, 'state' | 'startDate' | 'endDate' | 'inPerson'>;

/**
 * The calendar entries of an event. Its in-person days get an entry of their own: otherwise two months online would
 * look like two months in a hall. An open-ended event starts today, since only the rest of it matters.
 * @param today `YYYY-MM-DD`.
 */
export function toCalendarEntries(event: DatedEvent, today: string): CalendarEntry[] {
  const { startDate, endDate } = event;
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const isUnderWay = endDate === null && startDate < today;
  const whole = { startDate: isUnderWay ? today : startDate, endDate };
  if (inPersonDays === null) return [{ kind: 'event', ...whole, place }];
  return [
    { kind: 'event', ...whole, place: null },
    { kind: 'in-person', ...inPersonDays, place },
  ];
}
