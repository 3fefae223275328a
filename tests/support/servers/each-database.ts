import { describe, vi } from 'vitest';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { setUpPostgres } from './postgres-server.ts';

export type TestDatabase = DatabaseOptions & Disposable;

/** Runs the same tests on SQLite and PostgreSQL. */
export function describeEachDatabase(
  tests: (createTestDatabase: () => Promise<TestDatabase>) => void,
): void {
  // Real servers may be slow on a busy machine.
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
