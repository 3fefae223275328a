import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, printTable } from '../figures.ts';
import { createKey, makeDataDir } from '../servers/checkout.ts';
import { type Api, apiPaths, basePath, startUpstream, toBody } from './proxy-server.ts';
import type { Allocation, FunctionCalls, Work } from './work-counter.ts';

/**
 * `npm run count-work -- [CHECKOUT …]`: what a request through the proxy does, without measuring time:
 * calls of own functions (V8’s call counts), SQL statements and transactions in SQLite, JSON that is parsed and
 * written, and allocated bytes by directory; for 100 plain chat requests one after the other, from a key with two limits.
 * Then calls a delta of Responses that are translated to chat, and the functions that walk the messages of a body.
 * `--statements`, `--walks` and `--allocations lib/spend` list them. Checkouts need their packages, but no build.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    statements: { type: 'boolean' },
    walks: { type: 'boolean' },
    allocations: { type: 'string' },
  },
});
const roots = (positionals.length > 0 ? positionals : ['.']).map((path) => resolve(path));

const requests = 100;
const warmUpRequests = 3000;
const messages = 1000;
/** The deltas of `short` and `burst`. */
const deltas = { short: 40, burst: 200 } as const;

/** V8 counts no calls of functions that it has compiled. */
const interpreted = ['--no-opt', '--no-maglev', '--no-sparkplug'];

const upstream = await startUpstream('any');
const rows = [];
for (const root of roots) rows.push(await countWork(root));
printColumns(rows);
await upstream.stop();

type Counts = Readonly<Record<string, string>>;

async function countWork(root: string): Promise<Counts> {
  const chat: Sent = { api: 'chat', body: toBody('chat', 'json'), count: requests };
  const allocating = await startCounted(root, 'allocations');
  await sendAll(allocating, { ...chat, count: warmUpRequests });
  const allocated = await allocating.count(chat);
  allocating.stop();
  const server = await startCounted(root, 'calls');
  await sendAll(server, { ...chat, count: 20 });
  const plain = await server.count(chat);
  const short = await countStream(server, 'short');
  const burst = await countStream(server, 'burst');
  const walked = await server.count({ api: 'chat', body: toLongBody(), count: 1 });
  server.stop();
  const own = plain.functions.filter(({ path }) => isOwn(root, path));
  const statements = Object.entries(plain.statements);
  const commits = statements.filter(([sql]) => /^commit/i.test(sql));
  const walks = listWalks(root, walked.functions);
  if (values.statements) printStatements(root, statements);
  if (values.walks) printWalks(root, walks);
  if (values.allocations) printAllocations(root, allocated.allocations, values.allocations);
  return {
    'calls of own functions': format(sum(own.map(({ calls }) => calls)) / requests),
    'SQL statements': format(sum(statements.map(([, count]) => count)) / requests, 2),
    transactions: format(sum(commits.map(([, count]) => count)) / requests, 2),
    'JSON parsed': format(plain.parsed / requests, 1),
    'JSON written': format(plain.written / requests, 1),
    ...toAllocationRows(root, allocated),
    [`calls for ${deltas.short} deltas of Responses over chat`]: format(short),
    'calls a delta': format((burst - short) / (deltas.burst - deltas.short), 1),
    'functions that run for each message': format(walks.length),
    'files of these': format(new Set(walks.map(({ path }) => path)).size),
  };
}

/** Calls of own functions for a stream. */
async function countStream(server: CountedServer, kind: keyof typeof deltas): Promise<number> {
  const count = 10;
  const body = toBody('responses', kind);
  const { functions } = await server.count({ api: 'responses', body, count });
  const own = functions.filter(({ path }) => isOwn(server.root, path));
  return sum(own.map(({ calls }) => calls)) / count;
}

type CountedServer = Awaited<ReturnType<typeof startCounted>>;

async function startCounted(root: string, counted: 'calls' | 'allocations') {
  const dataDir = makeDataDir();
  const key = createKey({ root }, dataDir);
  const preload = join(import.meta.dirname, 'work-counter.ts');
  const program = join(root, 'tests/support/servers/proxy-program.ts');
  const flags = counted === 'calls' ? interpreted : [];
  const node = join(root, 'node_modules/.bin/node');
  const child = spawn(node, [...flags, '--import', preload, program], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      SITE_URL: 'https://events.example',
      AI_UPSTREAM_URL: `${upstream.url}/v1`,
      AI_UPSTREAM_KEY: 'sk-bench',
      AI_UPSTREAM_RESPONSES: 'chat',
      AI_MODELS: 'bench/*',
      LOG_LEVEL: 'error',
      COUNTED: counted,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const server = { root, key, url: await readUrl(child), stop: () => child.kill('SIGKILL') };
  return {
    ...server,
    async count(sent: Sent): Promise<Work> {
      await ask(child, 'start');
      await sendAll(server, sent);
      return (await ask(child, 'stop')) as Work;
    },
  };
}

async function ask(child: ChildProcess, message: string): Promise<unknown> {
  child.send(message);
  const [reply] = await once(child, 'message');
  return reply;
}

function readUrl({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk) => {
      const [, port] = /^port (\d+)$/m.exec(String(chunk)) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    stdout?.on('end', () => reject(new Error('The server did not start.')));
  });
}

type Sent = Readonly<{ api: Api; body: string; count: number }>;

async function sendAll(
  server: Pick<CountedServer, 'url' | 'key'>,
  { api, body, count }: Sent,
): Promise<void> {
  const url = `${server.url}${basePath}/${apiPaths[api]}`;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${server.key}` };
  for (let sent = 0; sent < count; sent += 1) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  }
}

function toLongBody(): string {
  const roles = ['user', 'assistant'];
  return JSON.stringify({
    model: 'bench/json',
    messages: Array.from({ length: messages }, (_, index) => ({
      role: roles[index % 2],
      content: `message ${index}`,
    })),
  });
}

/** Own functions that run for each message, or that have a loop which does. */
function listWalks(root: string, functions: readonly FunctionCalls[]): readonly FunctionCalls[] {
  return functions.filter(({ path, blockMax }) => isOwn(root, path) && blockMax >= messages);
}

function isOwn(root: string, path: string): boolean {
  return /^(?:app|lib)\//.test(relative(root, path));
}

function toAllocationRows(root: string, { allocations }: Work): Counts {
  const bytes = new Map<string, number>();
  for (const allocation of allocations) {
    const directory = toDirectory(relative(root, allocation.path));
    bytes.set(directory, (bytes.get(directory) ?? 0) + allocation.bytes);
  }
  const sorted = [...bytes].filter(([name]) => name !== '').toSorted(([, a], [, b]) => b - a);
  const all = sum(sorted.map(([, size]) => size));
  return Object.fromEntries(
    [['all own code' as string, all] as const, ...sorted.slice(0, 10)].map(([name, size]) => [
      `kB allocated by ${name}`,
      format(size / requests / 1000, 1),
    ]),
  );
}

/** `lib/spend`, `lib/ai-proxy/pipeline`; the rest has none. */
function toDirectory(path: string): string {
  const [, directory] = /^(lib\/(?:ai-proxy\/)?[^/.]+)/.exec(path) ?? [];
  return directory ?? '';
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

/** A column for each checkout. */
function printColumns(columns: readonly Counts[]): void {
  const names = new Set(columns.flatMap((column) => Object.keys(column)));
  printTable(
    ['of a request', ...roots],
    [...names].map((name) => [name, ...columns.map((column) => column[name] ?? '')]),
  );
}

function printStatements(root: string, statements: readonly (readonly [string, number])[]): void {
  printTable(
    [root, 'a request'],
    statements.map(([sql, count]) => [
      sql.replaceAll(/\s+/g, ' ').slice(0, 90),
      format(count / requests, 2),
    ]),
  );
}

function printWalks(root: string, walks: readonly FunctionCalls[]): void {
  printTable(
    [root, 'function', 'runs'],
    walks.map(({ path, name, blockMax }) => [relative(root, path), name, String(blockMax)]),
  );
}

function printAllocations(root: string, all: readonly Allocation[], directory: string): void {
  const own = all.filter(({ path }) => relative(root, path).startsWith(directory));
  const sorted = own.toSorted((a, b) => b.bytes - a.bytes).slice(0, 40);
  printTable(
    [root, 'function', 'bytes a request'],
    sorted.map(({ path, name, bytes }) => [relative(root, path), name, format(bytes / requests)]),
  );
}
