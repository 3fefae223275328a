import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * Preloaded into a measured server: on SIGUSR2 it writes the longest turn of the event loop since the
 * last signal to a file.
 */
export type LoopDelay = Readonly<{
  /** The longest turn. */
  delayMs: number;
  /**
   * Of each turn only the CPU time that the process used in it, on all threads: on a shared machine the
   * rest may belong to other processes.
   */
  cpuMs: number;
}>;

export const toDelayFile = (pid: number): string => `${tmpdir()}/marquee-loop-delay-${pid}`;

let [delayMs, cpuMs] = [0, 0];
let [lastTurn, lastCpu] = [performance.now(), readCpuMs()];

setInterval(() => {
  const [now, cpu] = [performance.now(), readCpuMs()];
  delayMs = Math.max(delayMs, now - lastTurn);
  cpuMs = Math.max(cpuMs, Math.min(now - lastTurn, cpu - lastCpu));
  [lastTurn, lastCpu] = [now, cpu];
}, 1).unref();

process.on('SIGUSR2', () => {
  const delay: LoopDelay = { delayMs, cpuMs };
  writeFileSync(toDelayFile(process.pid), JSON.stringify(delay));
  [delayMs, cpuMs] = [0, 0];
});

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
