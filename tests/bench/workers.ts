import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requirePrograms } from '../programs.ts';
import { format, measureInTurns, median, medianRatio, printTable } from './figures.ts';
import {
  type Checkout,
  checkoutOptions,
  createKey,
  makeDataDir,
  openCheckouts,
  startCheckout,
} from './servers/checkout.ts';
import { startEventsTable } from './servers/events-table.ts';
import { readCpu, type ServerProcess, startServerProcess } from './servers/server-process.ts';
import { load } from './wrk.ts';

/**
 * `npm run bench:workers`: what WORKERS=2 serves beside WORKERS=1, in turns. So that load generator and upstream never
 * are the limit, each process of a server gets `--percent` of a core (cpulimit). `cores` is what a server had of them.
 */
const { values } = parseArgs({
  options: {
    ...checkoutOptions,
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    percent: { type: 'string', default: '25' },
  },
});

type Subject = Readonly<{
  workers: number;
  server: ServerProcess;
  headers: Readonly<Record<string, string>>;
}>;

requirePrograms(['wrk', 'taskset', 'cpulimit']);
const { current } = await openCheckouts(values);
const { airtable, environment } = await startEventsTable();
const upstream = await startServerProcess(['tests/bench/proxy/upstream.ts'], {
  path: '/v1/models',
  processor: 'any',
});
const subjects = [await start(current, 1), await start(current, 2)];

const body = JSON.stringify({
  model: 'bench/json',
  messages: [{ role: 'user', content: 'count to 20' }],
});
const loads = {
  page: { path: '/' },
  'list, cached': { path: '/api/v1/events' },
  // Each request is one that no other has sent.
  'list, searched': { path: '/', script: toCountingScript('/api/v1/events?limit=20&q=a') },
  'proxied JSON': { path: '/proxy/v1/chat/completions', body },
};

const rows: string[][] = [];
for (const [name, load] of Object.entries(loads)) {
  const results = await measureInTurns(subjects, Number(values.rounds), ({ server, headers }) =>
    measure(server, { ...load, headers }),
  );
  const [single = [], double = []] = subjects.map((subject) => results.get(subject) ?? []);
  const column = (list: typeof single, key: 'requestsPerSecond' | 'cpuMicroseconds' | 'cores') =>
    list.map((result) => result[key]);
  const ratio = (key: 'requestsPerSecond' | 'cpuMicroseconds') =>
    format(medianRatio(column(double, key), column(single, key)), 2);
  rows.push([
    name,
    ...[single, double].flatMap((list) => [
      format(median(column(list, 'requestsPerSecond'))),
      format(median(column(list, 'cpuMicroseconds'))),
      format(median(column(list, 'cores')), 2),
    ]),
    ratio('requestsPerSecond'),
    ratio('cpuMicroseconds'),
  ]);
}
printTable(
  ['load', '1: req/s', 'µs CPU', 'cores', '2: req/s', 'µs CPU', 'cores', 'req/s ×', 'µs ×'],
  rows,
);
for (const { workers, server } of subjects) {
  const all = listProcesses(server.pid).map(readMemoryMb).join(' + ');
  process.stdout.write(`WORKERS=${workers}: ${all} MB\n`);
}
await Promise.all([...subjects.map(({ server }) => server.stop()), upstream.stop()]);
await airtable.close();

async function start(checkout: Checkout, workers: number): Promise<Subject> {
  const dataDir = makeDataDir();
  const key = createKey(checkout, dataDir);
  const server = await startCheckout(checkout, {
    environment: {
      ...environment,
      DATA_DIR: dataDir,
      WORKERS: String(workers),
      AI_UPSTREAM_URL: `${upstream.url}/v1`,
      AI_UPSTREAM_KEY: 'sk-bench',
      AI_MODELS: 'bench/*',
    },
    path: '/proxy/v1/models',
    processor: 'any',
  });
  const processes = workers === 1 ? 1 : workers + 1;
  while (listProcesses(server.pid).length < processes) await delay(100);
  await delay(5_000);
  for (const pid of listProcesses(server.pid)) limitCpu(pid);
  const headers = {
    'Accept-Encoding': 'br',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${key}`,
  };
  return { workers, server, headers };
}

/** It ends with the process. */
function limitCpu(pid: number): void {
  spawn('cpulimit', ['-l', values.percent, '-p', String(pid), '-z'], { stdio: 'ignore' });
}

async function measure(
  server: ServerProcess,
  options: Readonly<{
    path: string;
    headers: Subject['headers'];
    body?: string;
    script?: string;
  }>,
) {
  const seconds = Number(values.seconds);
  const withWorkers = {
    ...server,
    cpuMicroseconds: () => listProcesses(server.pid).reduce((sum, pid) => sum + readCpu(pid), 0),
  };
  const connections = Number(values.connections);
  // A process that waits for its share may let wrk's time-out pass.
  const result = await load(withWorkers, { ...options, connections, seconds, mayFail: true });
  const cores = (result.cpuMicroseconds * result.requestsPerSecond) / 1e6;
  return { ...result, cores };
}

/** A process and its children. */
function listProcesses(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function readMemoryMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

function toCountingScript(path: string): string {
  return `count = 0\nrequest = function()\n  count = count + 1\n  return wrk.format("GET", "${path}" .. count)\nend\n`;
}
