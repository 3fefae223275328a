import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requirePrograms } from '../../programs.ts';
import {
  format,
  formatTarget,
  measureInTurns,
  median,
  medianRatio,
  printTable,
} from '../figures.ts';
import {
  type Checkout,
  checkoutOptions,
  listVersions,
  openCheckouts,
  startCheckout,
} from '../servers/checkout.ts';
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts';
import { type Load, load } from '../wrk.ts';
import { type ComparedKind, compareVersions } from './compare-versions.ts';
import { benchHostileKey } from './hostile-key.ts';
import { measurePacedStreams } from './measure-paced-streams.ts';
import { startPortkey, toPortkeyHeaders } from './portkey.ts';
import {
  type Api,
  apiPaths,
  apis,
  basePath,
  openKey,
  startProxy,
  startUpstream,
  toBody,
} from './proxy-server.ts';

/**
 * `npm run bench:proxy`: what a request through the proxy costs, with keys, limits and metering, beside
 * the upstream itself, raw node:http that passes bytes on or parses every event, and Portkey's gateway.
 * The proxies take turns on one processor; load and upstream have the other.
 *
 * `--only json|burst|calls|paced` measures one kind of response; `--only hostile` what other keys wait beside one that
 * sends far more than it may. `--root DIR` measures another built checkout.
 *
 * `--against DIR` compares the CPU time of a request in this version and that of another built checkout:
 * `--processes` of each, and `--requests` of each process. `--apis chat,responses` leaves the other APIs out.
 */
const { values } = parseArgs({
  options: {
    ...checkoutOptions,
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,16,64' },
    streams: { type: 'string', default: '16' },
    processes: { type: 'string', default: '3' },
    requests: { type: 'string', default: '32000' },
    apis: { type: 'string', default: apis.join() },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);

type Contender = Readonly<{
  name: string;
  api: Api;
  server: ServerProcess;
  /** The path before `/chat/completions` and `/responses`. */
  base: string;
  headers: Readonly<Record<string, string>>;
}>;

async function startContenders(current: Checkout, upstream: ServerProcess): Promise<Contender[]> {
  const upstreamUrl = `${upstream.url}/v1`;
  const json = { 'Content-Type': 'application/json' };
  const startRaw = async (mode: string) => {
    const server = await startServerProcess(['tests/bench/proxy/raw-proxy.ts'], {
      environment: { UPSTREAM: upstreamUrl, MODE: mode },
      path: `${basePath}/models`,
    });
    return toAllApis({ name: `raw ${mode}`, server, base: basePath, headers: json });
  };
  return [
    ...toAllApis({ name: 'direct', server: upstream, base: '/v1', headers: json }),
    ...(await startRaw('pipe')),
    ...(await startRaw('parse')),
    ...(await startMarquee(current, upstreamUrl)),
    ...(await startWithTwoUpstreams(current, upstreamUrl)),
    {
      name: 'portkey',
      api: 'chat',
      server: await startPortkey(),
      base: '/v1',
      headers: { ...json, ...toPortkeyHeaders(upstreamUrl) },
    },
  ];
}

/** A server whose upstream has Responses and Messages, and one that translates them to Chat Completions. */
async function startMarquee(checkout: Checkout, upstreamUrl: string): Promise<Contender[]> {
  const native = await startProxy(checkout, upstreamUrl, { protocols: 'native' });
  const translating = await startProxy(checkout, upstreamUrl, { protocols: 'chat' });
  const translated = (['responses', 'messages'] as const).map((api) => ({
    name: 'marquee, translated',
    api,
    ...translating,
    base: basePath,
  }));
  return [...toAllApis({ name: 'marquee', ...native, base: basePath }), ...translated];
}

const twoUpstreams = 'marquee, two upstreams';

/** Each request may fail over, and none has to. */
async function startWithTwoUpstreams(checkout: Checkout, url: string): Promise<Contender[]> {
  const { dataDir, headers } = openKey(checkout);
  const keyEnv = 'BENCH_KEY';
  const protocols = ['chat', 'responses', 'embeddings'];
  const targets = [{ upstream: 'first' }, { upstream: 'second' }];
  const file = join(dataDir, 'upstreams.json');
  writeFileSync(
    file,
    JSON.stringify({
      upstreams: targets.map(({ upstream }) => ({ name: upstream, url, keyEnv, protocols })),
      models: ['json', 'burst', 'calls', 'paced'].map((kind) => ({ id: `bench/${kind}`, targets })),
    }),
  );
  const server = await startCheckout(checkout, {
    environment: {
      DATA_DIR: dataDir,
      AI_UPSTREAMS_FILE: file,
      BENCH_KEY: 'sk-bench',
      AI_MODELS: 'bench/*',
    },
    path: `${basePath}/models`,
  });
  return (['chat', 'responses'] as const).map((api) => ({
    name: twoUpstreams,
    api,
    server,
    base: basePath,
    headers,
  }));
}

function toAllApis(contender: Omit<Contender, 'api'>): Contender[] {
  return apis.map((api) => ({ ...contender, api }));
}

function toPath({ api, base }: Contender): string {
  return `${base}/${apiPaths[api]}`;
}

const titles = {
  json: 'JSON, 1 kB',
  burst: 'SSE, 200 chunks at once',
  calls: 'SSE, 200 chunks of a call at once',
} as const satisfies Record<ComparedKind, string>;

async function benchLoad(contenders: readonly Contender[], kind: ComparedKind): Promise<void> {
  const fitting = kind === 'json' ? contenders : contenders.filter(isStreaming);
  for (const connections of values.connections.split(',').map(Number)) {
    const loads = await measureInTurns(fitting, rounds, (contender) =>
      load(contender.server, {
        path: toPath(contender),
        headers: contender.headers,
        body: toBody(contender.api, kind),
        connections,
        seconds: Number(values.seconds),
        // Portkey fails for some requests under load.
        mayFail: contender.name === 'portkey',
      }),
    );
    const headings = [
      `${titles[kind]}, ${connections} connections`,
      'api',
      'req/s',
      'added p50 ms',
    ];
    const others = [
      'added p99 ms',
      'CPU µs',
      '÷ pipe',
      'target',
      '÷ parse',
      '÷ portkey',
      '÷ one upstream',
    ];
    const rows = [...loads.keys()].map((contender) => toLoadRow(contender, loads, kind));
    printTable([...headings, ...others], rows);
  }
}

function isStreaming({ api }: Contender): boolean {
  return api !== 'embeddings';
}

function toLoadRow(
  contender: Contender,
  loads: ReadonlyMap<Contender, readonly Load[]>,
  kind: ComparedKind,
): string[] {
  const read = (name: string, api: Api, key: keyof Load = 'requestsPerSecond') =>
    [...loads]
      .filter(([scenario]) => scenario.name === name && scenario.api === api)
      .flatMap(([, list]) => list.map((measured) => measured[key]));
  const { name } = contender;
  // Translated streams come from the upstream as Chat Completions.
  const api = name.endsWith('translated') ? 'chat' : contender.api;
  const own = (key: keyof Load) => read(name, contender.api, key);
  const ratio = (rival: string, rivalApi: Api) =>
    medianRatio(own('requestsPerSecond'), read(rival, rivalApi));
  const added = (key: 'p50Ms' | 'p99Ms') => median(own(key)) - median(read('direct', api, key));
  const toPipe = ratio('raw pipe', api);
  const hasTarget = name.startsWith('marquee') && kind === 'json';
  return [
    name,
    contender.api,
    format(median(own('requestsPerSecond'))),
    format(added('p50Ms'), 2),
    format(added('p99Ms'), 2),
    format(median(own('cpuMicroseconds'))),
    format(toPipe, 2),
    hasTarget ? formatTarget(toPipe, { atLeast: 0.5 }) : '',
    format(ratio('raw parse', api), 2),
    format(ratio('portkey', 'chat'), 2),
    name === twoUpstreams ? format(ratio('marquee', api), 2) : '',
  ];
}

async function benchPacedStreams(contenders: readonly Contender[]): Promise<void> {
  const streams = Number(values.streams);
  const results = await measureInTurns(contenders.filter(isStreaming), rounds, (contender) =>
    measurePacedStreams({
      url: contender.server.url + toPath(contender),
      headers: contender.headers,
      body: toBody(contender.api, 'paced'),
      streams,
    }),
  );
  const readGap = (name: string, api: Api) =>
    [...results]
      .filter(([scenario]) => scenario.name === name && scenario.api === api)
      .flatMap(([, list]) => list.map(({ gapP99Ms }) => gapP99Ms));
  const rows = [...results].map(([{ name, api }, list]) => {
    const gap = median(list.map(({ gapP99Ms }) => gapP99Ms));
    return [
      name,
      api,
      format(median(list.map(({ firstByteMs }) => firstByteMs)), 2),
      format(gap, 2),
      format(gap - median(readGap('raw pipe', api)), 2),
    ];
  });
  const title = `SSE, a chunk every 10 ms, ${streams} streams`;
  printTable([title, 'api', 'first byte ms', 'gap p99 ms', 'over pipe ms'], rows);
}

requirePrograms(['wrk', 'taskset']);
const checkouts = await openCheckouts(values);
const upstream = await startUpstream();
const upstreamUrl = `${upstream.url}/v1`;
const isWanted = (part: string) => ['', part].includes(values.only);
const loadKinds = Object.keys(titles) as ComparedKind[];

if (isWanted('hostile')) {
  const versions = listVersions(checkouts).map(([, checkout]) => checkout);
  await benchHostileKey(versions, { rounds, seconds: Number(values.seconds), upstreamUrl });
}
if (values.only === 'hostile') process.exit();
const kinds = loadKinds.filter(isWanted);
if (checkouts.other !== null) {
  if (kinds.length === 0)
    throw new Error(`--against compares ${loadKinds.join(', ')} and hostile.`);
  await compareVersions(checkouts, {
    kinds,
    apis: apis.filter((api) => values.apis.split(',').includes(api)),
    processes: Number(values.processes),
    requests: Number(values.requests),
    upstreamUrl,
  });
} else {
  const contenders = await startContenders(checkouts.current, upstream);
  for (const kind of kinds) await benchLoad(contenders, kind);
  if (isWanted('paced')) await benchPacedStreams(contenders);
}
// Stops the servers, too.
process.exit();
