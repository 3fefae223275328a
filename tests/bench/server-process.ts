import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findFreePort } from '../support/free-port.ts';

/** A server under measurement, alone on its processor where the machine can do that. */
export type ServerProcess = Readonly<{
  pid: number;
  url: string;
  /** Processor time used so far, µs, all threads. */
  cpuMicroseconds: () => number;
  /** Resident memory now and at its peak, MB. */
  memoryMb: () => Readonly<{ now: number; peak: number }>;
  stop: () => Promise<void>;
}>;

const root = `${import.meta.dirname}/../..`;
const serverProcessor = '0';
/** The load comes from another processor, so that it does not slow what it measures. */
export const loadProcessor = '1';
const processors = {
  alone: serverProcessor,
  'beside load': loadProcessor,
  anywhere: `${serverProcessor},${loadProcessor}`,
} as const;

// Whatever ends the benchmark ends its servers.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `node …arguments` with a free PORT and waits until `path` answers there. */
export async function startServerProcess(
  given: readonly string[],
  options: Readonly<{
    environment?: Record<string, string>;
    path?: string;
    imports?: string;
    /** Beside the load, for what is not measured itself; or wherever the system puts it. */
    place?: 'alone' | 'beside load' | 'anywhere';
    /** How a program is told its port that does not read PORT, such as `--port=`. */
    portArgument?: string;
    isSilent?: boolean;
  }> = {},
): Promise<ServerProcess> {
  const {
    environment = {},
    path = '/',
    imports,
    place = 'alone',
    portArgument,
    isSilent = false,
  } = options;
  const port = await findFreePort();
  const node = [process.execPath, ...(imports ? ['--import', imports] : []), ...given];
  if (portArgument !== undefined) node.push(`${portArgument}${port}`);
  const child = spawn('taskset', ['-c', processors[place], ...node], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      ...environment,
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
    memoryMb: () => readMemory(pid),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (child.exitCode !== null) throw new Error(`The server for ${url} ended by itself.`);
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answered at ${url}.`);
}

// Fields 14 and 15 of /proc/PID/stat, in ticks of 10 ms.
function readCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM')) };
}
