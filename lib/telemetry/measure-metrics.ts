import type { Registry } from 'prom-client';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { createMetrics } from './metrics.ts';
import { recordMetrics } from './record-metrics.ts';

type MeasuredParts = Readonly<{
  /** Which checks of /health/ready work, by name. */
  readChecks: () => Promise<ReadonlyMap<string, boolean>>;
  countConnections: () => Promise<number>;
  measureAirtableCalls: () => Promise<Readonly<{ used: number; projected: number }>>;
  /** Those that wait, by kind. */
  countDeliveries: () => Promise<Readonly<Record<string, number>>>;
  /** Of the disk of DATA_DIR. */
  measureFreeBytes: () => Promise<number>;
  now: () => number;
}>;

/** Prometheus gives up after ten seconds, and would count the instance as down. */
const patienceMs = 1_000;

/** The metrics of this process, which are counted from now on. */
export function measureMetrics(parts: MeasuredParts) {
  const metrics = createMetrics(parts.now);
  const stop = recordMetrics(metrics);

  async function measureAirtableCalls(): Promise<void> {
    const { used, projected } = await parts.measureAirtableCalls();
    metrics.airtableCallsUsed.set(used);
    metrics.airtableCallsProjected.set(projected);
  }

  async function countDeliveries(): Promise<void> {
    for (const [kind, count] of Object.entries(await parts.countDeliveries())) {
      metrics.deliveriesWaiting.set({ kind }, count);
    }
  }

  /** With what is measured when it is asked for, rather than counted; of what hangs or fails, the last numbers stay. */
  async function read(): Promise<Registry> {
    const measurements = [
      parts.countConnections().then((count) => metrics.connections.set(count)),
      parts.measureFreeBytes().then((bytes) => metrics.freeBytes.set(bytes)),
      measureAirtableCalls(),
      countDeliveries(),
    ];
    await Promise.allSettled(measurements.map((work) => withTimeout(work, patienceMs)));
    for (const [check, works] of await parts.readChecks()) {
      metrics.checks.set({ check }, works ? 1 : 0);
    }
    return metrics.registry;
  }

  return { read, stop };
}
