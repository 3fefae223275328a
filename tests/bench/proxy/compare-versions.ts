import { Agent, request } from 'node:http';
import { format, median, ratioOfMeans } from '../figures.ts';
import { type Checkouts, listVersions } from '../servers/checkout.ts';
import { moveToLoadProcessor, type ServerProcess } from '../servers/server-process.ts';
import {
  type Api,
  apiPaths,
  apis,
  basePath,
  type ProxyServer,
  startProxy,
  toBody,
  type UpstreamProtocols,
} from './proxy-server.ts';

const connections = 16;
const requestsPerConnection = 10;
/** Until then the engine compiles, and a request costs up to twice as much. */
const warmUpRequests = 24_000;
/** A stream has the work of several requests. */
const shares = { json: 1, burst: 1 / 4, calls: 1 / 4 } as const;

export type ComparedKind = keyof typeof shares;
type Row = Readonly<{ api: Api; kind: ComparedKind; protocols: UpstreamProtocols }>;

type Client = Readonly<{ sendTurn: () => Promise<void>; close: () => void }>;
/** A process of one version. */
type Subject = Client & Readonly<{ version: string; server: ServerProcess }>;

type Options = Readonly<{
  kinds: readonly ComparedKind[];
  apis: readonly Api[];
  /** The processes of each version. */
  processes: number;
  /** Those that count, of each process. */
  requests: number;
  upstreamUrl: string;
}>;

/**
 * Prints the CPU time of a request in two versions, of all threads. Two processes of one version differ by
 * up to a tenth for as long as they live, so each row has several of each. They take turns in random order,
 * over connections that stay open. A full collection of garbage takes 0.4 s and comes every 12,000 requests or
 * so: with few requests, one more or less of them moves the ratio.
 */
export async function compareVersions(checkouts: Checkouts, options: Options): Promise<void> {
  // This program is the client.
  moveToLoadProcessor();
  printLine(['kind', 'api', 'upstream', 'CPU µs', 'other', 'ratio', '± two standard errors']);
  for (const row of options.kinds.flatMap(listRows)) {
    if (options.apis.includes(row.api)) printLine(await compare(checkouts, row, options));
  }
}

/** A row takes minutes, so that each is printed when it is known. */
function printLine(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell) => cell.padEnd(12)).join('')}\n`);
}

function listRows(kind: ComparedKind): Row[] {
  const native = apis.filter((api) => api !== 'embeddings' || kind === 'json');
  const translated = ['responses', 'messages'] as const;
  return [
    ...native.map((api): Row => ({ api, kind, protocols: 'native' })),
    ...translated.map((api): Row => ({ api, kind, protocols: 'chat' })),
  ];
}

async function compare(checkouts: Checkouts, row: Row, options: Options): Promise<string[]> {
  const { api, kind, protocols } = row;
  const subjects: Subject[] = [];
  for (let process = 0; process < options.processes; process++) {
    for (const [version, checkout] of listVersions(checkouts)) {
      const proxy = await startProxy(checkout, options.upstreamUrl, { protocols });
      subjects.push({ ...openClient(proxy, row), version, server: proxy.server });
    }
  }
  await takeTurns(subjects, warmUpRequests * shares[kind]);
  const before = subjects.map(({ server }) => server.cpuMicroseconds());
  const requests = await takeTurns(subjects, options.requests * shares[kind]);
  const costs = subjects.map(({ version, server }, index) => ({
    version,
    cost: (server.cpuMicroseconds() - (before[index] ?? 0)) / requests,
  }));
  for (const { server, close } of subjects) {
    close();
    await server.stop();
  }
  const read = (wanted: string) =>
    costs.filter(({ version }) => version === wanted).map(({ cost }) => cost);
  const [current, other] = [read('current'), read('other')];
  const { ratio, standardError } = ratioOfMeans(current, other);
  const figures = [format(median(current)), format(median(other)), format(ratio, 3)];
  return [kind, api, protocols, ...figures, format(2 * standardError, 3)];
}

/** @returns the requests that each has sent */
async function takeTurns(subjects: readonly Subject[], requestsMin: number): Promise<number> {
  let requests = 0;
  for (; requests < requestsMin; requests += connections * requestsPerConnection) {
    const order = subjects.map((subject) => ({ subject, key: Math.random() }));
    order.sort((a, b) => a.key - b.key);
    for (const { subject } of order) await subject.sendTurn();
  }
  return requests;
}

function openClient({ server, headers }: ProxyServer, { api, kind }: Row): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const url = `${server.url}${basePath}/${apiPaths[api]}`;
  const body = toBody(api, kind);
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request(url, { agent, method: 'POST', headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.resume();
        response.on('end', resolve);
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return {
    async sendTurn() {
      const sendEach = async () => {
        for (let sent = 0; sent < requestsPerConnection; sent++) await send();
      };
      await Promise.all(Array.from({ length: connections }, sendEach));
    },
    close: () => agent.destroy(),
  };
}
