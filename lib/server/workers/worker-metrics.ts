import type { Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { withTimeout } from '#lib/http/with-timeout.ts';

type Metrics = readonly MetricObjectWithValues<MetricValue<string>>[];

const request = 'read metrics';
/** A worker runs its checks first, which takes two seconds at most. */
const replyMs = 5_000;

/** In a worker: sends its metrics whenever the primary asks for them. */
export function sendMetricsToPrimary(readMetrics: () => Promise<Registry>): void {
  process.on('message', async (message) => {
    if (message !== request) return;
    const metrics: Metrics = await (await readMetrics()).getMetricsAsJSON();
    // The primary may have ended meanwhile.
    process.send?.(metrics, undefined, {}, () => {});
  });
}

type Pool = Readonly<{ workers: readonly Worker[]; serving: number }>;

/** In the primary: the metrics of all workers as one page. What ended workers have counted stays in it. */
export class WorkerMetrics {
  readonly #count: number;
  readonly #latest = new Map<Worker, Metrics>();
  readonly #own = new Registry();
  readonly #workers: Gauge<'state'>;
  #ended = Promise.resolve<Metrics>([]);

  /** @param count how many workers there should be */
  constructor(count: number) {
    this.#count = count;
    const registers = [this.#own];
    this.#workers = new Gauge({
      name: 'marquee_workers',
      help: 'Worker processes: those that serve, and those that are starting or wait for it.',
      labelNames: ['state'],
      registers,
    });
    const startTime = new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
      // Those of workers are left out.
      aggregator: 'first',
      registers,
    });
    startTime.set(Math.round(Date.now() / 1000 - process.uptime()));
  }

  /** The latest known values of a worker stand for it while it does not reply. */
  async read({ workers, serving }: Pool): Promise<Registry> {
    await Promise.all(workers.map((worker) => this.#ask(worker).catch(() => {})));
    this.#workers.set({ state: 'serving' }, serving);
    this.#workers.set({ state: 'missing' }, this.#count - serving);
    const own: Metrics = await this.#own.getMetricsAsJSON();
    const ended = await this.#ended;
    // The first one of a name says how its values are put together.
    return AggregatorRegistry.aggregate([own, ...this.#latest.values(), ended]);
  }

  /** Counters must not go down where a worker ends: Prometheus would take that for a new start of all. */
  end(worker: Worker): void {
    const counted = this.#latest.get(worker)?.filter(({ type }) => String(type) !== 'gauge');
    this.#latest.delete(worker);
    if (counted === undefined) return;
    this.#ended = this.#ended.then((before) =>
      AggregatorRegistry.aggregate([before, counted]).getMetricsAsJSON(),
    );
  }

  async #ask(worker: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<Metrics>();
    const onMessage = (message: unknown) => {
      // The other message is that it serves.
      if (Array.isArray(message)) resolve(message);
    };
    worker.on('message', onMessage);
    try {
      // The callback takes the error of a worker that ends now.
      worker.send(request, () => {});
      this.#latest.set(worker, await withTimeout(promise, replyMs));
    } finally {
      worker.off('message', onMessage);
    }
  }
}
