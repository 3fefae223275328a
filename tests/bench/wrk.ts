import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadProcessor, type ServerProcess } from './servers/server-process.ts';

const run = promisify(execFile);
const scriptFile = join(tmpdir(), `marquee-wrk-${process.pid}.lua`);

export type Load = Readonly<{
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the server per request. */
  cpuMicroseconds: number;
}>;

export type LoadOptions = Readonly<{
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  body?: string;
  /** A Lua script for wrk, in place of `body`. */
  script?: string;
  connections: number;
  seconds: number;
  /** Responses other than 2xx and 3xx are not counted; otherwise they are an error. */
  mayFail?: boolean;
}>;

/** Loads one URL of a server with wrk, and measures the CPU time that the server uses for it. */
export async function load(server: ServerProcess, options: LoadOptions): Promise<Load> {
  const { path, headers = {}, body, connections, seconds, mayFail = false } = options;
  const script = body === undefined ? options.script : toPostScript(body);
  const cpuBefore = server.cpuMicroseconds();
  const { stdout } = await run('taskset', [
    '-c',
    loadProcessor,
    'wrk',
    '--latency',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...(script === undefined ? [] : ['-s', writeScript(script)]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    server.url + path,
  ]).finally(() => rmSync(scriptFile, { force: true }));
  const cpu = server.cpuMicroseconds() - cpuBefore;
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  if (failed !== null && !mayFail) throw new Error(`${server.url + path}: ${failed[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const succeeded = 1 - Number(failed?.[1] ?? 0) / requests;
  return {
    requestsPerSecond: succeeded * Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: toMs(/^ +50%\s+(\S+)/m.exec(stdout)?.[1]),
    p99Ms: toMs(/^ +99%\s+(\S+)/m.exec(stdout)?.[1]),
    cpuMicroseconds: cpu / requests,
  };
}

function toMs(text = ''): number {
  const [, amount = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

function toPostScript(body: string): string {
  return `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\n`;
}

function writeScript(script: string): string {
  writeFileSync(scriptFile, script);
  return scriptFile;
}
