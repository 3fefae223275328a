import { execFileSync, spawnSync } from 'node:child_process';

/** Programs that tests and benchmarks need beside Node, and the Debian packages that hold them. */
const packages = {
  chromium: 'chromium',
  wrk: 'wrk',
  taskset: 'util-linux',
  // Debian keeps the server itself off the PATH; this comes along with it.
  pg_createcluster: 'postgresql',
  'redis-server': 'redis-server',
} as const;

export type Program = keyof typeof packages;

/**
 * Makes sure that programs are there: installs the missing ones where that is allowed (as root, or by
 * sudo without a password).
 * @throws Error with the line to run, where it is not.
 */
export function requirePrograms(programs: readonly Program[]): void {
  const missing = programs.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const names = [...new Set(missing.map((program) => packages[program]))];
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  const prefix = toPrivilege();
  if (prefix === null || !isThere('apt-get')) {
    throw new Error(
      `The tests need ${missing.join(', ')}. Install them first:\n\n  sudo ${install.join(' ')}\n`,
    );
  }
  process.stdout.write(`Installing ${names.join(', ')} …\n`);
  for (const command of [['apt-get', 'update'], install]) runQuietly([...prefix, ...command]);
}

// The words that come before a command that needs root; null where there are none.
function toPrivilege(): readonly string[] | null {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function runQuietly([program = '', ...given]: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(program, given, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
