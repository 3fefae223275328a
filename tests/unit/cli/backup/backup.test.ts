import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createKeyHasher } from '#lib/ai-proxy/keys/key-text.ts';
import { loadPepper } from '#lib/ai-proxy/keys/pepper.ts';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/storage/database.ts';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { type Outcome, runNode } from '../../../support/programs/run-node.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

// These start processes.
vi.setConfig({ testTimeout: 60_000 });

const keyPepper = 'a-pepper-that-tests-share-0123456789';

function run(settings: Environment, program: string, ...args: string[]): Promise<Outcome> {
  const environment = { PATH: process.env.PATH, ...settings };
  return runNode([`lib/cli/${program}.ts`, ...args], { environment });
}

/** Creates a key and a usage record in one place, and finds both in the other after backup and restore. */
async function backUpAndRestore(from: Environment, to: Environment): Promise<readonly string[]> {
  const folder = join(makeTestFolder(), 'monday');
  const created = await run(
    from,
    'keys/keys',
    'create',
    '--name',
    'desk',
    '--create-database',
    '--quiet',
  );
  const database = await openDatabase(toOptions(from));
  const [key] = await database.keys.list();
  await database.usage.insert([makeUsageRecord({ keyId: key?.id ?? '', at: Date.now() })]);
  await database.close();

  expect(await run(from, 'backup/backup', folder)).toMatchObject({ code: 0, error: '' });
  const restored = await run(to, 'backup/restore', folder);
  expect(restored.error).toBe('');
  expect(restored.out).toMatch(/ is restored: 1 keys\.\n$/);

  const copy = await openDatabase(toOptions(to));
  const pepper = loadPepper({ keyPepper: to.KEY_PEPPER ?? null, dataDir: to.DATA_DIR ?? '' });
  const hash = createKeyHasher(pepper)(created.out.trim());
  expect(await copy.keys.find('hash', hash)).toEqual(key);
  expect(await copy.usage.sumByDayAndModel(key?.id ?? '', '2000-01-01')).toHaveLength(1);
  await copy.close();

  expect((await run(from, 'backup/backup', folder)).error).toContain('is not empty');
  expect((await run(to, 'backup/restore', folder)).error).toContain(
    'There is a Marquee database already',
  );
  const files = readdirSync(folder);
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  return files.toSorted();
}

const toOptions = ({ DATABASE_URL, DATA_DIR = '' }: Environment) => ({
  databaseUrl: DATABASE_URL ?? null,
  dataDir: DATA_DIR,
});

test('keys, usage and the pepper of an embedded database are backed up and restored', async () => {
  const [from, to] = [{ DATA_DIR: makeTestFolder() }, { DATA_DIR: join(makeTestFolder(), 'new') }];
  expect(await backUpAndRestore(from, to)).toEqual(['marquee.db', 'pepper']);
  expect(statSync(to.DATA_DIR).mode & 0o777).toBe(0o700);
});

test('a damaged backup is not restored', async () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'marquee.db'), 'x'.repeat(8192));
  const target = join(makeTestFolder(), 'new');
  const { code, error } = await run({ DATA_DIR: target }, 'backup/restore', folder);
  expect([code, error]).toEqual([1, expect.stringContaining('not a database')]);
});

describe('on PostgreSQL', () => {
  const postgres = setUpPostgres();

  test('keys and usage are backed up and restored; the pepper is a setting', async () => {
    const settings = { KEY_PEPPER: keyPepper, DATA_DIR: makeTestFolder() };
    const from = { ...settings, DATABASE_URL: await postgres.createDatabase() };
    const to = { ...settings, DATABASE_URL: await postgres.createDatabase() };
    expect(await backUpAndRestore(from, to)).toEqual(['marquee.pgdump']);
  });
});
