/** Airtable takes 5 requests a second for a base. */
const requestsPerWindow = 5;

// A little over a second: requests that left a second apart may arrive closer together.
const windowMs = 1050;

/** After a 429 every call is refused for 30 s, so calling sooner only makes it longer. */
export const penaltyMs = 30_000;

export type RequestGate = Readonly<{
  /** How long the next request has to wait, ms; 0 takes the place at once. */
  take: () => number;
  /** Keeps the gate shut for so long. */
  shut: (forMs: number) => void;
  /** How long the gate stays shut, ms; 0 where it is open. */
  shutForMs: () => number;
}>;

/** Keeps the pace that Airtable allows: a sliding window, and a gate that a 429 shuts. */
export function createRequestGate(now: () => number): RequestGate {
  const started: number[] = [];
  let shutUntil = 0;
  // A clock that was set back must not keep the gate shut for longer than a penalty lasts.
  const shutForMs = () => Math.min(Math.max(shutUntil - now(), 0), penaltyMs * 20);

  return {
    take() {
      const time = now();
      while (started.length > 0 && Math.abs(time - (started[0] ?? time)) >= windowMs)
        started.shift();
      if (started.length >= requestsPerWindow) return windowMs - (time - (started[0] ?? time));
      started.push(time);
      return 0;
    },
    shut(forMs) {
      shutUntil = Math.max(shutUntil, now() + forMs);
    },
    shutForMs,
  };
}
