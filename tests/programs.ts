import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { findHeadlessChromium } from './support/clients/chromium.ts';

/** Programs that tests and benchmarks need besides Node, and the Debian packages that contain them. */
const packages = {
  chromium: 'chromium',
  'headless-chromium': 'chromium-headless-shell',
  wrk: 'wrk',
  cpulimit: 'cpulimit',
  taskset: 'util-linux',
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  openssl: 'openssl',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  bwrap: 'bubblewrap',
  icalendar: 'python3-icalendar',
  script: 'bsdutils',
  busybox: 'busybox',
  curl: 'curl',
  faketime: 'faketime',
} as const;

export type Program = keyof typeof packages;

/** Debian keeps PostgreSQL's programs off the PATH, in a directory per version. */
export function findPostgresProgram(name: string): string {
  return globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().at(-1) ?? name;
}

export function isInstalled(program: Program): boolean {
  if (program === 'headless-chromium') return findHeadlessChromium() !== '';
  return isCommand(program === 'postgres' ? findPostgresProgram('initdb') : program);
}

/** The line that installs them. */
export function toInstallCommand(programs: readonly Program[]): string {
  return ['sudo', ...toAptCommand(programs)].join(' ');
}

/** Whether programs may be installed without asking: in CI, or as root where nobody watches. */
export function mayInstall(): boolean {
  const isUnattended = process.getuid?.() === 0 && !process.stdin.isTTY;
  return (isCi() || isUnattended) && isCommand('apt-get');
}

export function isCi(): boolean {
  return !['', 'false', '0'].includes(process.env.CI ?? '');
}

/** @throws Error with apt-get's status if it fails. */
export function install(programs: readonly Program[]): void {
  process.stdout.write(`Installing ${toPackages(programs).join(', ')} …\n`);
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const command of [['apt-get', 'update'], toAptCommand(programs)]) {
    runQuietly([...prefix, ...command]);
  }
}

/**
 * Installs missing programs where that is allowed.
 * @throws Error with the line to run where it is not.
 */
export function requirePrograms(programs: readonly Program[]): void {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  if (!mayInstall()) {
    throw new Error(
      `Missing: ${missing.join(', ')}. Install with\n\n  ${toInstallCommand(missing)}`,
    );
  }
  install(missing);
}

function toPackages(programs: readonly Program[]): readonly string[] {
  return [...new Set(programs.map((program) => packages[program]))];
}

function toAptCommand(programs: readonly Program[]): readonly string[] {
  return ['apt-get', 'install', '-y', '--no-install-recommends', ...toPackages(programs)];
}

function isCommand(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

function runQuietly([program = '', ...args]: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
