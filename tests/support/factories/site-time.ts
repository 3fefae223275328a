import { createTimeZone } from '#lib/events/model/zoned-time.ts';

/** The time for a snapshot: noon of a day in UTC, or a moment. */
export function siteTime(time: string) {
  const text = time.includes('T') ? time : `${time}T12:00:00Z`;
  return { nowMs: Date.parse(text), timeZone: createTimeZone('UTC') };
}
