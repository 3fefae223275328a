import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { runNode, runScript } from '../../support/programs/run-node.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** The other tests call the commands; here each is started as its script in package.json starts it. */

const root = resolve(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

async function makeDatabase(): Promise<string> {
  const dataDir = makeTestFolder();
  await openTestDatabase({ dataDir });
  return dataDir;
}

function start(name: string, args: readonly string[], dataDir: string, more: Environment = {}) {
  const settings = {
    DATABASE_URL: '',
    KEY_PEPPER: 'a-pepper-of-32-characters-or-more',
  };
  return runScript(scripts[name], args, { DATA_DIR: dataDir, ...settings, ...more });
}

test.for([
  ['keys', ['list'], 'There are no keys yet. Create one: npm run keys -- create --name NAME\n'],
  ['members', ['list'], 'Nobody has signed in yet.\n'],
  ['groups', ['list'], 'There are no groups.\n'],
  ['webhooks', ['list'], 'There are no webhooks.\n'],
  ['audit-log', ['list'], 'There are no entries.\n'],
] as const)(
  'npm run %s prints its result, and which database it is from',
  async ([name, args, out]) => {
    const dataDir = await makeDatabase();
    const error = `Database: SQLite, ${dataDir}/marquee.db\n`;
    expect(await start(name, args, dataDir)).toEqual({ code: 0, out, error });
  },
);

test('a command reads .env in its working directory; variables that are set win', async () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, '.env'), `DATA_DIR=${folder}/data\nPORT=invalid\n`);
  const words = [join(root, 'lib/cli/keys/keys.ts'), 'list'];
  const { error } = await runNode(words, { cwd: folder, environment: { PORT: '3000' } });
  expect(error).toContain(`Database: SQLite, ${folder}/data/marquee.db\n`);
});

test('npm run doctor says in its exit code that there is a problem, and prints no warnings of Node', async () => {
  const table = await startTable();
  onTestFinished(() => table.close());
  const settings = {
    ...toTableSettings(table),
    AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1',
    AI_UPSTREAM_KEY: 'k',
  };
  const { code, out, error } = await start('doctor', [], await makeDatabase(), settings);
  expect(error).toBe('');
  expect(out).toContain('✓ columns: complete\n');
  // The build of this checkout may be there or not.
  expect(out).toMatch(/\n\nNot ready: (build, )?upstream\.\n$/);
  expect(code).toBe(1);
});

test('npm run backup and npm run restore', async () => {
  const [from, to] = [await makeDatabase(), join(makeTestFolder(), 'new')];
  const folder = join(makeTestFolder(), 'monday');
  expect(await start('backup', [folder], from)).toEqual({
    code: 0,
    out: `SQLite, ${from}/marquee.db is backed up in ${folder}/marquee.db.\nKEY_PEPPER is not in it: store it elsewhere, or no key will work.\n`,
    error: '',
  });
  expect(await start('restore', [folder], to)).toEqual({
    code: 0,
    out: `SQLite, ${to}/marquee.db is restored: 0 keys.\n`,
    error: '',
  });
});
