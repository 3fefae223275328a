import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { serverArguments } from '#lib/cli/demo/start-server.ts';
import type { Environment } from '#lib/config/config.ts';
import { listChildren } from '../../support/programs/list-children.ts';
import { readMemory, waitUntilReady } from '../servers/server-process.ts';

export type Instance = Readonly<{
  name: string;
  port: number;
  start: () => Promise<void>;
  /** Resolves when the process has ended. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  killWorker: () => void;
  /** All of its processes together. Null while it does not run. */
  measure: () => Readonly<{ memoryMb: number; descriptors: number }> | null;
}>;

type Options = Readonly<{ name: string; port: number; logFile: string; environment: Environment }>;

const root = resolve(import.meta.dirname, '../../..');
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The server as an operator runs it: it can be ended and started again, with the same port and data. */
export function createInstance({ name, port, logFile, environment }: Options): Instance {
  let child: ChildProcess | null = null;
  return {
    name,
    port,
    async start() {
      const log = openSync(logFile, 'a');
      const started = spawn(process.execPath, serverArguments, {
        cwd: root,
        env: { ...process.env, MALLOC_ARENA_MAX: '2', ...environment, PORT: String(port) },
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      children.add(started);
      child = started;
      await waitUntilReady(`http://127.0.0.1:${port}/health/live`, started);
    },
    async end(signal) {
      const ending = child;
      child = null;
      if (ending === null) return;
      const ended = once(ending, 'exit');
      ending.kill(signal);
      await ended;
      children.delete(ending);
    },
    killWorker() {
      const [worker] = listChildren(child?.pid ?? 0);
      if (worker !== undefined) process.kill(worker, 'SIGKILL');
    },
    measure() {
      if (child?.pid === undefined) return null;
      try {
        const pids = [child.pid, ...listChildren(child.pid)];
        return {
          memoryMb: pids.reduce((sum, pid) => sum + readMemory(pid).now, 0),
          descriptors: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
        };
      } catch {
        return null;
      }
    },
  };
}
