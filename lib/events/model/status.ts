import type { EventStatus } from './schema.ts';

/**
 * An event's status on a day. ISO dates compare as text.
 * @param today `YYYY-MM-DD` in the configured time zone.
 */
export function toStatus(
  dates: Readonly<{ startDate: string; endDate: string | null }>,
  today: string,
): EventStatus {
  if (today < dates.startDate) return 'upcoming';
  if (dates.endDate === null || today <= dates.endDate) return 'ongoing';
  return 'ended';
}
