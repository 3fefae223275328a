import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPostgresProgram } from '../programs.ts';

/** A machine of its own but for its network: this machine's programs, and nothing written yet. */
export type FreshRoot = AsyncDisposable &
  Readonly<{
    /** Runs commands as root, one after the other. Returns what they print. @throws Error if one fails. */
    run: (commands: string) => Promise<string>;
    commandCount: () => number;
  }>;

type Options = Readonly<{
  /** Folders by their path inside. They can be written to. */
  folders: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string | undefined>>;
}>;

/** What there is no package server and no init system for. */
const programs = join(import.meta.dirname, 'programs');

export function startFreshRoot({ folders, environment = {} }: Options): FreshRoot {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-root-'));
  chmodSync(folder, 0o755);
  const etc = join(folder, 'etc');
  cpSync('/etc/nginx', join(etc, 'nginx'), { recursive: true });
  mkdirSync(join(etc, 'systemd/system'), { recursive: true });
  const shell = spawn('bwrap', [...toArguments({ ...folders, '/etc': etc }, environment)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return createFreshRoot(shell, () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  );
}

function createFreshRoot(shell: ChildProcess, remove: () => void): FreshRoot {
  const ended = once(shell, 'exit');
  shell.stdin?.write('trap "tail --lines=5 /var/log/marquee-*.log >&2" EXIT\n');
  let output = '';
  let errors = '';
  let count = 0;
  shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  shell.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    commandCount: () => errors.match(/^\++ /gm)?.length ?? 0,
    async run(commands) {
      count += 1;
      const end = `end of ${count}\n`;
      output = '';
      // As a group, so that no command reads those after it.
      shell.stdin?.write(`{\n${commands}\n} < /dev/null\nset +x; echo end of ${count}; set -x\n`);
      while (!output.endsWith(end)) {
        const hasEnded = await Promise.race([
          once(shell.stdout ?? shell, 'data').then(() => false),
          ended.then(() => true),
        ]);
        if (hasEnded && !output.endsWith(end)) {
          throw new Error(`${output.slice(-3000)}\n${errors.slice(-3000)}`);
        }
      }
      return output.slice(0, -end.length);
    },
    async [Symbol.asyncDispose]() {
      shell.kill('SIGKILL');
      await ended;
      remove();
    },
  };
}

function* toArguments(
  folders: Options['folders'],
  environment: Readonly<Record<string, string | undefined>>,
): Generator<string> {
  yield* ['--ro-bind', '/usr', '/usr'];
  for (const path of ['bin', 'lib', 'lib64', 'sbin'])
    yield* ['--symlink', `usr/${path}`, `/${path}`];
  for (const path of ['/var', '/run', '/tmp', '/data', '/backups']) yield* ['--tmpfs', path];
  for (const path of ['/var/lib/nginx', '/var/log/nginx']) yield* ['--dir', path];
  for (const [inside, outside] of Object.entries(folders)) yield* ['--bind', outside, inside];
  for (const path of ['/etc/passwd', '/etc/group', '/etc/ssl', '/etc/hosts']) {
    yield* ['--ro-bind', path, path];
  }
  yield* ['--ro-bind', programs, '/programs', '--proc', '/proc', '--dev', '/dev'];
  yield* ['--unshare-pid', '--die-with-parent', '--clearenv'];
  const databasePrograms = dirname(findPostgresProgram('pg_dump'));
  const path = `/programs:/app/node_modules/.bin:/usr/sbin:/usr/bin:/bin:${databasePrograms}`;
  for (const [name, value] of Object.entries({ ...environment, PATH: path, HOME: '/tmp' })) {
    if (value !== undefined) yield* ['--setenv', name, value];
  }
  yield* ['--', 'bash', '-ex'];
}
