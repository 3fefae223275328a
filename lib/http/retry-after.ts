/**
 * Parses a Retry-After in seconds or as a date (RFC 9110 §10.2.3), in ms; null if invalid or
 * missing. A date is relative to our own clock.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} /.test(value)) return null;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? null : Math.max(timeMs - nowMs, 0);
}
