import type { Log } from '#lib/http/log.ts';

export type LoadMonitorOptions = Readonly<{
  /** 0: never overloaded. */
  delayMsMax: number;
  log: Log;
  /** Time window of the mean. */
  memoryMs?: number;
}>;

/** Whether this process is overloaded. */
export type LoadMonitor = Readonly<{ isOverloaded: () => boolean; close: () => void }>;

const sampleMs = 100;
/** Largest weight of one sample, so that starting or resuming the process does not count as overload. */
const weightMax = 0.25;

/** Measures event-loop delay: how late a timer fires, as a running mean. */
export function createLoadMonitor(options: LoadMonitorOptions): LoadMonitor {
  const { delayMsMax, log, memoryMs = 5000 } = options;
  if (delayMsMax === 0) return { isOverloaded: () => false, close() {} };
  let isOverloaded = false;
  let meanMs = 0;
  let lastAt = performance.now();
  const timer = setInterval(sample, sampleMs).unref();

  function sample(): void {
    const now = performance.now();
    const elapsedMs = now - lastAt;
    lastAt = now;
    const weight = Math.min(weightMax, elapsedMs / memoryMs);
    const delayMs = Math.min(Math.max(0, elapsedMs - sampleMs), 2 * delayMsMax);
    meanMs += (delayMs - meanMs) * weight;
    if (isOverloaded === meanMs > delayMsMax) return;
    isOverloaded = !isOverloaded;
    const fields = { delayMs: Math.round(meanMs), delayMsMax };
    if (isOverloaded) log.warn(fields, 'overloaded: pages and the AI proxy respond 503');
    else log.info(fields, 'no longer overloaded');
  }

  return { isOverloaded: () => isOverloaded, close: () => clearInterval(timer) };
}
