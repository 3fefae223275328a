import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#lib/config/config.ts';
import { findFreePort } from '../../support/servers/free-port.ts';

export type ServerProcess = Readonly<{
  pid: number;
  url: string;
  /** CPU time used so far by all threads, in µs. */
  cpuMicroseconds: () => number;
  /** CPU time used so far by the thread of JavaScript, in ms. */
  mainThreadMs: () => number;
  /** Resident memory now and at its peak, in MB. */
  memoryMb: () => Readonly<{ now: number; peak: number }>;
  stop: () => Promise<void>;
}>;

export type ServerProcessOptions = Readonly<{
  root?: string;
  /** The Node.js program. */
  node?: string;
  environment?: Environment;
  /** The server is ready when this path answers with 2xx. */
  path?: string;
  /** A module that is loaded before the program. */
  preload?: string;
  /** `measured` has a processor to itself; `load` shares that of the load generator. */
  processor?: 'measured' | 'load' | 'any';
  /** For a program that does not read PORT, such as `--port=`. */
  portArgument?: string;
  isSilent?: boolean;
}>;

const processors = { measured: '0', load: '1', any: '0,1' } as const;

/** The load generator has a processor of its own, so that it does not slow the server down. */
export const loadProcessor = processors.load;

/** Moves this program there, so that it does not take time from the server. */
export function moveToLoadProcessor(): void {
  const options = ['-a', '-p', '-c', loadProcessor, String(process.pid)];
  execFileSync('taskset', options, { stdio: 'ignore' });
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
// By default a signal ends the process without its `exit` handlers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Runs `node …arguments` on a free port and waits until it is ready.
 * @throws Error if the program ends by itself or does not answer within two minutes.
 */
export async function startServerProcess(
  nodeArguments: readonly string[],
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const {
    root = resolve(import.meta.dirname, '../../..'),
    node = process.execPath,
    environment = {},
    path = '/health',
    preload,
    processor = 'measured',
    portArgument,
    isSilent = false,
  } = options;
  const port = await findFreePort();
  const command = [node, ...(preload ? ['--import', preload] : []), ...nodeArguments];
  if (portArgument !== undefined) command.push(`${portArgument}${port}`);
  const child = spawn('taskset', ['-c', processors[processor], ...command], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...environment,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', isSilent ? 'ignore' : 'inherit'],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url + path, child);
  const pid = child.pid ?? 0;
  return {
    pid,
    url,
    cpuMicroseconds: () => readCpu(pid),
    mainThreadMs: () => readMainThread(pid),
    memoryMb: () => readMemory(pid),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      children.delete(child);
    },
  };
}

/** @throws Error if the program ends by itself or does not answer within two minutes. */
export async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (child.exitCode !== null) throw new Error(`The server for ${url} ended by itself.`);
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error(`${url} did not answer with success.`);
}

// Fields 14 and 15 of /proc/PID/stat, in ticks of 10 ms (man 5 proc).
export function readCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

// The first field is in nanoseconds (Documentation/scheduler/sched-stats.rst).
export function readMainThread(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, 'utf8'), 10) / 1e6;
}

/** Resident memory now and at its peak, in MB. */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM')) };
}
