import { createTimeZone } from '#lib/events/model/zoned-time.ts';

/**
 * The day on which a response was sent, in the site's time zone. Statuses depend on the server's day; the
 * visitor's clock may be wrong.
 */
export function readServerDay(headers: Headers, timeZone: string): string {
  const sentAt = Date.parse(headers.get('date') ?? '');
  return createTimeZone(timeZone).dayAt(Number.isNaN(sentAt) ? Date.now() : sentAt);
}
