import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Config } from '#lib/config/config.ts';
import { createLog } from '#lib/telemetry/log.ts';
import { chooseFreePort, listen, listenForMetrics } from '../process/listen.ts';
import { WorkerMetrics } from './worker-metrics.ts';
import { WorkerPool } from './worker-pool.ts';
import { WorkerReads } from './worker-reads.ts';

/** Beyond SHUTDOWN_SECONDS: deliveries under way end, and usage is recorded. systemd and Docker wait for 20 s in all. */
const closeMs = 8_000;

/** Runs the process that starts the workers, replaces those that end, and passes signals on. It serves only metrics. */
export async function runPrimary(initialConfig: Config): Promise<void> {
  const config = await findPort(initialConfig);
  const { workers: count, port, shutdownSeconds, site } = config;
  const log = createLog(config);
  const metrics = new WorkerMetrics(count);
  const reads = new WorkerReads();
  cluster.on('message', (worker, message) => reads.receive(worker, message));
  // Some metrics are NaN, for which JSON has no value.
  cluster.setupPrimary({ serialization: 'advanced' });
  const pool = new WorkerPool({
    count,
    port,
    endMs: shutdownSeconds * 1000 + closeMs,
    log,
    onReady: () => log.info({ port, site: site.url, workers: count }, 'ready'),
    onEnded(worker) {
      metrics.end(worker);
      reads.end(worker);
    },
    onClosed: (code) => process.exit(code),
  });
  await listenForMetrics(config, {
    readMetrics: () => metrics.read(pool),
    async readReadiness() {
      const isReady = pool.serving === count;
      const reason = `${pool.serving} of ${count} workers serve.`;
      return {
        status: isReady ? 'ready' : 'not ready',
        reasons: isReady ? [] : [{ check: 'workers', reason }],
        warnings: [],
      };
    },
  });
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isClosing) {
        pool.signal('SIGKILL');
        process.exit(1);
      }
      isClosing = true;
      log.info({ signal }, 'closing');
      pool.close();
    });
  }
  process.on('SIGHUP', () => pool.signal('SIGHUP'));
  pool.start();
}

/** The port is free, and known before there are workers, each of which has it in its settings. */
async function findPort(initialConfig: Config): Promise<Config> {
  const server = createServer();
  const config = await chooseFreePort(server, initialConfig);
  if (!server.listening) await listen(server, config);
  server.close();
  await once(server, 'close');
  return config;
}
