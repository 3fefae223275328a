import { execFile } from 'node:child_process';
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
  connections: number;
  seconds: number;
}>;

/** Loads one address of a server with wrk and counts what the server used for it. */
export async function load(server: ServerProcess, options: LoadOptions): Promise<Load> {
  const { path, headers = {}, connections, seconds } = options;
  const cpuBefore = server.cpuMicroseconds();
  const { stdout } = await run('taskset', [
    ...['-c', loadProcessor, 'wrk', '--latency', '-t1', `-c${connections}`, `-d${seconds}s`],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    server.url + path,
  ]);
  const cpu = server.cpuMicroseconds() - cpuBefore;
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  if (failed !== null) throw new Error(`${server.url + path}: ${failed[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: toMs(/50%\s+(\S+)/.exec(stdout)?.[1]),
    p99Ms: toMs(/99%\s+(\S+)/.exec(stdout)?.[1]),
    cpuMicroseconds: cpu / requests,
  };
}

function toMs(text = ''): number {
  const [, amount = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}
