import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readBlocks, readOperateTexts } from '../../../support/docs-texts.ts';
import { startTable, toTableSettings } from '../../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** What changes the machine, takes minutes, or needs what a test does not have: these do nothing here. */
const stubs = ['apt-get', 'chown', 'curl', 'docker', 'nginx', 'systemctl', 'useradd'];

test('the commands of the pages for operators work in their order', async () => {
  await using table = await startTable();
  const machine = makeTestFolder();
  const programs = join(machine, 'programs');
  mkdirSync(programs);
  const stub = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  for (const name of stubs) stub(name, 'exit 0');
  // `npm run X -- …` of what works on the database; installing and building are tested elsewhere.
  stub(
    'npm',
    `case "$2" in doctor|keys|backup|restore) ;; *) exit 0;; esac
program=$2; shift 2; [ "$1" = -- ] && shift
exec ${process.execPath} ${root}/lib/cli/*/$program.ts "$@"`,
  );
  const old = join(machine, 'opt/marquee/releases/1.0.0');
  cpSync(join(root, '.env.example'), join(old, '.env.example'));
  // The commands read files of it by paths from their release.
  symlinkSync(join(root, 'lib'), join(old, 'lib'));
  const made = ['.static', '../1.1.0', '/etc/nginx/conf.d', '/etc/systemd/system'];
  for (const path of made) {
    mkdirSync(path.startsWith('/') ? join(machine, path) : join(old, path), { recursive: true });
  }
  const script = readBlocks(readOperateTexts(), 'sh')
    // What moves to PostgreSQL needs one: `backup.test.ts` runs it.
    .filter((block) => !block.includes('before-postgres'))
    .join('')
    .replaceAll(/(?<=[\s'])\/(opt|etc|var)\//g, `${machine}/$1/`);
  const env = {
    ...toTableSettings(table),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
    DATA_DIR: join(machine, 'var/lib/marquee/3000'),
  } as NodeJS.ProcessEnv;
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    execFile(
      'bash',
      ['--norc', '-ex', '-c', script],
      { env, cwd: machine },
      (failure, out, error) => done({ code: failure === null ? 0 : 1, output: out + error }),
    );
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^Ready/m);
  expect(output).toContain('is restored: 1 key.');
  expect(output).toContain('The key "first" is revoked');
  const instances = readFileSync(join(machine, 'etc/marquee/instances.conf'), 'utf8');
  expect(instances).toBe(
    'server 127.0.0.1:3000 max_fails=0;\nserver 127.0.0.1:3001 max_fails=0;\n',
  );
});
