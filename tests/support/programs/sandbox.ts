import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { collectOutput } from './collect-output.ts';

export type Sandbox = Readonly<{
  /** A folder that is `/app` inside, and cannot be written to. */
  tree: string;
  /** A folder that is `/data` inside; all that can be written to, besides `/tmp`. */
  data: string;
  environment: Readonly<Record<string, string | undefined>>;
}>;

export type SandboxProcess = Readonly<{
  output: () => string;
  /** Sends a signal to the first process inside, as a container engine does. */
  signal: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}>;

/** For bubblewrap: a root that has this machine's programs, and an empty folder to write to. */
export const rootArguments = [
  ['--ro-bind', '/usr', '/usr'],
  ...['bin', 'lib', 'lib64'].map((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
].flat();

/** A user without rights or a home. */
export const nobody = 65_534;

/** Runs a command as a container would: as PID 1 of an unprivileged user, with a read-only root. */
export async function runInSandbox(
  { tree, data, environment }: Sandbox,
  command: readonly string[],
): Promise<SandboxProcess> {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : ['--setenv', name, value],
  );
  const child = spawn(
    'bwrap',
    [
      rootArguments,
      ['--ro-bind', tree, '/app'],
      ['--bind', data, '/data'],
      ['--remount-ro', '/', '--chdir', '/app'],
      ['--unshare-pid', '--as-pid-1', '--die-with-parent', '--clearenv'],
      variables,
      ['--info-fd', '3', '--'],
      command,
    ].flat(),
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
    },
  );
  const output = collectOutput(child);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const pid = await readPid(child).catch(() => {
    throw new Error(`bwrap failed: ${output()}`);
  });
  return { output, signal: (signal) => void process.kill(pid, signal), ended };
}

async function readPid(child: ChildProcess): Promise<number> {
  const info = child.stdio[3];
  if (!(info instanceof Readable)) throw new Error('No information.');
  return JSON.parse(await text(info))['child-pid'];
}
