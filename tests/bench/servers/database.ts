import { startPostgres } from '../../support/programs/postgres.ts';
import { makeDataDir } from './checkout.ts';

/** An empty database: SQLite in a directory, or a server of PostgreSQL. */
export async function startDatabase(engine: string) {
  const postgres = engine === 'postgres' ? await startPostgres() : null;
  return {
    databaseUrl: (await postgres?.createDatabase()) ?? null,
    dataDir: makeDataDir(),
    close: async () => postgres?.close(),
  };
}
