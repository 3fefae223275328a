import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Readiness } from './health.ts';

export type MetricsServerOptions = Readonly<{
  readMetrics: () => Promise<Pick<Registry, 'metrics' | 'contentType'>>;
  readReadiness: () => Promise<Readiness>;
}>;

/** Serves `/metrics` in Prometheus' text format, and `/health/ready` for the process as a whole. */
export function createMetricsServer(options: MetricsServerOptions): Server {
  return createServer((incoming, outgoing) => {
    respond(incoming.url, outgoing, options).catch(() => end(outgoing, 500, 'It failed.\n'));
  });
}

async function respond(
  url: string | undefined,
  outgoing: ServerResponse,
  { readMetrics, readReadiness }: MetricsServerOptions,
): Promise<void> {
  if (url === '/metrics') {
    const registry = await readMetrics();
    outgoing.setHeader('Content-Type', registry.contentType);
    end(outgoing, 200, await registry.metrics());
  } else if (url === '/health/ready') {
    const readiness = await readReadiness();
    outgoing.setHeader('Content-Type', 'application/json');
    end(outgoing, readiness.status === 'ready' ? 200 : 503, `${JSON.stringify(readiness)}\n`);
  } else {
    end(outgoing, 404, 'Metrics are at /metrics.\n');
  }
}

function end(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.statusCode = status;
  outgoing.end(text);
}
