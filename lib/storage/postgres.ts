import {
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  sql,
} from 'kysely';
import type { Schema } from './schema.ts';
import { toErrorCode } from './storage-error.ts';

const connectionsMax = 5;
const connectTimeoutMs = 1_500;
const defaultQueryTimeoutMs = 10_000;

/** OIDs of bigint and numeric, which pg returns as strings; our values (ms, tokens) stay below 2^53. */
const largeNumbers = new Set([20, 1700]);

type PostgresOptions = Readonly<{
  /** Null for none. */
  queryTimeoutMs?: number | null;
}>;

/** PostgreSQL. The client is loaded and connected by the first query. */
export function createPostgresDialect(
  databaseUrl: string,
  { queryTimeoutMs = defaultQueryTimeoutMs }: PostgresOptions = {},
): Dialect {
  return new LockedDialect({ pool: () => createPool(databaseUrl, queryTimeoutMs) });
}

class LockedDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedAdapter();
  }
}

/**
 * Migrations run in a transaction that has a lock (see `migrate`). Kysely's own lock is taken too late, and to release
 * it after a failure fails, too, which hides the cause.
 */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** The server's clock, Unix ms. */
export async function readPostgresClock(db: Kysely<Schema>): Promise<number> {
  const now = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return (await db.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now;
}

async function createPool(
  databaseUrl: string,
  queryTimeoutMs: number | null,
): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'marquee',
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(queryTimeoutMs !== null && {
      statement_timeout: queryTimeoutMs,
      query_timeout: queryTimeoutMs + 1_000,
    }),
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
