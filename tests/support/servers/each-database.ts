import { describe, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeTestFolder } from '../temporary-folder.ts';
import { setUpPostgres } from './postgres-server.ts';

/** Runs the same tests on SQLite and PostgreSQL; each database is for one test. */
export function describeEachDatabase(
  tests: (createTestDatabase: () => Promise<DatabaseOptions>) => void,
): void {
  describe('on SQLite', () => {
    tests(async () => ({ databaseUrl: null, dataDir: makeTestFolder() }));
  });
  describe('on PostgreSQL', () => {
    const server = setUpPostgres();
    tests(async () => ({ databaseUrl: await server.createDatabase(), dataDir: '/nowhere' }));
  });
}

/** Opens a database, by default a new one, and closes it after the test. */
export async function openTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const { databaseUrl = null, dataDir = makeTestFolder() } = options;
  const database = await openDatabase({ ...options, databaseUrl, dataDir });
  onTestFinished(database.close);
  return database;
}
