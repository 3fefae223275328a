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

const databaseTimeoutMs = 2_000;

/** The metrics of this process, which are counted from now on. */
export function measureMetrics(parts: MeasuredParts) {
  const { readChecks, countConnections, measureFreeBytes, measureAirtableCalls, countDeliveries } =
    parts;
  const metrics = createMetrics(parts.now);
  const stop = recordMetrics(metrics);

  /** With what is measured when it is asked for, rather than counted. */
  async function read(): Promise<Registry> {
    for (const [check, works] of await readChecks()) metrics.checks.set({ check }, works ? 1 : 0);
    metrics.connections.set(await countConnections());
    metrics.freeBytes.set(await measureFreeBytes());
    const calls = await measureAirtableCalls();
    metrics.airtableCallsUsed.set(calls.used);
    metrics.airtableCallsProjected.set(calls.projected);
    // While the database is away, the last numbers stay.
    const deliveries = await withTimeout(countDeliveries(), databaseTimeoutMs).catch(() => ({}));
    for (const [kind, count] of Object.entries(deliveries)) {
      metrics.deliveriesWaiting.set({ kind }, count);
    }
    return metrics.registry;
  }

  return { read, stop };
}
