import { afterAll, inject } from 'vitest';
import { forTests } from '../for-tests.ts';
import {
  createDatabase,
  type PostgresDatabases,
  type PostgresServer,
  query,
  startPostgres,
} from '../programs/postgres.ts';
import { migratedDatabase } from './shared-postgres.ts';
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
    /** Creates a database with all tables and no rows, and returns its URL. */
    createMigratedDatabase: () => Promise<string>;
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
  const create = async (model?: string) => {
    const url = await createDatabase(await findServer(), model);
    created.push(url);
    return url;
  };
  return {
    query,
    createDatabase: () => create(),
    createMigratedDatabase: () => create(migratedDatabase),
  };
}

async function findServer(): Promise<string> {
  const response = await fetch(inject('postgresFinder'));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** The same with a server of their own, which they may stop. */
export function setUpOwnPostgres(): PostgresServer {
  return skipWithout('postgres') ? forTests(() => startPostgres()) : ({} as PostgresServer);
}
