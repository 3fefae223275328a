/** Linear time grows eightfold for eight times the input, quadratic time 64-fold. */
export const linearGrowthMax = 24;

const attemptsMax = 8;
/** What takes less is not measured well. */
const leastMicros = 100;

/** Something with parts that are such things, too: a text, an array. */
type Sliceable<T> = Readonly<{ length: number; slice: (start: number, end: number) => T }>;

/** How many times the CPU time of an eighth of an input the whole of it takes; repeated while that is more than linear. */
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
      leastMicros,
      measureCpuMicros(() => work(eighth)),
    );
    growth = Math.min(growth, measureCpuMicros(() => work(input)) / base);
  }
  return growth;
}

/** CPU time of this thread: on a busy machine the clock says more. */
export function measureCpuMicros(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
