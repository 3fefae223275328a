import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from '../patience.ts';
import { collectOutput } from './collect-output.ts';
import { listChildren } from './list-children.ts';

export type ServerProgram = Readonly<{
  /** Kills it without a shutdown. */
  kill: () => Promise<void>;
  /** Suspends it: connections stay open without responses. */
  freeze: () => void;
  thaw: () => void;
  /** Starts it again, after it was killed. */
  start: () => Promise<void>;
}>;

export type ServerProgramOptions = Readonly<{
  command: string;
  args: readonly string[];
  cwd: string;
  uid?: number;
  gid?: number;
  /** The signal that kills it with its child processes. */
  killSignal?: NodeJS.Signals;
  /** Resolves if the server responds, else rejects. */
  probe: () => Promise<void>;
}>;

// Servers end with the tests.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Starts a third-party server, and waits until it responds.
 * @throws Error with its output if it does not.
 */
export async function startServerProgram(options: ServerProgramOptions): Promise<ServerProgram> {
  let child = await startChild(options);
  return {
    async kill() {
      children.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(options.killSignal ?? 'SIGKILL');
      await ended;
    },
    freeze: () => signalAll(child, 'SIGSTOP'),
    thaw: () => signalAll(child, 'SIGCONT'),
    async start() {
      child = await startChild(options);
    },
  };
}

async function startChild(options: ServerProgramOptions): Promise<ChildProcess> {
  const { command, args, probe, killSignal: _, ...spawnOptions } = options;
  const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const output = collectOutput(child);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const failure = await probe().then(
      () => null,
      (error: unknown) => String(error),
    );
    if (failure === null) return child;
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`${command} did not start: ${failure}\n${output()}`);
    }
    await delay(50);
  }
}

// PostgreSQL has a process for each connection, which may end meanwhile.
function signalAll({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  for (const processId of [pid, ...listChildren(pid)]) {
    try {
      process.kill(processId, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
