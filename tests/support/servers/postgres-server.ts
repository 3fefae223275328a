import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import { skipWithout } from './skip-without.ts';

/** Starts PostgreSQL for the tests of a file or `describe`; skips them if it is not installed. */
export function setUpPostgres(): PostgresServer {
  let server: PostgresServer;
  if (skipWithout('postgres')) {
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.close());
  }
  return {
    createDatabase: () => server.createDatabase(),
    query: (databaseUrl, text) => server.query(databaseUrl, text),
    kill: () => server.kill(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    start: () => server.start(),
    close: () => server.close(),
  };
}
