import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#lib/config/config.ts';
import { format, formatTarget, percentile, printTable } from '../figures.ts';
import { type Checkout, type Checkouts, listVersions, startCheckout } from '../servers/checkout.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { moveToLoadProcessor, type ServerProcess } from '../servers/server-process.ts';
import { type DearRequest, toDearRequests } from './dear-requests.ts';
import { type Visit, visitFor, type Wait } from './visitors.ts';

type Options = Readonly<{ rounds: number; seconds: number; connections: number; only: string }>;

const eventCounts = [48, 10_000];
const costRequests = 30;
const target = { atMost: 2 };

/**
 * What dear requests cost, and how long others wait while one client sends them as fast as it can, in turns. On a
 * machine that does other work, too, only the CPU time of the server's thread says what the server makes them wait.
 */
export async function benchOneClient(checkouts: Checkouts, options: Options) {
  moveToLoadProcessor();
  for (const count of eventCounts) {
    const { airtable, environment } = await startEventsTable(count);
    const servers: [string, ServerProcess][] = [];
    for (const [version, checkout] of listVersions(checkouts)) {
      servers.push([version, await startSite(checkout, environment)]);
    }
    const rows: string[][] = [];
    const [[, first] = []] = servers;
    if (first === undefined) return;
    for (const dear of await toDearRequests(first.url)) {
      if (!dear.name.includes(options.only)) continue;
      for (const visit of visits) {
        for (const [version, server] of servers) {
          const cells = await measureVisits(server, { dear, visit }, options);
          rows.push([dear.name, visit.name, version, ...cells]);
          process.stderr.write('.');
        }
      }
    }
    const waits = ['CPU ms', 'idle p95 ms', 'beside it', 'ratio', 'its req/s'];
    const own = ['idle p95 server ms', 'beside it', 'ratio', 'target'];
    printTable([`${count} events`, 'others', 'version', ...waits, ...own], rows);
    for (const [, server] of servers) await server.stop();
    await airtable.close();
  }
  agent.destroy();
}

// Each client has an address of its own behind a proxy.
function startSite(checkout: Checkout, environment: Environment) {
  return startCheckout(checkout, {
    environment: { ...environment, TRUST_PROXY: '1', LOG_REQUESTS: 'none' },
    path: '/api/v1/events?limit=1',
    isSilent: true,
  });
}

const visits: readonly Visit[] = [
  { name: '/ (cached)', path: '/' },
  { name: '/?q=… (rendered)', path: '/?q=visit{visitor}' },
];

type Case = Readonly<{ dear: DearRequest; visit: Visit }>;

async function measureVisits(
  server: ServerProcess,
  { dear, visit }: Case,
  { rounds, seconds, connections }: Options,
): Promise<string[]> {
  const cpuMs = await measureCost(server, dear);
  const [idle, beside]: [Wait[], Wait[]] = [[], []];
  let served = 0;
  for (let round = 0; round < rounds; round++) {
    idle.push(...(await visitFor(server, visit, seconds)));
    const client = startClient(server, dear, connections);
    // Its first requests fill the queue.
    await delay(300);
    const before = client.served();
    beside.push(...(await visitFor(server, visit, seconds)));
    served += client.served() - before;
    await client.stop();
  }
  const p95 = (waits: readonly Wait[], by: keyof Wait) =>
    percentile(
      waits.map((wait) => wait[by]),
      0.95,
    );
  const ratioBy = (by: keyof Wait) => p95(beside, by) / p95(idle, by);
  return [
    format(cpuMs, 1),
    format(p95(idle, 'clockMs'), 1),
    format(p95(beside, 'clockMs'), 1),
    format(ratioBy('clockMs'), 1),
    format(served / rounds / seconds, 1),
    format(p95(idle, 'serverMs'), 1),
    format(p95(beside, 'serverMs'), 1),
    format(ratioBy('serverMs'), 1),
    formatTarget(ratioBy('serverMs'), target),
  ];
}

async function measureCost(server: ServerProcess, dear: DearRequest): Promise<number> {
  const sendOne = () => send(server.url, dear, '198.51.100.9');
  for (let count = 0; count < 5; count++) await sendOne();
  const before = server.cpuMicroseconds();
  for (let count = 0; count < costRequests; count++) await sendOne();
  return (server.cpuMicroseconds() - before) / 1000 / costRequests;
}

/** One address that sends as fast as it can. */
function startClient({ url }: ServerProcess, dear: DearRequest, connections: number) {
  const stopping = new AbortController();
  let count = 0;
  const work = async () => {
    while (!stopping.signal.aborted) {
      const status = await send(url, dear, '198.51.100.1', stopping.signal);
      if (status > 0 && status < 500) count += 1;
    }
  };
  const working = Array.from({ length: connections }, work);
  return {
    served: () => count,
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** @returns the status; 0 if the connection broke. */
function send(
  url: string,
  { toPath, headers, body }: DearRequest,
  address: string,
  signal?: AbortSignal,
) {
  const method = body === undefined ? 'GET' : 'POST';
  const fields = { ...headers, 'X-Forwarded-For': address };
  return new Promise<number>((resolve) => {
    const options = { agent, method, headers: fields, ...(signal && { signal }) };
    request(url + toPath(), options, (response) => {
      response
        .resume()
        .on('error', () => resolve(0))
        .on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', () => resolve(0))
      .end(body);
  });
}
