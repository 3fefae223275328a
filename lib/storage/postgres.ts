import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';

const connectionsMax = 5;
const connectWithinMs = 3_000;
const answerWithinMs = 10_000;

/** Types of PostgreSQL that are larger than JavaScript's numbers; ours (ms, tokens) stay below 2^53. */
const largeNumbers = new Set([20, 1700]);

/** PostgreSQL. Nothing is connected, nor is its client loaded, before the first query. */
export function createPostgresDialect(databaseUrl: string): Dialect {
  return new PostgresDialect({ pool: () => createPool(databaseUrl) });
}

async function createPool(databaseUrl: string): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'marquee',
    max: connectionsMax,
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: answerWithinMs,
    query_timeout: answerWithinMs + 1_000,
    keepAlive: true,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid, format) =>
        largeNumbers.has(oid) ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // An idle connection that breaks is no news: the next query takes a new one, or fails by itself.
  pool.on('error', () => {});
  return pool;
}
