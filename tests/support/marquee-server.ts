import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, loadConfig } from '#lib/config/config.ts';
import {
  type AirtableServer,
  type AirtableServerOptions,
  startAirtableServer,
} from '#lib/demo/airtable/airtable-server.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { createRequestHandler } from '#lib/server/request-handler.ts';
import { createResponseCache } from '#lib/server/response-cache.ts';
import { loadRoutes } from '#lib/server/route-table.ts';
import { createTextResponse } from '#lib/server/send-response.ts';
import { createServices, type Services, setServices } from '#lib/services.ts';
import { findFreePort } from './free-port.ts';
import { createTestLog } from './test-log.ts';

/** A server that answers at `url`, and everything that it has logged. */
export type MarqueeServer = Readonly<{
  url: string;
  port: number;
  logText: () => string;
  stop: () => Promise<void>;
}>;

export type MarqueeServerInProcess = MarqueeServer & Readonly<{ services: Services }>;

type Way = 'front' | 'next';

const root = `${import.meta.dirname}/../..`;
const commands: Readonly<Record<Way, readonly string[]>> = {
  front: ['lib/server/main.ts', '--no-warm-up'],
  next: ['node_modules/next/dist/bin/next', 'start', '--hostname', 'localhost'],
};
// Machines that do much else at the time are slow to start a process; one that fails ends by itself.
const readyWithinMs = 60_000;
const endsWithinMs = 3_000;

/** The address that links are made with: no server listens there. */
export const siteUrl = 'https://events.example';

/** A token that stands out: a test looks for it in answers and logs. */
export const secretToken = 'patSecret0000001.not-for-anyone-to-see';

// Nothing that a test keeps may be found by the next one.
const dataDir = mkdtempSync(join(tmpdir(), 'marquee-data-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
let servers = 0;
const toDataDir = () => join(dataDir, String(servers++));

// Whatever ends the tests ends their servers.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The stand-in for the upstream, with the sample table, and no limit on requests unless one is given. */
export function startTable(options: Partial<AirtableServerOptions> = {}): Promise<AirtableServer> {
  return startAirtableServer({
    token: secretToken,
    baseId: 'appTest0000000000',
    table: 'Events',
    records: () => sampleRecords({ today: toDay(Date.now()) }),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    ...options,
  });
}

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Settings that lead a server to a table. */
export function toTableSettings({ url, token, baseId, table }: AirtableServer): Environment {
  return {
    AIRTABLE_API_URL: url,
    AIRTABLE_TOKEN: token,
    AIRTABLE_BASE_ID: baseId,
    AIRTABLE_TABLE: table,
  };
}

/**
 * Starts the built server as a process of its own: as `npm start` does, or by Next alone.
 * @throws Error with what it printed, where it does not come up.
 */
export async function startMarquee(environment: Environment, way: Way = 'front') {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, commands[way], {
    cwd: root,
    env: { ...toCleanEnvironment(), DATA_DIR: toDataDir(), ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const server: MarqueeServer = { url, port, logText: () => printed, stop: () => end(child) };
  await waitUntilReady(server, child);
  return { ...server, terminate: () => terminate(child) };
}

/**
 * Starts the front in this process, where its clock can be moved. Pages are a stub that says `page`:
 * what Next does is tested with processes. One at a time, since routes find their services globally.
 */
export async function startMarqueeInProcess(
  environment: Environment,
  effects: Readonly<{ now?: () => number }> = {},
): Promise<MarqueeServerInProcess> {
  const log = createTestLog();
  const config = loadConfig({ SITE_URL: siteUrl, DATA_DIR: toDataDir(), ...environment });
  const services = setServices(createServices(config, { ...effects, log }));
  const server = createServer(
    createRequestHandler({
      services,
      routes: await loadRoutes(),
      pages: async () => createTextResponse(200, 'page'),
      files: { respond: () => null },
      cache: createResponseCache(),
      developmentHandler: null,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    services,
    url: `http://127.0.0.1:${port}`,
    port,
    logText: log.text,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

// Settings of whoever runs the tests must not reach the server under test.
function toCleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    ...(TMPDIR !== undefined && { TMPDIR }),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_URL: siteUrl,
  };
}

async function waitUntilReady({ url, logText }: MarqueeServer, child: ChildProcess) {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const answered = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await delay(50);
  }
  const ended = child.exitCode === null ? 'It still ran' : `It ended with ${child.exitCode}`;
  await end(child);
  throw new Error(`The server did not come up. ${ended}, and had printed:\n${logText()}`);
}

/** Asks the process to end, as whoever runs it does, and waits as long as it takes: its exit code. */
async function terminate(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  children.delete(child);
  return code;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
  await ended;
  clearTimeout(timer);
  children.delete(child);
}
