import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../../../support/programs/run-node.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

async function makeDatabase(): Promise<string> {
  const dataDir = makeTestFolder();
  await openTestDatabase({ dataDir });
  return dataDir;
}

function start(name: string, args: readonly string[], dataDir: string) {
  const settings = { DATABASE_URL: '', KEY_PEPPER: 'a-pepper-of-32-characters-or-more' };
  return runScript(name, args, { DATA_DIR: dataDir, ...settings });
}

test.for([
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
