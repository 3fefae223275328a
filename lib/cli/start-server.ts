import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '#lib/config/config.ts';

export type ServerProcess = Readonly<{
  onceReady: (listener: () => void) => void;
  /** The exit code, when the process has ended. */
  ended: Promise<number>;
  stop: (signal: NodeJS.Signals) => void;
}>;

/**
 * How `npm start` starts it too. With V8's usual 16 MB for the young, a table of 10,000 events made a
 * process half as large again, and no faster. One helper of the garbage collector, not four: where
 * processors are few, each takes slices of time from whoever waits for an answer. The heap may double
 * before it is collected: left to itself, V8 collects a large table that is read again and again five times
 * as often, and grows larger all the same. What starting leaves behind is collected once, by
 * `lib/server/main.ts`: hence `--expose-gc`.
 */
export const serverArguments = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--heap-growing-percent=100',
  '--expose-gc',
  resolve(import.meta.dirname, '../server/main.ts'),
];

/**
 * Set for `npm start` too. glibc keeps freed memory in an arena for each thread: with two of them, a
 * process that has encoded all of the sample's pictures holds 280 MB instead of 390. Other systems do not
 * know the setting.
 */
const serverEnvironment = { MALLOC_ARENA_MAX: '2', NEXT_TELEMETRY_DISABLED: '1' } as const;

/** Starts the server as a process of its own, its log on this terminal; Ctrl-C here ends it. */
export function startServer(environment: Environment): ServerProcess {
  const child = spawn(process.execPath, serverArguments, {
    env: { ...process.env, ...serverEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const readyListeners: (() => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (isReadyLine(line)) for (const listener of readyListeners.splice(0)) listener();
  });
  return {
    onceReady: (listener) => readyListeners.push(listener),
    ended: waitForEnd(child, stop),
    stop,
  };
}

async function waitForEnd(child: ChildProcess, stop: NodeJS.SignalsListener): Promise<number> {
  const [code] = await once(child, 'exit');
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  return typeof code === 'number' ? code : 0;
}

// The server logs JSON lines, and says `ready` when it listens.
function isReadyLine(line: string): boolean {
  return line.startsWith('{') && line.includes('"msg":"ready"');
}
