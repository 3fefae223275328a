/** Longest Retry-After for clients, in seconds: some wait for hours without a word, SDKs ignore a longer one. */
const secondsMax = 60;

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

/** The header for the client: whole seconds, 1 to 60. */
export function toRetryAfter(waitMs: number): Readonly<{ 'Retry-After': string }> {
  const seconds = Math.min(Math.max(Math.ceil(waitMs / 1000), 1), secondsMax);
  return { 'Retry-After': String(seconds) };
}
