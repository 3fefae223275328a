import { forTests } from '../for-tests.ts';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import { skipWithout } from './skip-without.ts';

/** Attempts take ms in tests: a lease that is three seconds old is that of a killed process. It would last 45 s. */
export async function endOldLeases(postgres: PostgresServer, databaseUrl: string): Promise<void> {
  await postgres.query(
    databaseUrl,
    `update marquee_deliveries set lease_until = 0
      where lease_until < extract(epoch from clock_timestamp()) * 1000 + 42000`,
  );
}

/** Starts PostgreSQL for the tests of a file or `describe`; skips them if it is not installed. */
export function setUpPostgres(): PostgresServer {
  return skipWithout('postgres') ? forTests(startPostgres) : ({} as PostgresServer);
}
