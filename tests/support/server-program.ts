import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export type ServerProgram = Readonly<{
  /** Ends it at once, as if the power went: what it has not kept is gone. */
  kill: () => Promise<void>;
  /** Stops its clockwork: connections stay, and nothing is answered. */
  freeze: () => void;
  thaw: () => void;
}>;

export type ServerProgramOptions = Readonly<{
  command: string;
  given: readonly string[];
  cwd: string;
  uid?: number;
  gid?: number;
  /** What ends it at once, together with the processes that it has started. */
  killSignal?: NodeJS.Signals;
  /** Resolves where the server answers, throws where it does not. */
  probe: () => Promise<void>;
}>;

const readyWithinMs = 20_000;

// Whatever ends the tests ends their servers.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Starts a server that is not ours, and waits until it answers.
 * @throws Error with what it printed, where it does not.
 */
export async function startServerProgram(options: ServerProgramOptions): Promise<ServerProgram> {
  const { command, given, probe, killSignal = 'SIGKILL', ...spawnOptions } = options;
  const child = spawn(command, given, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const failure = await probe().then(
      () => null,
      (error: unknown) => String(error),
    );
    if (failure === null) break;
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`${command} did not come up: ${failure}\n${printed}`);
    }
    await delay(50);
  }
  return {
    async kill() {
      children.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(killSignal);
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
