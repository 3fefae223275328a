import { createServer, request as sendRequest } from 'node:http';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { listChildren } from '../../support/programs/list-children.ts';
import { runNode } from '../../support/programs/run-node.ts';
import { findFreePort } from '../../support/servers/free-port.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** A primary with two workers, both of which serve. */
async function startWorkers() {
  const metricsPort = await findFreePort();
  const server = await startMarquee({
    WORKERS: '2',
    METRICS_PORT: String(metricsPort),
    LOG_REQUESTS: 'all',
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
function get(url: string): Promise<number> {
  return new Promise((done, fail) => {
    const request = sendRequest(url, { agent: false }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
    });
    request.once('error', fail).end();
  });
}

const listed = 'http_server_request_duration_seconds_count{route="/api/v1/openapi.json"';

test('two workers serve on one port, and their metrics are one page', async () => {
  const server = await startWorkers();
  expect(await server.isReady()).toBe(true);
  for (let count = 0; count < 40; count++) {
    expect(await get(`${server.url}/api/v1/openapi.json`)).toBe(200);
  }
  await expect.poll(() => server.readMetric(listed)).toBe(40);
  const served = server.lines().filter(({ msg }) => msg === 'request');
  expect(new Set(served.map(({ pid }) => pid))).toEqual(new Set(server.pids()));
  expect(await server.readMetric('marquee_workers{state="serving"}')).toBe(2);
  expect(await server.readMetric('marquee_check_ok{check="database"}')).toBe(1);
  expect(server.lines().filter(({ msg }) => msg === 'ready')).toHaveLength(1);
});

describe('what keeps the server from starting is one line', () => {
  const main = resolve(import.meta.dirname, '../../../lib/server/main.ts');

  async function start(environment: Environment) {
    const { HOME, PATH } = process.env;
    const settings = { HOST: '127.0.0.1', PORT: '0', WORKERS: '2', DATA_DIR: makeTestFolder() };
    return runNode([main], {
      environment: { HOME, PATH, NODE_ENV: 'production', ...settings, ...environment },
    });
  }

  test('a wrong setting', async () => {
    const { code, error } = await start({ WORKERS: '65' });
    expect(code).toBe(1);
    expect(error).toBe(
      'WORKERS is "65", but must be a whole number from 1 to 64, or max for one worker for each core of the machine.\n',
    );
  });

  test.for(['PORT', 'METRICS_PORT'])('a %s in use', async (name) => {
    const { port, close } = await listenOnLoopback(createServer());
    onTestFinished(close);
    const { code, error, out } = await start({ [name]: String(port) });
    expect(code).toBe(1);
    expect(error).toBe(`${name} is ${port}, but something else listens there already.\n`);
    expect(out.match(/start_failed/g)).toHaveLength(1);
  });
});
