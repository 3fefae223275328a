const penaltyMs = 30_000;

/**
 * Airtable's limit for a base: a number of requests in any second. Exceeding it leads to a penalty
 * during which every request is rejected; rejected requests do not extend it. Each call counts one
 * request, and returns false if it must be rejected.
 */
export function createRateLimit(options: {
  requestsPerSecond: number;
  now: () => number;
}): () => boolean {
  let admittedAt: number[] = [];
  let blockedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const now = options.now();
    if (now < blockedUntil) return false;
    admittedAt = admittedAt.filter((time) => now - time < 1000);
    if (admittedAt.length < options.requestsPerSecond) {
      admittedAt.push(now);
      return true;
    }
    admittedAt = [];
    blockedUntil = now + penaltyMs;
    return false;
  };
}
