/** Linear time grows eightfold for eight times the input, quadratic time 64-fold. */
export const linearGrowthMax = 24;

const attemptsMax = 16;
/** What takes less is not measured well. */
const leastMs = 0.1;

/** Something with parts that are such things, too: a text, an array. */
type Sliceable<T> = Readonly<{ length: number; slice: (start: number, end: number) => T }>;

/**
 * How many times as long as an eighth of an input the whole of it takes; repeated while that is more than linear, since a
 * busy machine may interrupt it. (CPU time is counted in steps of 4 ms, which most of this does not take.)
 */
export function measureGrowth<T extends Sliceable<T>>(
  input: T,
  work: (input: T) => unknown,
): number {
  const eighth = input.slice(0, Math.ceil(input.length / 8));
  // The first run compiles the code.
  work(eighth);
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attemptsMax && growth > linearGrowthMax; attempt += 1) {
    const base = Math.max(
      leastMs,
      measureMs(() => work(eighth)),
    );
    growth = Math.min(growth, measureMs(() => work(input)) / base);
  }
  return growth;
}

function measureMs(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** CPU time of this thread: on a busy machine the clock says more. */
export function measureCpuMicros(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
