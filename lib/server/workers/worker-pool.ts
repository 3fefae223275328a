import cluster, { type Worker } from 'node:cluster';
import { toWorkerEnvironment } from '#lib/config/config.ts';
import type { Log } from '#lib/http/log.ts';
import { isTooLarge, type TooLarge } from './watch-memory.ts';

type PoolOptions = Readonly<{
  /** How many. */
  count: number;
  /** The port on which all listen. */
  port: number;
  /** How long workers may take to end once they have been told to. */
  endMs: number;
  log: Log;
  /** Called once, when all serve. */
  onReady: () => void;
  /** Called when a worker has ended. */
  onEnded: (worker: Worker) => void;
  /** Called with the exit code when all have ended after `close`. */
  onClosed: (code: number) => void;
}>;

/** A place among the workers: when its process ends, another one takes it. */
type Place = {
  readonly index: number;
  worker: Worker | null;
  /** It finishes what it does, as soon as `worker` serves. */
  leaving: Worker | null;
  isServing: boolean;
  startedAt: number;
  /** How long the next process waits. */
  delayMs: number;
  timer?: NodeJS.Timeout;
};

/** What a worker sends once it serves. */
export const servingMessage = 'serving';
/** What a worker is sent once another has its place. */
export const drainMessage = 'drain';

const firstDelayMs = 100;
const delayMsMax = 30_000;
/** A worker that has lived for so long was not broken from the start. */
const stableMs = 60_000;

/**
 * Processes that serve on one port. Each that ends is replaced, the slower the more often that happens early. One that
 * takes too much memory finishes what it does once another serves in its place, one at a time.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #places: readonly Place[];
  #wasReady = false;
  /** Null until `close`. */
  #exitCode: number | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      index,
      worker: null,
      leaving: null,
      isServing: false,
      startedAt: 0,
      delayMs: firstDelayMs,
    }));
  }

  /** Starts the first worker, which migrates the database. The others start when it serves. */
  start(): void {
    for (const place of this.#places.slice(0, 1)) this.#fork(place);
  }

  /** Those that run. */
  get workers(): Worker[] {
    return this.#places.flatMap(({ worker, leaving }) => [worker ?? [], leaving ?? []].flat());
  }

  /** How many serve. */
  get serving(): number {
    if (this.#exitCode !== null) return 0;
    return this.#places.filter(({ isServing }) => isServing).length;
  }

  signal(name: NodeJS.Signals): void {
    for (const worker of this.workers) worker.process.kill(name);
  }

  /** Lets all workers finish what they do; those that take too long are killed. */
  close(exitCode = 0): void {
    this.#exitCode = exitCode;
    for (const { timer } of this.#places) clearTimeout(timer);
    this.signal('SIGTERM');
    setTimeout(() => {
      const pids = this.workers.map((worker) => worker.process.pid);
      this.#options.log.warn({ pids }, 'workers took too long to end and are killed');
      this.signal('SIGKILL');
    }, this.#options.endMs).unref();
    this.#endIfClosed();
  }

  #fork(place: Place): void {
    const worker = cluster.fork({
      ...toWorkerEnvironment({ index: place.index, count: this.#options.count }),
      PORT: String(this.#options.port),
    });
    place.worker = worker;
    place.startedAt = performance.now();
    worker.on('message', (message) => {
      if (message === servingMessage) this.#serve(place);
      else if (isTooLarge(message)) this.#replace(place, worker, message);
    });
    worker.once('exit', (code, signal) => {
      if (worker === place.leaving) this.#leave(place);
      else this.#end(place, { code, signal });
    });
    worker.on('error', ({ message }) => {
      // A process that could not be started has no exit.
      if (worker.process.pid === undefined) this.#end(place, { problem: message });
    });
  }

  #serve(place: Place): void {
    place.isServing = true;
    if (this.#exitCode !== null) return;
    // The callback takes the error of a worker that ends now.
    place.leaving?.send(drainMessage, () => {});
    for (const other of this.#places) if (other.startedAt === 0) this.#fork(other);
    if (this.#wasReady || this.serving < this.#options.count) return;
    this.#wasReady = true;
    this.#options.onReady();
  }

  #replace(place: Place, worker: Worker, { memoryBytes }: TooLarge): void {
    const isLeaving = this.#places.some(({ leaving }) => leaving !== null);
    if (this.#exitCode !== null || isLeaving || place.worker !== worker) return;
    place.leaving = worker;
    const fields = { worker: worker.process.pid, memoryBytes };
    this.#options.log.warn(fields, 'a worker takes too much memory and is replaced');
    this.#fork(place);
  }

  #leave(place: Place): void {
    if (place.leaving !== null) this.#options.onEnded(place.leaving);
    place.leaving = null;
    this.#endIfClosed();
  }

  #end(place: Place, end: Readonly<Record<string, unknown>>): void {
    const { worker, isServing, startedAt } = place;
    if (worker === null) return;
    place.worker = null;
    place.isServing = false;
    this.#options.onEnded(worker);
    if (this.#exitCode !== null) this.#endIfClosed();
    // It has said why: a wrong setting, or a port in use.
    else if (!this.#wasReady && !isServing && end.code === 1) this.close(1);
    else {
      const isStable = performance.now() - startedAt >= stableMs;
      const delayMs = isStable ? firstDelayMs : place.delayMs;
      place.delayMs = Math.min(delayMs * 2, delayMsMax);
      place.timer = setTimeout(() => this.#fork(place), delayMs);
      const fields = { worker: worker.process.pid, ...end, delayMs };
      this.#options.log.warn(fields, 'a worker has ended and is replaced');
    }
  }

  #endIfClosed(): void {
    if (this.#exitCode !== null && this.workers.length === 0)
      this.#options.onClosed(this.#exitCode);
  }
}
