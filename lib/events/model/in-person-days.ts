import { type EventDates, isOn } from './dates.ts';
import type { MarqueeEvent } from './schema.ts';
import { toStatusOfDays } from './status.ts';

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

/**
 * An event as it is for those who go to its place: on its in-person days, at the clock times that are known of these.
 * Where all of its days are in person, it is itself.
 * @param today `YYYY-MM-DD`
 */
export function atItsPlace(event: MarqueeEvent, today: string): MarqueeEvent {
  const { startDate, endDate, startTime, endTime, startsAt, endsAt, status, state } = event;
  const days = toInPersonDays(event);
  if (days === null || state === 'moved-online') return event;
  // Days that are none of its own were forgotten in the table.
  if (!isOn(event, { from: days.startDate, to: days.endDate ?? '~' })) return event;
  const start = days.startDate === startDate ? { startTime, startsAt } : noStart;
  const end = days.endDate === endDate ? { endTime, endsAt } : noEnd;
  // Its moments decide about the days that it shares with the whole event.
  const isOver = status === 'ended' || (status === 'upcoming' && days.startDate === startDate);
  const statusThere = isOver ? status : toStatusOfDays(days, today);
  return { ...event, ...days, ...start, ...end, status: statusThere };
}

const noStart = { startTime: null, startsAt: null };
const noEnd = { endTime: null, endsAt: null };
