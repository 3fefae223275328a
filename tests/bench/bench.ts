import { parseArgs } from 'node:util';
import { buildIfNeeded } from '#lib/cli/build-if-needed.ts';
import { serverArguments } from '#lib/cli/start-server.ts';
import { toTextTable } from '#lib/cli/terminal.ts';
import { startAirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { requirePrograms } from '../programs.ts';
import { measureRefresh } from './refresh.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type Load, load } from './wrk.ts';

/**
 * `npm run bench`: what each address costs, side by side in one run with raw node:http serving a
 * prebuilt buffer of the same size and with the same route under plain `next start`; then the same
 * with 10,000 events. The servers take turns in `--rounds` rounds of `--seconds`. Each figure is the median
 * of the rounds, each ratio that of the rounds' own ratios: what else the machine does comes and goes.
 * `--part addresses|cold|many|refresh` runs one of the four, `--only TEXT` the rows whose names hold it.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const size = { seconds: Number(values.seconds), connections: Number(values.connections) };

type Row = Readonly<{ name: string; path: string; headers?: Record<string, string> }>;

const table = { token: 'patBench', baseId: 'appBench', table: 'Events' };
const today = new Date().toISOString().slice(0, 10);

async function startMarquee(
  count: number,
  environment: Record<string, string> = {},
  measured: Readonly<{ imports?: string; place?: 'alone' | 'anywhere' }> = {},
) {
  const airtable = await startAirtableServer({
    ...table,
    records: sampleRecords({ today, count }),
    // The pace of the real upstream would only make the start slower.
    requestsPerSecond: 1000,
  });
  const settings = {
    AIRTABLE_API_URL: airtable.url,
    AIRTABLE_TOKEN: table.token,
    AIRTABLE_BASE_ID: table.baseId,
    SITE_URL: 'http://events.example',
    ...environment,
  };
  // Pictures made ahead of need are not what is measured.
  const server = await startServerProcess([...serverArguments, '--no-warm-up'], {
    environment: settings,
    path: '/api/v1/events?limit=1',
    ...measured,
  });
  return { airtable, settings, server };
}

async function toRows(server: ServerProcess): Promise<Row[]> {
  const response = await fetch(`${server.url}/api/v1/events?limit=1&order=asc`);
  const list = (await response.json()) as { data: { id: string; slug: string }[] };
  const item = `/api/v1/events/${list.data[0]?.id}`;
  const etag = (await fetch(server.url + item, { headers: { 'Accept-Encoding': 'identity' } }))
    .headers;
  const plain: Row[] = [
    { name: 'list, all', path: '/api/v1/events' },
    { name: 'list, limit=20', path: '/api/v1/events?limit=20' },
    { name: 'item', path: item },
    { name: 'rss', path: '/api/v1/events/rss' },
  ];
  const brotli = { 'Accept-Encoding': 'br' };
  const page = { Accept: 'text/html', ...brotli };
  const twin = { Accept: 'text/markdown', ...brotli };
  const pages = { directory: '/', event: `/events/${list.data[0]?.slug}`, docs: '/docs' };
  return [
    ...plain,
    ...plain.map((row) => ({ ...row, name: `${row.name}, br`, headers: brotli })),
    { name: 'item, 304', path: item, headers: { 'If-None-Match': etag.get('etag') ?? '' } },
    ...Object.entries(pages).flatMap(([name, path]) => [
      { name: `${name} page, br`, path, headers: page },
      { name: `${name} markdown, br`, path, headers: twin },
    ]),
  ];
}

/** The raw server's address that answers with as many bytes. */
async function toRawPath(row: Row, server: ServerProcess): Promise<string> {
  const headers = { 'Accept-Encoding': 'identity', ...row.headers };
  const response = await fetch(server.url + row.path, { method: 'HEAD', headers });
  if (response.status === 304) return '/304';
  return `/bytes/${response.headers.get('content-length')}`;
}

/** The loads of one row, round by round. */
type Rounds = readonly Load[];

/** Each row on each server in turn, round by round. */
async function compare<Name extends string>(
  rows: readonly Row[],
  servers: Readonly<Record<Name, (row: Row) => Promise<Load>>>,
): Promise<Map<Row, Readonly<Record<Name, Rounds>>>> {
  const results = new Map<Row, Record<Name, Rounds>>();
  const names = Object.keys(servers) as Name[];
  for (const row of rows) {
    for (const name of names) await servers[name](row);
    const loads = Object.fromEntries(names.map((name) => [name, [] as Load[]])) as Record<
      Name,
      Load[]
    >;
    for (let count = 0; count < rounds; count++) {
      for (const name of names) loads[name].push(await servers[name](row));
    }
    results.set(row, loads);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return results;
}

const middle = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

const median = (loads: Rounds, pick: keyof Load) => middle(loads.map((one) => one[pick]));

/** How many times the requests of the other, in the same round. */
const rateRatio = (loads: Rounds, others: Rounds) =>
  middle(
    loads.map(
      ({ requestsPerSecond }, index) =>
        requestsPerSecond / (others[index]?.requestsPerSecond ?? Number.NaN),
    ),
  );

const round = (value: number | undefined, digits = 0) => (value ?? Number.NaN).toFixed(digits);

async function benchAgainstRawAndNext(): Promise<void> {
  const { airtable, settings, server } = await startMarquee(48);
  const raw = await startServerProcess(['tests/bench/raw-server.ts'], { path: '/bytes/1' });
  const next = await startServerProcess(['node_modules/next/dist/bin/next', 'start'], {
    environment: settings,
    path: '/api/v1/events?limit=1',
  });
  const rows = (await toRows(server)).filter((row) => row.name.includes(values.only));
  const rawPaths = new Map<Row, string>();
  for (const row of rows) rawPaths.set(row, await toRawPath(row, server));
  const results = await compare(rows, {
    raw: (row) => load(raw, { ...row, ...size, path: rawPaths.get(row) ?? '' }),
    marquee: (row) => load(server, { ...row, ...size }),
    next: (row) => load(next, { ...row, ...size }),
  });
  const lines = [...results].map(([row, { raw, marquee, next }]) => [
    row.name,
    round(median(marquee, 'requestsPerSecond')),
    round(median(marquee, 'p50Ms'), 2),
    round(median(marquee, 'p99Ms'), 2),
    round(median(marquee, 'cpuMicroseconds')),
    round(median(raw, 'requestsPerSecond')),
    round(median(raw, 'cpuMicroseconds')),
    round(rateRatio(marquee, raw), 2),
    round(median(next, 'requestsPerSecond')),
    round(median(next, 'cpuMicroseconds')),
    round(rateRatio(marquee, next), 1),
  ]);
  const headings = [
    '48 events',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'raw req/s',
    'raw CPU µs',
    '÷ raw',
    'next req/s',
    'next CPU µs',
    '÷ next',
  ];
  process.stdout.write(`\n${toTextTable(headings, lines)}\n`);
  await Promise.all([server.stop(), raw.stop(), next.stop(), airtable.close()]);
}

async function benchManyEvents(): Promise<void> {
  const small = await startMarquee(48);
  const large = await startMarquee(10_000);
  const [smallRows, largeRows] = [await toRows(small.server), await toRows(large.server)];
  const rows = smallRows.filter(
    ({ name }) => !name.startsWith('list, all') && name.includes(values.only),
  );
  const results = await compare(rows, {
    small: (row) => load(small.server, { ...row, ...size }),
    large: (row) =>
      load(large.server, {
        ...(largeRows.find(({ name }) => name === row.name) ?? row),
        ...size,
      }),
  });
  const lines = [...results].map(([row, { small, large }]) => [
    row.name,
    round(median(small, 'requestsPerSecond')),
    round(median(large, 'requestsPerSecond')),
    round(rateRatio(large, small), 2),
  ]);
  const headings = ['10,000 events', 'req/s with 48', 'req/s with 10,000', 'ratio'];
  process.stdout.write(`\n${toTextTable(headings, lines)}\n`);
  const whole = await fetch(`${large.server.url}/api/v1/events`, {
    headers: { 'Accept-Encoding': 'br' },
  });
  await whole.arrayBuffer();
  const { now, peak } = large.server.memoryMb();
  process.stdout.write(
    `\nmemory with 10,000 events, after this load and a full list: ${now} MB, peak ${peak} MB\n`,
  );
  for (const one of [small, large]) await Promise.all([one.server.stop(), one.airtable.close()]);
}

async function benchRefresh(): Promise<void> {
  const imports = `${import.meta.dirname}/loop-delay.ts`;
  const places = { 'one processor': 'alone', 'all processors': 'anywhere' } as const;
  for (const [name, place] of Object.entries(places)) {
    const { airtable, server } = await startMarquee(
      10_000,
      { EVENTS_CACHE_SECONDS: '100' },
      { imports, place },
    );
    const { refreshes, reading, between } = await measureRefresh(server, airtable);
    const [ms, memory] = [(value: number) => `${round(value, 1)} ms`, server.memoryMb()];
    process.stdout.write(
      `\n${refreshes} refreshes of 10,000 events on ${name} (${memory.now} MB, at most ${memory.peak})\n${toTextTable(
        ['', 'event loop held', 'with what else the machine did', 'slowest request'],
        Object.entries({ 'while reading': reading, 'in between': between }).map(
          ([when, { ownMs, delayMs, slowestMs }]) => [when, ms(ownMs), ms(delayMs), ms(slowestMs)],
        ),
      )}\n`,
    );
    await Promise.all([server.stop(), airtable.close()]);
  }
}

/** What the first visitor of a page waits: each address is asked for once. */
async function benchColdPages(): Promise<void> {
  const { airtable, server } = await startMarquee(48);
  const rows = (await toRows(server)).filter(({ name }) => / (page|markdown), br$/.test(name));
  const lines: string[][] = [];
  for (const { name, path, headers = {} } of rows) {
    const times: number[] = [];
    for (let count = 0; count < 60; count++) {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}${path}?cold=${count}`, { headers });
      await response.arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    // The first ones warm up the compiler.
    const sorted = times.slice(20).sort((a, b) => a - b);
    lines.push([name, round(sorted[20], 1), round(sorted.at(-1), 1)]);
  }
  process.stdout.write(`\n${toTextTable(['cold', 'p50 ms', 'max ms'], lines)}\n`);
  await Promise.all([server.stop(), airtable.close()]);
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  addresses: benchAgainstRawAndNext,
  cold: benchColdPages,
  many: benchManyEvents,
  refresh: benchRefresh,
};

requirePrograms(['wrk', 'taskset']);
await buildIfNeeded();
for (const [name, part] of Object.entries(parts)) {
  if (values.part === '' || values.part === name) await part();
}
