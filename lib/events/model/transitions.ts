import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import type { EventDraft } from './schema.ts';
import { listTransitions } from './status.ts';
import type { TimeZone } from './zoned-time.ts';

/** The transitions around a time: an event begins or ends, or a day of the site begins. Unix ms. */
export type Transitions = Readonly<{
  /** The last one: statuses are those from it on. */
  transitionAtMs: number;
  nextTransitionAtMs: number;
  /** The day between them in the site’s time zone, `YYYY-MM-DD`. */
  day: string;
}>;

type Now = Readonly<{ nowMs: number; timeZone: TimeZone }>;

/** The moments of all events at which statuses change, sorted. */
export async function listMoments(
  drafts: readonly EventDraft[],
  { timeZone }: TimeZone,
  yieldWhenDue: YieldWhenDue,
): Promise<Float64Array> {
  const moments = new Set<number>();
  for (const draft of drafts) {
    for (const moment of listTransitions(draft, timeZone)) moments.add(moment);
    await yieldWhenDue();
  }
  return Float64Array.from(moments).sort();
}

/** @param moments of events, sorted. Midnights of the site come between them. */
export function findTransitions(moments: Float64Array, { nowMs, timeZone }: Now): Transitions {
  const next = countUntil(moments, nowMs);
  const [midnightMs, nextMidnightMs] = [timeZone.dayStartsAt(nowMs), timeZone.dayEndsAt(nowMs)];
  return {
    transitionAtMs: Math.max(midnightMs, moments[next - 1] ?? midnightMs),
    nextTransitionAtMs: Math.min(nextMidnightMs, moments[next] ?? nextMidnightMs),
    day: timeZone.dayAt(nowMs),
  };
}

/** How many moments are not later than a time. */
function countUntil(moments: Float64Array, timeMs: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] as number) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
