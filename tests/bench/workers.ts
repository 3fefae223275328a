import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requirePrograms } from '../programs.ts';
import { listChildren } from '../support/programs/list-children.ts';
import { format, measureInTurns, median, medianRatio, printTable } from './figures.ts';
import { startProxy, startUpstream, toBody } from './proxy/proxy-server.ts';
import { type Checkout, checkoutOptions, openCheckouts } from './servers/checkout.ts';
import { startEventsTable } from './servers/events-table.ts';
import { readCpu, readMemory, type ServerProcess } from './servers/server-process.ts';
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
const upstream = await startUpstream('any');
const subjects = [await start(current, 1), await start(current, 2)];

const loads = {
  page: { path: '/' },
  'list, cached': { path: '/api/v1/events' },
  // Each request is one that no other has sent.
  'list, searched': { path: '/', script: toCountingScript('/api/v1/events?limit=20&q=a') },
  'proxied JSON': { path: '/proxy/v1/chat/completions', body: toBody('chat', 'json') },
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
  const all = listProcesses(server.pid).map((pid) => readMemory(pid).now);
  process.stdout.write(`WORKERS=${workers}: ${all.join(' + ')} MB\n`);
}
await Promise.all([...subjects.map(({ server }) => server.stop()), upstream.stop()]);
await airtable.close();

async function start(checkout: Checkout, workers: number): Promise<Subject> {
  const { server, headers } = await startProxy(checkout, `${upstream.url}/v1`, {
    protocols: 'native',
    environment: { ...environment, WORKERS: String(workers) },
    processor: 'any',
  });
  const processes = workers === 1 ? 1 : workers + 1;
  while (listProcesses(server.pid).length < processes) await delay(100);
  await delay(5_000);
  for (const pid of listProcesses(server.pid)) limitCpu(pid);
  return { workers, server, headers: { ...headers, 'Accept-Encoding': 'br' } };
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
  return [pid, ...listChildren(pid)];
}

function toCountingScript(path: string): string {
  return `count = 0\nrequest = function()\n  count = count + 1\n  return wrk.format("GET", "${path}" .. count)\nend\n`;
}
