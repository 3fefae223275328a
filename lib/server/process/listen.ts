import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { ConfigError } from '#lib/config/read-settings.ts';
import type { MetricsServerOptions } from '#lib/telemetry/metrics-server.ts';

type ListenOptions = Pick<Config, 'host' | 'port'>;
type Settings = Readonly<{ host: 'HOST' | 'METRICS_HOST'; port: 'PORT' | 'METRICS_PORT' }>;
type MetricsConfig = Pick<Config, 'metricsHost' | 'metricsPort'>;

/**
 * Listens on a port: a worker beside others, among which the kernel divides new connections. (The primary could hand
 * them out, but one that it has handed to a worker that is killed then hangs for ever.)
 * @throws ConfigError that names the setting, if that is impossible.
 */
export async function listen(
  server: Server,
  { host, port }: ListenOptions,
  settings: Settings = { host: 'HOST', port: 'PORT' },
): Promise<void> {
  server.listen({ port, ...(host !== null && { host }), reusePort: cluster.isWorker });
  try {
    await once(server, 'listening');
  } catch (error) {
    const problem = listenProblems[(error as NodeJS.ErrnoException).code ?? ''];
    if (problem === undefined) throw error;
    throw new ConfigError(problem(`${settings.host} is ${host}`, `${settings.port} is ${port}`));
  }
}

/** With PORT=0 the system chooses the port. The default of SITE_URL contains it, so the server listens first. */
export async function chooseFreePort(server: Server, config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  return loadConfig({ ...process.env, PORT: String(port) });
}

/** Serves metrics on METRICS_PORT, if it is set. @throws ConfigError if that is impossible. */
export async function listenForMetrics(
  { metricsHost: host, metricsPort: port }: MetricsConfig,
  options: MetricsServerOptions,
): Promise<void> {
  if (port === null) return;
  const { createMetricsServer } = await import('#lib/telemetry/metrics-server.ts');
  const server = createMetricsServer(options).unref();
  await listen(server, { host, port }, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
}

const listenProblems: Readonly<Record<string, (host: string, port: string) => string>> = {
  EADDRINUSE: (_, port) => `${port}, but something else listens there already.`,
  EACCES: (_, port) => `${port}, but this user may not listen there. Use 1024 or above.`,
  EADDRNOTAVAIL: (host) => `${host}, which is no address of this machine.`,
  ENOTSUP: () => 'WORKERS is more than 1, which this system cannot do. Linux can.',
  ENOTFOUND: (host) => `${host}, a name that leads to no address.`,
};
