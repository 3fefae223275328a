import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { runNode, runScript } from '../../support/programs/run-node.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** The other tests call the commands; here one that succeeds and one that fails are started as their scripts are. */

const root = resolve(import.meta.dirname, '../../..');

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
  return runScript(name, args, { DATA_DIR: dataDir, ...settings, ...more });
}

test('npm run keys prints its result, and which database it is from', async () => {
  const dataDir = await makeDatabase();
  expect(await start('keys', ['list'], dataDir)).toEqual({
    code: 0,
    out: 'There are no keys yet. Create one: npm run keys -- create --name NAME\n',
    error: `Database: SQLite, ${dataDir}/marquee.db\n`,
  });
});

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
