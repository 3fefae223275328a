import { request as sendRequest } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { listChildren } from '../programs/list-children.ts';
import { findFreePort } from './free-port.ts';
import { startMarquee } from './marquee-server.ts';

/** A primary with two workers, both of which serve. */
export async function startWorkers(environment: Environment = {}) {
  const metricsPort = await findFreePort();
  const server = await startMarquee({
    WORKERS: '2',
    METRICS_PORT: String(metricsPort),
    LOG_REQUESTS: 'all',
    ...environment,
  });
  onTestFinished(server.stop);
  await expect.poll(server.logText).toContain('"workers":2,"msg":"ready"');
  const lines = () => server.logText().split('\n').filter(Boolean).map(toLine);
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  return {
    ...server,
    lines,
    pids: () => listChildren(server.pid),
    isReady: async () => (await fetch(`${metricsUrl}/health/ready`)).ok,
    async readMetric(name: string): Promise<number> {
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      const values = text.split('\n').filter((line) => line.startsWith(name));
      return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
  };
}

type Line = Readonly<{ msg: string; pid: number }>;

function toLine(text: string): Line {
  return JSON.parse(text);
}

/** On a connection of its own, so that any worker may get it. */
export function getAnew(url: string): Promise<number> {
  return new Promise((done, fail) => {
    const request = sendRequest(url, { agent: false }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
    });
    request.once('error', fail).end();
  });
}

/** Beginning of a metric. */
export const listRequests =
  'http_server_request_duration_seconds_count{route="/api/v1/openapi.json"';

/** Two workers serve on one port, and their metrics are one page. */
export async function expectOnePage(environment: Environment = {}): Promise<void> {
  const server = await startWorkers(environment);
  expect(await server.isReady()).toBe(true);
  for (let count = 0; count < 40; count++) {
    expect(await getAnew(`${server.url}/api/v1/openapi.json`)).toBe(200);
  }
  await expect.poll(() => server.readMetric(listRequests)).toBe(40);
  const served = server.lines().filter(({ msg }) => msg === 'request');
  expect(new Set(served.map(({ pid }) => pid))).toEqual(new Set(server.pids()));
  expect(await server.readMetric('marquee_workers{state="serving"}')).toBe(2);
  expect(await server.readMetric('marquee_check_ok{check="database"}')).toBe(1);
  expect(server.lines().filter(({ msg }) => msg === 'ready')).toHaveLength(1);
}
