import { describe, vi } from 'vitest';
import type { DatabaseOptions } from '#lib/storage/database.ts';
import { setUpPostgres } from './postgres-server.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export type TestDatabase = DatabaseOptions & Disposable;

/** Runs the same tests on each database that the product can keep its keys in. */
export function describeEachDatabase(
  tests: (createTestDatabase: () => Promise<TestDatabase>) => void,
): void {
  // A real server on a busy machine has its moments.
  vi.setConfig({ testTimeout: 20_000 });
  describe('on SQLite', () => {
    tests(async () => {
      const folder = makeTemporaryFolder();
      const dispose = () => folder[Symbol.dispose]();
      return { databaseUrl: null, dataDir: folder.path, [Symbol.dispose]: dispose };
    });
  });
  describe('on PostgreSQL', () => {
    const server = setUpPostgres();
    tests(async () => ({
      databaseUrl: await server.createDatabase(),
      dataDir: '/nowhere',
      [Symbol.dispose]() {},
    }));
  });
}
