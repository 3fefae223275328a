import type { RequestCounts } from './books.ts';

/** The requests of a key in the last minute. Times are ms from now. */
export type RequestsDecision = Readonly<{
  isGranted: boolean;
  left: number;
  /** Until none counts any more, without further requests. */
  resetMs: number;
  /** Until one more fits, without further requests. */
  waitMs: number;
}>;

type CountInput = Readonly<{
  keyId: string;
  requestsPerMinute: number;
  /** Undefined: this is its first request. */
  counts: RequestCounts | undefined;
}>;

const minuteMs = 60_000;

/**
 * Counts a request in a sliding window: those of this minute, and of the one before the share that the last sixty
 * seconds contain. (A fixed window would allow twice the limit around the turn of a minute.) A rejected request counts,
 * too, as with OpenAI.
 */
export function decideRequest(
  { keyId, requestsPerMinute, counts }: CountInput,
  now: number,
): Readonly<{ counts: RequestCounts; decision: RequestsDecision }> {
  const minute = Math.floor(now / minuteMs);
  const before = toCountsIn(minute, counts);
  const elapsedMs = now - minute * minuteMs;
  const used = before.count + before.count_before * (1 - elapsedMs / minuteMs);
  const isGranted = used < requestsPerMinute;
  const after = { ...before, count: before.count + 1 };
  return {
    counts: { key_id: keyId, minute, ...after },
    decision: {
      isGranted,
      left: Math.max(0, Math.ceil(requestsPerMinute - used) - 1),
      resetMs: 2 * minuteMs - elapsedMs,
      waitMs: Math.max(0, toMsUntilFree(after, requestsPerMinute) - elapsedMs),
    },
  };
}

type Counts = Pick<RequestCounts, 'count' | 'count_before'>;

/** A clock that was set back stays in the later minute. */
function toCountsIn(minute: number, counts: RequestCounts | undefined): Counts {
  if (counts === undefined || minute > counts.minute + 1) return { count: 0, count_before: 0 };
  const { count, count_before } = counts;
  return minute > counts.minute ? { count: 0, count_before: count } : { count, count_before };
}

/** From the minute's start: until the share that counts is below the limit. */
function toMsUntilFree({ count, count_before }: Counts, limit: number): number {
  if (count < limit) return toMsUntilBelow(limit - count, count_before);
  return minuteMs + toMsUntilBelow(limit, count);
}

/** Until so much of a minute's count is left as is below a limit. */
function toMsUntilBelow(limit: number, count: number): number {
  return count < limit ? 0 : Math.floor(((count - limit) * minuteMs) / count) + 1;
}
