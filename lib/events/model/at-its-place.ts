import { isOn } from './dates.ts';
import { toInPersonDays } from './in-person-days.ts';
import type { MarqueeEvent } from './schema.ts';
import { toStatusOfDays } from './status.ts';

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
