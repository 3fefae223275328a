import type { Log } from './log.ts';

export type LoadMonitorOptions = Readonly<{
  /** 0: it never has too much to do. */
  delayMsMax: number;
  log: Log;
}>;

/** Whether this process has more to do than it can. */
export type LoadMonitor = Readonly<{ isOverloaded: () => boolean; close: () => void }>;

const sampleMs = 100;
/** How far back the mean reaches. */
const memoryMs = 1000;

/** Measures how long the event loop keeps callbacks waiting: how much too late a timer is, as a running mean. */
export function createLoadMonitor({ delayMsMax, log }: LoadMonitorOptions): LoadMonitor {
  if (delayMsMax === 0) return { isOverloaded: () => false, close() {} };
  let isOverloaded = false;
  let meanMs = 0;
  let lastAt = performance.now();
  const timer = setInterval(sample, sampleMs).unref();

  function sample(): void {
    const now = performance.now();
    const elapsedMs = now - lastAt;
    lastAt = now;
    const weight = Math.min(1, elapsedMs / memoryMs);
    meanMs += (Math.max(0, elapsedMs - sampleMs) - meanMs) * weight;
    if (isOverloaded === meanMs > delayMsMax) return;
    isOverloaded = !isOverloaded;
    const fields = { delayMs: Math.round(meanMs), delayMsMax };
    if (isOverloaded) log.warn(fields, 'overloaded: pages and the AI proxy respond 503');
    else log.info(fields, 'no longer overloaded');
  }

  return { isOverloaded: () => isOverloaded, close: () => clearInterval(timer) };
}
