import {
  format,
  formatTarget,
  measureInTurns,
  median,
  medianRatio,
  printTable,
} from '../figures.ts';
import { type Checkouts, startCheckout, startNextAlone } from '../servers/checkout.ts';
import { findEvent, startEventsTable } from '../servers/events-table.ts';
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts';
import { type Load, load } from '../wrk.ts';

export type ThroughputOptions = Readonly<{
  rounds: number;
  seconds: number;
  connections: number;
  /** Only rows whose name contains this. */
  only: string;
  /** Measures `next start`, too. */
  hasNext: boolean;
}>;

type Row = Readonly<{
  name: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** A Lua script for wrk that makes the URLs of one run. */
  toScript?: (path: string, run: number) => string;
  /** Share of raw node:http's requests a second. */
  target: number;
}>;

type Contender = Readonly<{
  name: 'raw' | 'current' | 'other' | 'next';
  server: ServerProcess;
}>;

/** Requests a second beside raw node:http with a prebuilt buffer of the same size, in turns. */
export async function benchThroughput(
  { current, other }: Checkouts,
  options: ThroughputOptions,
): Promise<void> {
  const { airtable, environment } = await startEventsTable();
  const server = await startCheckout(current, { environment });
  const contenders: Contender[] = [
    { name: 'raw', server: await startServerProcess([rawServer], { path: '/bytes/1' }) },
    { name: 'current', server },
  ];
  if (other !== null) {
    contenders.push({ name: 'other', server: await startCheckout(other, { environment }) });
  }
  if (options.hasNext) {
    contenders.push({ name: 'next', server: await startNextAlone(current, environment) });
  }
  const lines: string[][] = [];
  for (const row of await toRows(server)) {
    if (!row.name.includes(options.only)) continue;
    lines.push(toLine(row, await measureRow(row, contenders, options)));
    process.stderr.write('.');
  }
  const headings = ['48 events', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'raw req/s', '÷ raw'];
  const others = ['target', 'other req/s', 'other ÷ raw', '÷ other', 'next req/s', '÷ next'];
  printTable([...headings, ...others], lines);
  for (const contender of contenders) await contender.server.stop();
  await airtable.close();
}

const rawServer = `${import.meta.dirname}/../servers/raw-server.ts`;

async function toRows(server: ServerProcess): Promise<Row[]> {
  const event = await findEvent(server.url);
  const item = `/api/v1/events/${event.id}`;
  const etag = (await send(server.url + item)).headers.get('etag') ?? '';
  const brotli = { 'Accept-Encoding': 'br' };
  const hot = [
    { name: 'list, all', path: '/api/v1/events' },
    { name: 'list, limit=20', path: '/api/v1/events?limit=20' },
    { name: 'item', path: item },
    { name: 'rss', path: '/api/v1/events/rss' },
  ].map((row) => ({ ...row, target: 0.7 }));
  const pages = { directory: '/', event: event.path, docs: '/docs' };
  return [
    ...hot,
    ...hot.map((row) => ({ ...row, name: `${row.name}, br`, headers: brotli })),
    { name: 'item, 304', path: item, headers: { 'If-None-Match': etag }, target: 0.7 },
    {
      name: 'never-seen query',
      path: '/api/v1/events?limit=20&from=0001-01-01',
      toScript: toDatesScript,
      target: 0.2,
    },
    ...Object.entries(pages).flatMap(([name, path]) => [
      { name: `${name} page, br`, path, headers: { Accept: 'text/html', ...brotli }, target: 0.6 },
      {
        name: `${name} markdown, br`,
        path,
        headers: { Accept: 'text/markdown', ...brotli },
        target: 0.7,
      },
    ]),
  ];
}

/** The dates of 2,000 years, without the last days of months, last for 33 runs. */
const datesPerRun = 20_000;

/**
 * Each request has a `from` that no other had, years apart from the one before. All are in the past, so
 * that every response has the same 20 events and the same size.
 */
function toDatesScript(path: string, run: number): string {
  return `local n = ${run * datesPerRun}
request = function()
  local year, day = 1 + n % 2000, math.floor(n / 2000)
  n = n + 1
  local date = string.format("%04d-%02d-%02d", year, 1 + math.floor(day / 28) % 12, 1 + day % 28)
  return wrk.format("GET", "${path.replace(/from=.*/, 'from=')}" .. date)
end
`;
}

async function measureRow(
  row: Row,
  contenders: readonly Contender[],
  { rounds, seconds, connections }: ThroughputOptions,
): Promise<Map<Contender['name'], Load[]>> {
  const current = contenders.find(({ name }) => name === 'current');
  const rawPath = current ? await toRawPath(row, current.server) : '';
  const runs = new Map<Contender, number>();
  const results = await measureInTurns(contenders, rounds, (contender) => {
    const path = contender.name === 'raw' ? rawPath : row.path;
    const run = runs.get(contender) ?? 0;
    runs.set(contender, run + 1);
    return load(contender.server, {
      path,
      seconds,
      connections,
      ...(row.headers && { headers: row.headers }),
      ...(row.toScript && { script: row.toScript(path, run) }),
    });
  });
  return new Map([...results].map(([{ name }, loads]) => [name, loads]));
}

/** The raw server's path for a response of the same size. */
async function toRawPath(row: Row, server: ServerProcess): Promise<string> {
  const response = await send(server.url + row.path, row.headers);
  if (response.status === 304) return '/304';
  return `/bytes/${response.headers.get('content-length')}?from=`;
}

/** `fetch` would ask for a compressed body. */
function send(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'identity', ...headers } });
}

function toLine(row: Row, loads: ReadonlyMap<Contender['name'], readonly Load[]>): string[] {
  const read = (name: Contender['name'], key: keyof Load = 'requestsPerSecond') =>
    (loads.get(name) ?? []).map((load) => load[key]);
  const [raw, current, other, next] = [read('raw'), read('current'), read('other'), read('next')];
  const ratio = medianRatio(current, raw);
  return [
    row.name,
    format(median(current)),
    format(median(read('current', 'p50Ms')), 2),
    format(median(read('current', 'p99Ms')), 2),
    format(median(read('current', 'cpuMicroseconds'))),
    format(median(raw)),
    format(ratio, 2),
    formatTarget(ratio, { atLeast: row.target }),
    format(median(other)),
    format(medianRatio(other, raw), 2),
    format(medianRatio(current, other), 2),
    format(median(next)),
    format(medianRatio(current, next), 1),
  ];
}
