import type { Log } from '#lib/http/log.ts';

export type LoadMonitorOptions = Readonly<{
  /** 0: it never has too much to do. */
  delayMsMax: number;
  log: Log;
  /** How far back the mean reaches. */
  memoryMs?: number;
}>;

/** Whether this process has more to do than it can. */
export type LoadMonitor = Readonly<{ isOverloaded: () => boolean; close: () => void }>;

const sampleMs = 100;
/** What one turn adds to the mean at most, so that a start or a pause of the process is no overload. */
const weightMax = 0.25;

/** Measures how long the event loop keeps callbacks waiting: how much too late a timer is, as a running mean. */
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
