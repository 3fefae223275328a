import { createServer, type Server, type ServerResponse } from 'node:http';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { type Check, runChecks } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { recordMetrics } from './record-metrics.ts';

type MetricsOptions = Readonly<{
  /** Those of /health/ready, but for the one that may read the table. */
  checks: readonly Check[];
  countConnections: () => Promise<number>;
  measureAirtableCalls: () => Promise<Readonly<{ used: number; projected: number }>>;
  /** Those that wait, by kind. */
  countDeliveries: () => Promise<Readonly<Record<string, number>>>;
  /** Of the disk of DATA_DIR. */
  measureFreeBytes: () => Promise<number>;
  now: () => number;
}>;

const databaseTimeoutMs = 2_000;

/** Serves `/metrics` in Prometheus' text format, and counts from now on. It stops counting when it is closed. */
export function createMetricsServer(options: MetricsOptions): Server {
  const metrics = createMetrics(options.now);
  const stopRecording = recordMetrics(metrics);
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/metrics') return end(outgoing, 404, 'Metrics are at /metrics.\n');
    respond(outgoing, metrics, options).catch(() => end(outgoing, 500, 'It failed.\n'));
  });
  return server.on('close', stopRecording);
}

async function respond(
  outgoing: ServerResponse,
  metrics: Metrics,
  options: MetricsOptions,
): Promise<void> {
  await measure(metrics, options);
  const text = await metrics.registry.metrics();
  outgoing.setHeader('Content-Type', metrics.registry.contentType);
  end(outgoing, 200, text);
}

/** What is measured when it is asked for, rather than counted. */
async function measure(metrics: Metrics, options: MetricsOptions): Promise<void> {
  const { checks, countConnections, measureFreeBytes, measureAirtableCalls, countDeliveries } =
    options;
  const problems = await runChecks(checks);
  const failed = new Set(problems.flatMap(({ isOk, problem }) => (isOk ? [] : problem.check)));
  for (const { name } of checks) metrics.checks.set({ check: name }, failed.has(name) ? 0 : 1);
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
}

function end(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.statusCode = status;
  outgoing.end(text);
}
