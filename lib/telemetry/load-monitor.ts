import type { Log } from '#lib/http/log.ts';
import { channels, type RequestBegun, type SlowQuery } from './channels.ts';

export type LoadMonitorOptions = Readonly<{
  log: Log;
  /** Mean delay above which the process is overloaded. */
  delayMsMax?: number;
  /** Time window of the mean. */
  memoryMs?: number;
}>;

const sampleMs = 100;
/** What is shorter delays nobody, and may be counted as part of what follows. */
const shortMs = 10;
/** Largest weight of one sample, so that starting or resuming the process does not count as overload. */
const weightMax = 0.25;

/**
 * Whether this process is overloaded: how late a timer fires, as a running mean, by the CPU time of this thread. What
 * the thread has waited for a processor, because the machine is busy with others, does not count.
 */
export class LoadMonitor {
  isOverloaded = false;
  readonly #options: Required<LoadMonitorOptions>;
  readonly #timer: NodeJS.Timeout;
  #meanMs = 0;
  #sampledAtMs = performance.now();
  #sampledCpuMs = readThreadCpuMs();
  /** What began last; when it was last counted, and the CPU time then. */
  #latest = { describe: describeStart, countedAtMs: this.#sampledAtMs, cpuMs: this.#sampledCpuMs };
  /** What has held the event loop longest of late. */
  #longest = { describe: describeStart, heldMs: 0 };

  constructor({ delayMsMax = 1_000, memoryMs = 5_000, log }: LoadMonitorOptions) {
    this.#options = { log, delayMsMax, memoryMs };
    this.#timer = setInterval(this.#sample, sampleMs).unref();
    channels.requestBegun.subscribe(this.#onRequest);
    channels.slowQuery.subscribe(this.#onSlowQuery);
  }

  close(): void {
    clearInterval(this.#timer);
    channels.requestBegun.unsubscribe(this.#onRequest);
    channels.slowQuery.unsubscribe(this.#onSlowQuery);
  }

  readonly #sample = () => {
    const { delayMsMax, memoryMs, log } = this.#options;
    const [now, cpuMs] = [performance.now(), readThreadCpuMs()];
    const weight = Math.min(weightMax, (now - this.#sampledAtMs) / memoryMs);
    const delayMs = Math.max(0, cpuMs - this.#sampledCpuMs - sampleMs);
    this.#sampledAtMs = now;
    this.#sampledCpuMs = cpuMs;
    this.#meanMs += (Math.min(delayMs, 2 * delayMsMax) - this.#meanMs) * weight;
    this.#longest.heldMs *= 1 - weight;
    this.#count(this.#latest.describe);
    if (this.isOverloaded === this.#meanMs > delayMsMax) return;
    this.isOverloaded = !this.isOverloaded;
    const fields = { delayMs: Math.round(this.#meanMs), delayMsMax };
    if (!this.isOverloaded) log.info(fields, 'no longer overloaded');
    else {
      const longest = this.#longest.describe();
      log.warn({ ...fields, longest }, 'overloaded: pages and the AI proxy respond 503');
    }
  };

  readonly #onRequest = (request: RequestBegun) => {
    // Reading the CPU time at each request would be 2.4 % of a plain one.
    const isShort = performance.now() - this.#latest.countedAtMs < shortMs;
    if (!isShort) this.#count(this.#latest.describe);
    this.#latest.describe = () => `${request.method} ${request.route}`;
  };

  readonly #onSlowQuery = ({ name, durationMs }: SlowQuery) => {
    // PostgreSQL, or a thread, takes its time elsewhere.
    const hasHeld = readThreadCpuMs() - this.#latest.cpuMs > durationMs / 2;
    this.#count(hasHeld ? () => name : this.#latest.describe);
  };

  /** Counts the CPU time since the last count as that of one piece of work. */
  #count(describe: () => string): void {
    const cpuMs = readThreadCpuMs();
    const heldMs = cpuMs - this.#latest.cpuMs;
    this.#latest.cpuMs = cpuMs;
    this.#latest.countedAtMs = performance.now();
    if (heldMs > this.#longest.heldMs) this.#longest = { describe, heldMs };
  }
}

function describeStart(): string {
  return 'start';
}

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
