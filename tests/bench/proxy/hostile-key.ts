import { format, formatTarget, median, printTable } from '../figures.ts';
import { type Checkout, createKey } from '../servers/checkout.ts';
import { startServerProcess } from '../servers/server-process.ts';
import { type Load, type LoadOptions, load } from '../wrk.ts';
import { startProxy, toBody } from './proxy-server.ts';

const path = '/proxy/v1/chat/completions';

type Options = Readonly<{ rounds: number; seconds: number; upstreamUrl: string }>;

/** What other keys wait while one with a request a minute sends 4 MB bodies as fast as it can. */
export async function benchHostileKey(
  checkouts: readonly Checkout[],
  options: Options,
): Promise<void> {
  const rows = [];
  for (const checkout of checkouts) rows.push(await measure(checkout, options));
  const headings = ['4 MB bodies beyond the limit', 'hostile req/s', 'alone p50 ms', 'beside it'];
  printTable([...headings, 'p99', 'ratio', 'target'], rows);
}

async function measure(
  checkout: Checkout,
  { rounds, seconds, upstreamUrl }: Options,
): Promise<string[]> {
  const options = { protocols: 'native' } as const;
  const { server, headers, dataDir } = await startProxy(checkout, upstreamUrl, options);
  const hostileKey = createKey(checkout, dataDir, 1);
  const request: LoadOptions = {
    path,
    headers,
    body: toBody('chat', 'json'),
    connections: 1,
    seconds,
  };
  await load(server, request);
  const [alone, beside]: [Load[], Load[]] = [[], []];
  let hostileRequests = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push(await load(server, request));
    const client = await startServerProcess(['tests/bench/proxy/hostile-client.ts'], {
      environment: { TARGET: server.url + path, KEY: hostileKey },
      processor: 'load',
    });
    const before = await countRequests(client.url);
    beside.push(await load(server, request));
    hostileRequests += (await countRequests(client.url)) - before;
    await client.stop();
  }
  await server.stop();
  const p50 = (loads: readonly Load[]) => median(loads.map(({ p50Ms }) => p50Ms));
  const ratio = p50(beside) / p50(alone);
  return [
    checkout.root,
    format(hostileRequests / rounds / seconds),
    format(p50(alone), 2),
    format(p50(beside), 2),
    format(median(beside.map(({ p99Ms }) => p99Ms)), 2),
    format(ratio, 2),
    formatTarget(ratio, { atMost: 2 }),
  ];
}

async function countRequests(url: string): Promise<number> {
  const counts: Record<string, number> = await (await fetch(url)).json();
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
