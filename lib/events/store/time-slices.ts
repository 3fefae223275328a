import { setImmediate as nextTurn } from 'node:timers/promises';

/** Awaited inside long loops: gives way to waiting requests whenever the current slice of time is spent. */
export type YieldWhenDue = () => Promise<void> | undefined;

/** Gives way to waiting requests once. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
}

/**
 * Long work in slices: a table of 10,000 rows is read, sorted and indexed while requests go on being served.
 * @param sliceMs how long the event loop may be held at a time.
 */
export function createTimeSlices(sliceMs = 2): YieldWhenDue {
  let sliceEnds = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnds) return undefined;
    return nextTurn().then(() => {
      sliceEnds = performance.now() + sliceMs;
    });
  };
}

const stepsBetweenPaces = 128;

/** A stable merge sort that keeps pace; returns a new array. */
export async function sortPaced<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  yieldWhenDue: YieldWhenDue,
): Promise<T[]> {
  const runLength = 256;
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += runLength) {
    sorted.push(...items.slice(start, start + runLength).sort(compare));
    await yieldWhenDue();
  }
  // Merged from one array into the other and back: nothing else is left behind.
  let merged = sorted.length > runLength ? [...sorted] : sorted;
  for (let length = runLength; length < items.length; length *= 2) {
    for (let start = 0; start < items.length; start += length * 2) {
      await mergePaced(sorted, merged, { start, length }, compare, yieldWhenDue);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

// Two runs that stand one behind the other; the second may be shorter, or not be there.
async function mergePaced<T>(
  from: readonly T[],
  to: T[],
  { start, length }: Readonly<{ start: number; length: number }>,
  compare: (a: T, b: T) => number,
  yieldWhenDue: YieldWhenDue,
): Promise<void> {
  const middle = Math.min(start + length, from.length);
  const end = Math.min(middle + length, from.length);
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    // The left one first where they are equal: that is what makes it stable.
    const takesRight =
      left === middle || (right < end && compare(from[right] as T, from[left] as T) < 0);
    to[at] = from[takesRight ? right++ : left++] as T;
    if (at % stepsBetweenPaces === 0) await yieldWhenDue();
  }
}
