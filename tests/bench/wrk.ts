import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadProcessor, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

export type Load = Readonly<{
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicroseconds: number;
}>;

export type LoadOptions = Readonly<{
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent by POST; else it is a GET. */
  body?: string;
  connections: number;
  seconds: number;
  /** Answers that are no success count as none; else they end the benchmark. */
  mayFail?: boolean;
}>;

/** Loads one address of a server with wrk and counts what the server used for it. */
export async function load(server: ServerProcess, options: LoadOptions): Promise<Load> {
  const { path, headers = {}, body, connections, seconds, mayFail = false } = options;
  const cpuBefore = server.cpuMicroseconds();
  const { stdout } = await run('taskset', [
    ...['-c', loadProcessor, 'wrk', '--latency', '-t1', `-c${connections}`, `-d${seconds}s`],
    ...(body === undefined ? [] : ['-s', writePostScript(body)]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    server.url + path,
  ]);
  const cpu = server.cpuMicroseconds() - cpuBefore;
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  if (failed !== null && !mayFail) throw new Error(`${server.url + path}: ${failed[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const sound = 1 - Number(failed?.[1] ?? 0) / requests;
  return {
    requestsPerSecond: sound * Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: toMs(/^ +50%\s+(\S+)/m.exec(stdout)?.[1]),
    p99Ms: toMs(/^ +99%\s+(\S+)/m.exec(stdout)?.[1]),
    cpuMicroseconds: cpu / requests,
  };
}

function toMs(text = ''): number {
  const [, amount = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

// wrk takes a body from a script alone.
function writePostScript(body: string): string {
  const file = join(tmpdir(), `marquee-post-${process.pid}.lua`);
  writeFileSync(file, `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\n`);
  return file;
}
