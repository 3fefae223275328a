/** Airtable allows 5 requests a second for a base. */
const requestsPerWindow = 5;

// A little over a second: requests that left a second apart may arrive closer together.
const windowMs = 1050;

/** On average, in a long read. */
export const callEveryMs = windowMs / requestsPerWindow;

/** After a 429 every request fails for 30 s, and an earlier one makes it longer. */
export const penaltyMs = 30_000;

/** Upper bound for `Retry-After`: a wrong header must not take the site down for a day. */
const blockMaxMs = 600_000;

export type RateLimiter = Readonly<{
  /** How long the next request has to wait, ms; 0 reserves its place. */
  take: () => number;
  /** Call this when the response to the last request has arrived. */
  responded: () => void;
  /** Blocks all requests for this long. */
  block: (durationMs: number) => void;
  /** How long requests are still blocked, ms. */
  blockedForMs: () => number;
}>;

/** A sliding window of requests, and a block after a 429. @param uptime monotonic, in ms. */
export function createRateLimiter(uptime: () => number): RateLimiter {
  const started: number[] = [];
  let blockedUntil = 0;
  const blockedForMs = () => Math.max(blockedUntil - uptime(), 0);

  return {
    take() {
      const time = uptime();
      while (started.length > 0 && time - (started[0] ?? time) >= windowMs) started.shift();
      if (started.length >= requestsPerWindow) return windowMs - (time - (started[0] ?? time));
      started.push(time);
      return 0;
    },
    // A request counts from its response on: on a new connection it may arrive long after it was sent.
    responded() {
      if (started.length > 0) started[started.length - 1] = uptime();
    },
    block(durationMs) {
      const leftMs = Math.max(blockedForMs(), durationMs);
      blockedUntil = uptime() + Math.min(leftMs, blockMaxMs);
    },
    blockedForMs,
  };
}
