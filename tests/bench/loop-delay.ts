import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * Preloaded into a server under measurement: on SIGUSR2 it writes the longest delays of the event loop
 * since the last signal to a file, and starts over.
 */
export type LoopDelay = Readonly<{
  /** ms from one turn of the loop to the next, at most. */
  delayMs: number;
  /**
   * The same, but of each turn only as much as the process used its processors meanwhile, on all of its
   * threads: the rest is time in which a shared machine ran something else.
   */
  ownMs: number;
}>;

let [delayMs, ownMs] = [0, 0];
let turnedAt = performance.now();
let usedMs = readUsedMs();

setInterval(() => {
  const now = performance.now();
  const used = readUsedMs();
  const passed = now - turnedAt;
  delayMs = Math.max(delayMs, passed);
  ownMs = Math.max(ownMs, Math.min(passed, used - usedMs));
  [turnedAt, usedMs] = [now, used];
}, 1).unref();

export const toDelayFile = (pid: number): string => `${tmpdir()}/marquee-loop-delay-${pid}`;

process.on('SIGUSR2', () => {
  const delay: LoopDelay = { delayMs, ownMs };
  writeFileSync(toDelayFile(process.pid), JSON.stringify(delay));
  [delayMs, ownMs] = [0, 0];
});

function readUsedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
