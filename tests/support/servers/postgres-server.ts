import { afterAll, inject, onTestFinished } from 'vitest';
import { forTests } from '../for-tests.ts';
import {
  createDatabase,
  type PostgresDatabases,
  type PostgresServer,
  query,
  startPostgres,
} from '../programs/postgres.ts';
import { emptyTables, migratedDatabase } from './shared-postgres.ts';
import { skipWithout } from './skip-without.ts';

/** Attempts take ms in tests: a lease that is three seconds old is that of a killed process. It would last 45 s. */
export async function endOldLeases(
  postgres: PostgresDatabases,
  databaseUrl: string,
): Promise<void> {
  await postgres.query(
    databaseUrl,
    `update marquee_deliveries set lease_until = 0
      where lease_until < extract(epoch from clock_timestamp()) * 1000 + 42000`,
  );
}

type SharedPostgres = PostgresDatabases &
  Readonly<{
    /** Returns the URL of a database with all tables and no rows, for the test that runs. */
    findMigratedDatabase: () => Promise<string>;
  }>;

/**
 * Databases for the tests of a file or `describe`, on the server that all files share; skips them if PostgreSQL
 * is not installed.
 */
export function setUpPostgres(): SharedPostgres {
  if (!skipWithout('postgres')) return {} as SharedPostgres;
  const created: string[] = [];
  afterAll(async () => {
    for (const url of created) {
      await query(
        await findServer(),
        `drop database ${new URL(url).pathname.slice(1)} with (force)`,
      );
    }
  });
  return {
    query,
    async createDatabase() {
      const url = await createDatabase(await findServer());
      created.push(url);
      return url;
    },
    async findMigratedDatabase() {
      const url = free.pop() ?? (await createDatabase(await findServer(), migratedDatabase));
      // After whatever the test opens on it.
      onTestFinished(async () => {
        await query(url, emptyTables);
        free.push(url);
      });
      return url;
    },
  };
}

/** Databases that no test uses: to create one copies 300 files, which took a quarter of the time of all unit tests. */
const free: string[] = [];

async function findServer(): Promise<string> {
  const response = await fetch(inject('postgresFinder'));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** The same with a server of their own, which they may stop. @param settings of the server */
export function setUpOwnPostgres(settings: Readonly<Record<string, string>> = {}): PostgresServer {
  return skipWithout('postgres') ? forTests(() => startPostgres(settings)) : ({} as PostgresServer);
}
