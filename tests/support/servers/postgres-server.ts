import { forTests } from '../for-tests.ts';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import { skipWithout } from './skip-without.ts';

/** Starts PostgreSQL for the tests of a file or `describe`; skips them if it is not installed. */
export function setUpPostgres(): PostgresServer {
  return skipWithout('postgres') ? forTests(startPostgres) : ({} as PostgresServer);
}
