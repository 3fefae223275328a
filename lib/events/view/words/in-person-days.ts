import type { EventDates } from '../../model/dates.ts';
import type { MarqueeEvent } from '../../model/schema.ts';

type EventWithPlace = Pick<MarqueeEvent, 'state' | 'startDate' | 'endDate' | 'inPerson'>;

/**
 * The days of an event at its place; null if they are unknown or all of its days. An event that runs online for
 * two months may meet for three days.
 */
export function toInPersonDays(event: EventWithPlace): EventDates | null {
  const { state, startDate, endDate, inPerson } = event;
  const { start = null, end = null } = state === 'moved-online' ? {} : (inPerson ?? {});
  if (start === null && end === null) return null;
  // Where one is missing, that of the event counts.
  const days = { startDate: start ?? startDate, endDate: end ?? endDate };
  if (days.endDate !== null && days.endDate < days.startDate) return null;
  return days.startDate === startDate && days.endDate === endDate ? null : days;
}
