import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, loadConfig } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { createTextResponse } from '#lib/http/response.ts';
import { createRoutes } from '#lib/server/load-routes.ts';
import type { Pages } from '#lib/server/rendering/pages.ts';
import { createRequestHandler } from '#lib/server/request-handler.ts';
import { createResponseCache } from '#lib/server/response-cache.ts';
import { createServices, type Effects, type Services, setServices } from '#lib/services.ts';
import { createBalanceStore } from '#lib/spend/store/balance-store.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';
import {
  type RecordSource,
  startTestAirtable,
  type TestAirtable,
  type TestAirtableOptions,
} from '../airtable/test-airtable.ts';
import { patienceMs } from '../patience.ts';
import { createTestLog } from '../test-log.ts';
import { copyDatabase } from './copy-database.ts';
import { findFreePort } from './free-port.ts';
import { listenOnLoopback } from './loopback-server.ts';

/** A running server, and everything that it has logged. It stops with the scope, too. */
export type MarqueeServer = AsyncDisposable &
  Readonly<{
    url: string;
    port: number;
    logText: () => string;
    /** Every test that spends ends with `checkBooks`. @throws Error if a balance drifts. */
    stop: () => Promise<void>;
  }>;

export type MarqueeServerInProcess = MarqueeServer & Readonly<{ services: Services }>;

type Command = 'npm start' | 'next start';

const root = `${import.meta.dirname}/../../..`;
const commands: Readonly<Record<Command, readonly string[]>> = {
  'npm start': ['--disable-warning=ExperimentalWarning', 'lib/server/main.ts', '--no-warm-up'],
  'next start': ['node_modules/next/dist/bin/next', 'start', '--hostname', 'localhost'],
};
const endsWithinMs = 3_000;

/** The base URL of absolute links; no server listens there. */
export const siteUrl = 'https://events.example';

/** A recognizable token: tests check that no response and no log contains it. */
export const secretToken = 'patSecret0000001.not-for-anyone-to-see';

// Tests share no stored data.
const dataDir = mkdtempSync(join(tmpdir(), 'marquee-data-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
let servers = 0;
const toDataDir = () => join(dataDir, String(servers++));

// Servers end with the tests.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export type Table = TestAirtable & AsyncDisposable;

/** Starts a local Airtable server with the sample table, by default without a rate limit. */
export async function startTable(options: Partial<TestAirtableOptions> = {}): Promise<Table> {
  const table = await startTestAirtable({
    token: secretToken,
    baseId: 'appTest0000000000',
    table: 'Events',
    records: () => sampleRecords({ today: toDay(Date.now()) }),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    ...options,
  });
  return { ...table, [Symbol.asyncDispose]: table.close };
}

/** Of all servers with a table. `npm test` sets one in which no day ends during the run. */
const timeZone = process.env.MARQUEE_TEST_ZONE ?? 'UTC';

/** The day of a moment on these servers, as `YYYY-MM-DD`. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toLocaleDateString('sv-SE', { timeZone });
}

/** The settings for a server that reads this table. */
export function toTableSettings({ url, token, baseId, table }: TestAirtable): Environment {
  return {
    AIRTABLE_API_URL: url,
    AIRTABLE_TOKEN: token,
    AIRTABLE_BASE_ID: baseId,
    AIRTABLE_TABLE: table,
    EVENTS_TIME_ZONE: timeZone,
  };
}

/**
 * Starts the built server as its own process.
 * @throws Error with its output if it does not start.
 */
export async function startMarquee(environment: Environment, command: Command = 'npm start') {
  const port = Number(environment.PORT) || (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const { DATA_DIR = toDataDir(), DATABASE_URL } = environment;
  const storage = { databaseUrl: DATABASE_URL || null, dataDir: DATA_DIR };
  const child = spawn(process.execPath, commands[command], {
    cwd: root,
    env: { ...toCleanEnvironment(), ...environment, DATA_DIR, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const stop = async () => {
    await end(child);
    await checkBooks(storage);
  };
  const server = { url, port, logText: () => output, stop, [Symbol.asyncDispose]: stop };
  await waitUntilReady(server, child);
  return {
    ...server,
    dataDir: DATA_DIR,
    /** Of the only process, or of the primary of several workers. */
    pid: child.pid ?? 0,
    /** Stops it without a time limit. */
    async terminate() {
      const exitCode = await signal(child, 'SIGTERM');
      await checkBooks(storage);
      return exitCode;
    },
    /** Its books are checked when the next server with its data stops. */
    kill: () => signal(child, 'SIGKILL'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}

/**
 * Starts the request handler in this process, under a clock of the test. Pages are a stub: `page`. Only one
 * at a time, since routes find their services globally.
 */
export async function startMarqueeInProcess(
  environment: Environment,
  effects: Omit<Effects, 'log'> = {},
): Promise<MarqueeServerInProcess> {
  const log = createTestLog();
  const config = loadConfig({
    SITE_URL: siteUrl,
    DATA_DIR: toDataDir(),
    ...environment,
  });
  if (environment.DATA_DIR === undefined) await copyDatabase(config.storage.dataDir);
  const services = setServices(createServices(config, { ...effects, log }));
  const requestHandler = createHandler(services);
  // A connection that is not used would be closed after 5 s, also while a request is on its way.
  const server = createServer({ keepAliveTimeout: 75_000 }, requestHandler);
  server.on('checkContinue', requestHandler);
  const { url, port, close } = await listenOnLoopback(server);
  let stopped: Promise<void> | null = null;
  async function end(): Promise<void> {
    await close();
    await services.close();
    await checkBooks(config.storage);
  }
  const stop = () => {
    stopped ??= end();
    return stopped;
  };
  return { services, url, port, logText: log.text, stop, [Symbol.asyncDispose]: stop };
}

const pageStub = async () => createTextResponse(200, 'page');

/** The request handler without files, by default with the same stub for every page. */
export function createHandler(services: Services, pages: Pages = pageStub) {
  return createRequestHandler({
    services,
    routes: createRoutes(),
    pages,
    files: { respond: () => null },
    cache: createResponseCache(),
    developmentHandler: null,
  });
}

type SiteOptions = Readonly<{
  /** Rows instead of the sample. */
  records?: RecordSource;
  /** Beside those that lead to the table. */
  settings?: Environment;
}>;

/** A table, and the built server that reads it. Both stop with the scope. */
export function startSite(options: SiteOptions = {}, command?: Command) {
  return withTable(options, (settings) => startMarquee(settings, command));
}

/** The same with a server in this process. */
export function startSiteInProcess(options: SiteOptions = {}, effects?: Omit<Effects, 'log'>) {
  return withTable(options, (settings) => startMarqueeInProcess(settings, effects));
}

async function withTable<T extends MarqueeServer>(
  { records, settings: more }: SiteOptions,
  start: (settings: Environment) => Promise<T>,
) {
  const table = await startTable(records && { records });
  const settings = { ...toTableSettings(table), ...more };
  const server = await start(settings);
  return {
    ...server,
    table,
    settings,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await table.close();
    },
  };
}

// Without the settings of the user that runs the tests.
export function toCleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const inherited = Object.entries({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE });
  return {
    ...Object.fromEntries(inherited.filter(([, value]) => value !== undefined)),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_URL: siteUrl,
  };
}

async function waitUntilReady({ url, logText }: MarqueeServer, child: ChildProcess) {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const isReady = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await delay(50);
  }
  const ended =
    child.exitCode === null ? 'It is still running' : `It exited with ${child.exitCode}`;
  await end(child);
  throw new Error(`The server did not start. ${ended}. Its output:\n${logText()}`);
}

/** Waits without a timeout, and returns the exit code. */
async function signal(child: ChildProcess, name: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(name);
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

/**
 * What `npm run doctor -- --books` checks, for each server that a test stops. A database that is away has no books.
 * @throws Error that names the balances that are not the sums of their usage.
 */
async function checkBooks(storage: DatabaseOptions): Promise<void> {
  if (!(await hasDatabase(storage).catch(() => false))) return;
  const database = await openDatabase(storage);
  try {
    // Without the thread for long reads, whose start takes most of the time of a small test.
    const books = createBalanceStore({ ...database, readLong: database.run });
    const [drifts, setAside] = [await books.audit(), await database.usage.listSetAside()];
    if (drifts.length + setAside.length === 0) return;
    throw new Error(`The books are wrong: ${JSON.stringify({ drifts, setAside })}`);
  } finally {
    await database.close();
  }
}
