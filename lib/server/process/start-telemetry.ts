import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Services } from '#lib/services.ts';
import { logRequests } from '#lib/telemetry/request-log.ts';
import { listenForMetrics } from './listen.ts';

/** How long a collector may take for the last spans. */
const flushMs = 2_000;

/** Starts what the operator has asked for: the request log, metrics, traces. @returns a function that ends them. */
export async function startTelemetry(
  publicServer: Server,
  services: Services,
): Promise<() => Promise<void>> {
  const { config, log } = services;
  logRequests({ which: config.logRequests, trustedHops: config.trustProxy, log });
  await startMetrics(publicServer, services);
  const endpoint = config.tracesEndpoint;
  if (endpoint === null) return async () => {};
  const { sendTraces } = await import('#lib/telemetry/otlp-traces.ts');
  const stopTraces = sendTraces({ endpoint, log });
  return () => Promise.race([stopTraces(), sleep(flushMs, undefined, { ref: false })]);
}

/** Serves metrics on a separate port, which must not be public. Those of workers are served by the primary. */
async function startMetrics(
  publicServer: Server,
  { config, health, database, disk, findCallQuota, shutdown }: Services,
): Promise<void> {
  if (config.metricsPort === null) return;
  const { measureMetrics } = await import('#lib/telemetry/measure-metrics.ts');
  const { read: readMetrics } = measureMetrics({
    readChecks: () => health.readCheap(),
    countConnections: promisify(publicServer.getConnections.bind(publicServer)),
    measureFreeBytes: disk.measureFreeBytes,
    measureAirtableCalls: findCallQuota,
    countDeliveries: database.deliveries.countWaiting,
    now: Date.now,
  });
  if (cluster.isWorker) {
    const { sendMetricsToPrimary } = await import('../workers/worker-metrics.ts');
    sendMetricsToPrimary(readMetrics);
    return;
  }
  await listenForMetrics(config, {
    readMetrics,
    readReadiness: () => health.readReadiness(shutdown.signal.aborted),
  });
}
