import { type Dialect, type Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { Schema } from './schema.ts';
import { toErrorCode } from './storage-error.ts';

const connectionsMax = 5;
const connectTimeoutMs = 1_500;
const queryTimeoutMs = 10_000;

/** OIDs of bigint and numeric, which pg returns as strings; our values (ms, tokens) stay below 2^53. */
const largeNumbers = new Set([20, 1700]);

/** PostgreSQL. The client is loaded and connected by the first query. */
export function createPostgresDialect(databaseUrl: string): Dialect {
  return new PostgresDialect({ pool: () => createPool(databaseUrl) });
}

/** The server's clock, Unix ms. */
export async function readPostgresClock(db: Kysely<Schema>): Promise<number> {
  const now = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return (await db.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now;
}

async function createPool(databaseUrl: string): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'marquee',
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: queryTimeoutMs,
    query_timeout: queryTimeoutMs + 1_000,
    keepAlive: true,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid, format) =>
        largeNumbers.has(oid) ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // An idle connection broke: the next query opens another or reports the failure.
  pool.on('error', () => {});
  return {
    connect: () => pool.connect().catch(rethrowWithCode),
    end: () => pool.end(),
    options: pool.options,
  };
}

/** Failures of the client itself, such as a time-out or a server that hangs up, have no code: it has given up. */
function rethrowWithCode(cause: unknown): never {
  if (toErrorCode(cause) !== 'unknown') throw cause;
  throw Object.assign(new Error('no connection', { cause }), { code: 'ECONNABORTED' });
}
