/** Airtable takes 5 requests a second for a base. */
const requestsPerWindow = 5;

// A little over a second: requests that left a second apart may arrive closer together.
const windowMs = 1050;

/** After a 429 every call is refused for 30 s, so calling sooner only makes it longer. */
export const penaltyMs = 30_000;

/** However long the upstream asks for: a wrong header must not take the site down for a day. */
const shutMaxMs = 600_000;

export type RequestGate = Readonly<{
  /** How long the next request has to wait, ms; 0 takes the place at once. */
  take: () => number;
  /** The last request that took a place has been answered: it arrived no later than now. */
  answered: () => void;
  /** Keeps the gate shut for so long. */
  shut: (forMs: number) => void;
  /** How long the gate stays shut, ms; 0 where it is open. */
  shutForMs: () => number;
}>;

/** Keeps the pace that Airtable allows: a sliding window, and a gate that a 429 shuts. */
export function createRequestGate(now: () => number): RequestGate {
  const started: number[] = [];
  let shutAt = 0;
  let shutUntil = 0;

  function shutForMs(): number {
    const time = now();
    // A clock that was set back must not keep the gate shut for longer.
    if (time < shutAt) {
      shutUntil -= shutAt - time;
      shutAt = time;
    }
    return Math.max(shutUntil - time, 0);
  }

  return {
    take() {
      const time = now();
      while (started.length > 0 && Math.abs(time - (started[0] ?? time)) >= windowMs)
        started.shift();
      if (started.length >= requestsPerWindow) return windowMs - (time - (started[0] ?? time));
      started.push(time);
      return 0;
    },
    // Counted from the answer, since the first request of a connection may be long under way.
    answered() {
      if (started.length > 0) started[started.length - 1] = now();
    },
    shut(forMs) {
      const leftMs = shutForMs();
      shutAt = now();
      shutUntil = shutAt + Math.min(Math.max(leftMs, forMs), shutMaxMs);
    },
    shutForMs,
  };
}
