import type { EventDates } from './dates.ts';
import type { MarqueeEvent } from './schema.ts';

type EventWithPlace = Pick<MarqueeEvent, 'startDate' | 'endDate' | 'inPerson'>;

/**
 * The in-person days of an event; null if they are unknown or all of its days. An event that runs online for two
 * months may meet in person for three days.
 */
export function toInPersonDays(event: EventWithPlace): EventDates | null {
  const { startDate, endDate, inPerson } = event;
  const { start = null, end = null } = inPerson ?? {};
  if (start === null && end === null) return null;
  // A missing date defaults to the event's.
  const days = { startDate: start ?? startDate, endDate: end ?? endDate };
  if (days.endDate !== null && days.endDate < days.startDate) return null;
  return days.startDate === startDate && days.endDate === endDate ? null : days;
}
