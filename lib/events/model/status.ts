import type { EventStatus } from './schema.ts';

/**
 * An event's status on a day. Dates are calendar days, so comparing their text is comparing them.
 * @param today `YYYY-MM-DD` in the zone that the operator chose.
 */
export function toStatus(
  dates: Readonly<{ startDate: string; endDate: string | null }>,
  today: string,
): EventStatus {
  if (today < dates.startDate) return 'upcoming';
  if (dates.endDate === null || today <= dates.endDate) return 'ongoing';
  return 'ended';
}
