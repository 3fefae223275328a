/**
 * Airtable's rule for a base: so many calls in any second, and whoever goes past that waits out a
 * penalty in which every call is refused. Refused calls do not make the penalty longer. The function
 * counts one call, and is false when that call is to be refused.
 */
export function createRateLimit(options: {
  requestsPerSecond: number;
  penaltyMs: number;
  now: () => number;
}): () => boolean {
  let admittedAt: number[] = [];
  let refusedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const now = options.now();
    if (now < refusedUntil) return false;
    admittedAt = admittedAt.filter((time) => now - time < 1000);
    if (admittedAt.length < options.requestsPerSecond) {
      admittedAt.push(now);
      return true;
    }
    admittedAt = [];
    refusedUntil = now + options.penaltyMs;
    return false;
  };
}
