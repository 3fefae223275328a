import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Preloaded into a server under measurement: on SIGUSR2 it writes the longest time that the event loop
 * was held since the last signal (ms) to a file, and starts over.
 */
const histogram = monitorEventLoopDelay({ resolution: 1 });
histogram.enable();

export const toDelayFile = (pid: number): string => `${tmpdir()}/marquee-loop-delay-${pid}`;

process.on('SIGUSR2', () => {
  writeFileSync(toDelayFile(process.pid), String(histogram.max / 1e6));
  histogram.reset();
});
