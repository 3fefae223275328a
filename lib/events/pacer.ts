import { setImmediate as nextTurn } from 'node:timers/promises';

/** Awaited inside long loops: gives way to waiting requests whenever the current slice of time is spent. */
export type Pace = () => Promise<void> | undefined;

/** Gives way to waiting requests once. */
export async function giveWay(): Promise<void> {
  await nextTurn();
}

/**
 * Long work in slices: a table of 10,000 rows is read, sorted and indexed while requests go on being served.
 * @param sliceMs how long the event loop may be held at a time.
 */
export function createPace(sliceMs = 2): Pace {
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
  pace: Pace,
): Promise<T[]> {
  const runLength = 256;
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare));
    await pace();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergePaced(runs[index] ?? [], runs[index + 1] ?? [], compare, pace));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergePaced<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<T[]> {
  const merged: T[] = [];
  let [nextLeft, nextRight] = [0, 0];
  while (nextLeft < left.length && nextRight < right.length) {
    const [a, b] = [left[nextLeft] as T, right[nextRight] as T];
    // The left one first where they are equal: that is what makes it stable.
    if (compare(b, a) < 0) {
      merged.push(b);
      nextRight++;
    } else {
      merged.push(a);
      nextLeft++;
    }
    if (merged.length % stepsBetweenPaces === 0) await pace();
  }
  return merged.concat(left.slice(nextLeft), right.slice(nextRight));
}
