import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKeyHasher } from '#lib/ai-proxy/keys/key-hash.ts';
import { createKeyRegister } from '#lib/ai-proxy/keys/key-register.ts';
import { loadPepper } from '#lib/ai-proxy/keys/pepper.ts';
import { buildIfNeeded } from '#lib/cli/build-if-needed.ts';
import { serverArguments } from '#lib/cli/start-server.ts';
import { toTextTable } from '#lib/cli/terminal.ts';
import { openDatabase } from '#lib/storage/database.ts';
import { requirePrograms } from '../../programs.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { type Load, load } from '../wrk.ts';
import { measureMemory } from './memory.ts';
import { measurePaced, type Paced } from './paced.ts';
import { startPortkey, toPortkeyHeaders } from './portkey.ts';

/**
 * `npm run bench:proxy`: what a request through the proxy costs, with keys, limits and metering on, side
 * by side in one run with the upstream itself, with raw node:http that passes bytes on or parses every
 * event, and with Portkey's gateway. The proxy and its rivals run on one processor each in turn; load
 * and upstream on the other. `--only json|burst|paced` measures one kind of reply; `--only memory` watches
 * what the proxy holds over `--minutes` of load whose callers come and go.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,16,64' },
    streams: { type: 'string', default: '16' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
/** Compilers take their time: what runs for days is measured warm. */
const warmUpSeconds = 3;

type Api = 'chat' | 'responses';
type Contender = Readonly<{
  name: string;
  api: Api;
  server: ServerProcess;
  /** Before `/chat/completions` or `/responses`. */
  base: string;
  headers: Readonly<Record<string, string>>;
}>;

async function start(): Promise<{ contenders: Contender[]; stop: () => Promise<void> }> {
  const upstream = await startServerProcess(['tests/bench/proxy/upstream.ts'], {
    path: '/v1/models',
    place: 'beside load',
  });
  const upstreamUrl = `${upstream.url}/v1`;
  const startRaw = (mode: string) =>
    startServerProcess(['tests/bench/proxy/raw-proxy.ts'], {
      environment: { UPSTREAM: upstreamUrl, MODE: mode },
      path: '/proxy/v1/models',
    });
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const key = await makeKey(dataDir);
  const startMarquee = (responses: string) =>
    startServerProcess(serverArguments, {
      environment: {
        DATA_DIR: dataDir,
        AI_UPSTREAM_URL: upstreamUrl,
        AI_UPSTREAM_KEY: 'sk-bench',
        AI_UPSTREAM_RESPONSES: responses,
        AI_MODELS: 'bench/*',
      },
      path: '/proxy/v1/models',
    });
  const [pipe, parse] = [await startRaw('pipe'), await startRaw('parse')];
  const [native, translating] = [await startMarquee('native'), await startMarquee('chat')];
  const portkey = await startPortkey();
  const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const toBoth = (name: string, server: ServerProcess, base: string): Contender[] =>
    (['chat', 'responses'] as const).map((api) => ({ name, api, server, base, headers: json }));
  const contenders = [
    ...toBoth('direct', upstream, '/v1'),
    ...toBoth('raw pipe', pipe, '/proxy/v1'),
    ...toBoth('raw parse', parse, '/proxy/v1'),
    ...toBoth('marquee', native, '/proxy/v1'),
    {
      ...{ name: 'marquee, translated', api: 'responses' as const, server: translating },
      ...{ base: '/proxy/v1', headers: json },
    },
    {
      ...{ name: 'portkey', api: 'chat' as const, server: portkey, base: '/v1' },
      headers: { ...json, ...toPortkeyHeaders(upstreamUrl) },
    },
  ];
  const servers = [upstream, pipe, parse, native, translating, portkey];
  return {
    contenders,
    async stop() {
      for (const server of servers) await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeKey(dataDir: string): Promise<string> {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir }));
  const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
  const { text } = await register.create({
    ...{ name: 'bench', models: null, expiresAt: null },
    ...{ requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000_000 },
  });
  await database.close();
  return text;
}

function toPath({ api, base }: Contender): string {
  return `${base}/${api === 'chat' ? 'chat/completions' : 'responses'}`;
}

function toBody(api: Api, kind: string): string {
  const prompt = 'Say something that is about as long as this. '.repeat(4);
  return JSON.stringify({
    model: `bench/${kind}`,
    stream: kind !== 'json',
    ...(api === 'chat' ? { messages: [{ role: 'user', content: prompt }] } : { input: prompt }),
  });
}

const number = (value: number | undefined, digits: number) => (value ?? Number.NaN).toFixed(digits);

async function benchLoad(contenders: readonly Contender[], kind: 'json' | 'burst'): Promise<void> {
  for (const connections of values.connections.split(',').map(Number)) {
    const loads = new Map<Contender, Load>();
    for (const one of contenders) {
      const options = {
        ...{ path: toPath(one), headers: one.headers, body: toBody(one.api, kind) },
        // It fails for some requests under load; only its answers count.
        mayFail: one.name === 'portkey',
      };
      await load(one.server, { ...options, connections, seconds: warmUpSeconds });
      loads.set(one, await load(one.server, { ...options, connections, seconds }));
    }
    const rate = (name: string, api: Api) =>
      [...loads].find(([one]) => one.name === name && one.api === api)?.[1];
    const rows = [...loads].map(([one, measured]) => {
      // What is translated was a chat stream on its way here.
      const from = one.name === 'marquee, translated' ? 'chat' : one.api;
      const ratio = (name: string, api: Api) =>
        number(measured.requestsPerSecond / (rate(name, api)?.requestsPerSecond ?? Number.NaN), 2);
      return [
        one.name,
        one.api,
        number(measured.requestsPerSecond, 0),
        number(measured.p50Ms - (rate('direct', from)?.p50Ms ?? Number.NaN), 2),
        number(measured.p99Ms - (rate('direct', from)?.p99Ms ?? Number.NaN), 2),
        number(measured.cpuMicroseconds, 0),
        ratio('raw pipe', from),
        ratio('raw parse', from),
        ratio('portkey', 'chat'),
      ];
    });
    const title = `${kind === 'json' ? 'JSON, 1 kB' : 'SSE, 200 chunks at once'}, ${connections} connections`;
    const headings = ['req/s', 'added p50 ms', 'added p99 ms', 'CPU µs'];
    const ratios = ['÷ pipe', '÷ parse', '÷ portkey'];
    process.stdout.write(`\n${toTextTable([title, 'api', ...headings, ...ratios], rows)}\n`);
  }
}

async function benchPaced(contenders: readonly Contender[]): Promise<void> {
  const streams = Number(values.streams);
  const results: [Contender, Paced][] = [];
  for (const one of contenders) {
    const options = { headers: one.headers, body: toBody(one.api, 'paced'), streams };
    results.push([one, await measurePaced({ ...options, url: one.server.url + toPath(one) })]);
  }
  const pipe = (api: Api) =>
    results.find(([one]) => one.name === 'raw pipe' && one.api === api)?.[1].gapP99Ms ?? Number.NaN;
  const rows = results.map(([one, { firstByteMs, gapP99Ms }]) => [
    one.name,
    one.api,
    number(firstByteMs, 2),
    number(gapP99Ms, 2),
    number(gapP99Ms - pipe(one.api), 2),
  ]);
  const title = `SSE, a chunk every 10 ms, ${streams} streams`;
  const headings = [title, 'api', 'first byte ms', 'gap p99 ms', 'over pipe ms'];
  process.stdout.write(`\n${toTextTable(headings, rows)}\n`);
}

/** Resident memory of both of Marquee's processes, side by side, under load whose callers come and go. */
async function watchMemory(contenders: readonly Contender[]): Promise<void> {
  const ours = Map.groupBy(
    contenders.filter(({ name }) => name.startsWith('marquee')),
    ({ name }) => name,
  );
  const watched = [...ours].map(async ([name, group]) => {
    const asks = group.flatMap((one) =>
      ['json', 'burst', 'paced'].map((kind) => ({
        path: toPath(one),
        body: toBody(one.api, kind),
      })),
    );
    const { server, headers } = group[0] ?? fail(name);
    const options = { server, asks, headers, minutes: Number(values.minutes), callers: 32 };
    for await (const { minute, requests, left, median, most } of measureMemory(options)) {
      const load = `${requests} requests, ${left} broken off`;
      process.stdout.write(`${name}, minute ${minute}: ${load}, ${median} MB, at most ${most}\n`);
    }
  });
  await Promise.all(watched);
}

function fail(name: string): never {
  throw new Error(`${name} has no addresses.`);
}

requirePrograms(['wrk', 'taskset']);
await buildIfNeeded();
const { contenders, stop } = await start();
if ('json'.includes(values.only)) await benchLoad(contenders, 'json');
if ('burst'.includes(values.only)) await benchLoad(contenders, 'burst');
if ('paced'.includes(values.only)) await benchPaced(contenders);
if (values.only === 'memory') await watchMemory(contenders);
await stop();
