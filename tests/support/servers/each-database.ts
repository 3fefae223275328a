import { describe, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeTestFolder } from '../temporary-folder.ts';
import { copyDatabase } from './copy-database.ts';
import { setUpPostgres } from './postgres-server.ts';

type Tests = (createTestDatabase: () => Promise<DatabaseOptions>) => void;

/** Runs the same tests on SQLite and PostgreSQL; each database is for one test, and has no rows. */
export function describeEachDatabase(tests: Tests): void {
  describeEach(tests, makeMigratedFolder, (server) => server.findMigratedDatabase());
}

/** The same with databases that have no tables either. */
export function describeEachEmptyDatabase(tests: Tests): void {
  describeEach(
    tests,
    async () => makeTestFolder(),
    (server) => server.createDatabase(),
  );
}

type CreateOn = (server: ReturnType<typeof setUpPostgres>) => Promise<string>;

function describeEach(tests: Tests, makeFolder: () => Promise<string>, createOn: CreateOn): void {
  describe('on SQLite', () => {
    tests(async () => ({ databaseUrl: null, dataDir: await makeFolder() }));
  });
  describe('on PostgreSQL', () => {
    const server = setUpPostgres();
    tests(async () => ({ databaseUrl: await createOn(server), dataDir: '/nowhere' }));
  });
}

async function makeMigratedFolder(): Promise<string> {
  const path = makeTestFolder();
  await copyDatabase(path);
  return path;
}

/** Opens a database, by default a new one, and closes it after the test. */
export async function openTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const { databaseUrl = null, dataDir = await makeMigratedFolder() } = options;
  const database = await openDatabase({ ...options, databaseUrl, dataDir });
  onTestFinished(database.close);
  return database;
}
