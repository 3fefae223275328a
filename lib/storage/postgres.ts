import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  type PostgresCursor,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
  sql,
  type TransactionSettings,
} from 'kysely';
import type { CustomTypesConfig } from 'pg';
import { toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { TimeoutError, withTimeout } from '#lib/http/with-timeout.ts';
import type { Schema } from './schema.ts';
import { createSlots, type Slots } from './slots.ts';
import { toErrorCode } from './storage-error.ts';

const connectTimeoutMs = 1_500;
/** By the clock alone: a process that is busy itself, as at its start, gives up later than that. */
const connectMaxMs = 2 * connectTimeoutMs;
/** Of a connection. Long, since a wait says nothing about the server: callers have time-outs of their own. */
const turnWaitMs = 10_000;

/** OIDs of bigint and numeric, which pg returns as strings; our values (ms, tokens) stay below 2^53. */
const largeNumbers = new Set([20, 1700]);

export type PostgresOptions = Readonly<{
  databaseUrl: string;
  connectionsMax?: number;
  /** Of one statement. The server gets it in transactions alone: PgBouncer takes no settings of a session. */
  timeoutMs?: number;
  /** Told how long each query or transaction has waited for a connection, in ms. */
  onWait?: (waitMs: number) => void;
}>;

/** PostgreSQL. The client is loaded and connected by the first query. */
export function createPostgresDialect(options: PostgresOptions): Dialect {
  const { databaseUrl, connectionsMax = 4, timeoutMs = 10_000, onWait = () => {} } = options;
  const pool = () => createPool({ databaseUrl, connectionsMax, timeoutMs });
  return {
    createAdapter: () => new LockedAdapter(),
    createDriver: () =>
      new QueuedDriver(
        pool,
        timeoutMs,
        createSlots({ max: connectionsMax, waitMaxMs: turnWaitMs, onWait }),
      ),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
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

/** Waits for a free connection itself, so that the pool's time-out is that of connecting. */
class QueuedDriver extends PostgresDriver {
  readonly #slots: Slots;
  readonly #timeoutMs: number;

  constructor(pool: () => Promise<PostgresPool>, timeoutMs: number, slots: Slots) {
    super({ pool });
    this.#timeoutMs = timeoutMs;
    this.#slots = slots;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#slots.acquire();
    try {
      return await super.acquireConnection();
    } catch (error) {
      this.#slots.release();
      throw error;
    }
  }

  override async releaseConnection(
    connection: Parameters<PostgresDriver['releaseConnection']>[0],
  ): Promise<void> {
    await super.releaseConnection(connection);
    this.#slots.release();
  }

  /** In one round trip. A process that stops in a transaction does not hold its locks. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? '' : ` ${accessMode}`;
    const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'].map(
      (name) => `set local ${name} = ${this.#timeoutMs}`,
    );
    const statements = [`start transaction${level}${mode}`, ...limits].join('; ');
    await connection.executeQuery(CompiledQuery.raw(statements));
  }
}

/** A connection for messages of several statements, which take no parameters. */
export type PostgresClient = Readonly<{
  /** Returns the rows of each statement. After a failure the connection must be ended. */
  query: (text: string) => Promise<readonly (readonly unknown[])[]>;
  /** A text as an SQL literal. */
  escapeLiteral: (text: string) => string;
  end: () => Promise<void>;
}>;

type ClientOptions = Readonly<{
  databaseUrl: string;
  /** After this time a query has failed. */
  timeoutMs: number;
  /** The connection broke while nothing was sent. */
  onLost: () => void;
}>;

export async function connectToPostgres({
  databaseUrl,
  timeoutMs,
  onLost,
}: ClientOptions): Promise<PostgresClient> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'marquee',
    keepAlive: true,
    types: withNumbers(pg.types),
  });
  client.on('error', onLost);
  await withTimeout(client.connect(), connectTimeoutMs).catch((error: unknown) => {
    void client.end().catch(() => {});
    rethrowWithCode(error);
  });
  return {
    async query(text) {
      const results: unknown = await withTimeout(client.query(text), timeoutMs);
      return [results].flat().map(toRows);
    },
    escapeLiteral: (text) => client.escapeLiteral(text),
    end: () => client.end(),
  };
}

function toRows(result: unknown): readonly unknown[] {
  return toJsonArray(toJsonObject(result).rows);
}

function withNumbers({ getTypeParser }: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser: (oid, format) => (largeNumbers.has(oid) ? Number : getTypeParser(oid, format)),
  };
}

type PoolOptions = Readonly<{ databaseUrl: string; connectionsMax: number; timeoutMs: number }>;

async function createPool(options: PoolOptions): Promise<PostgresPool> {
  const { databaseUrl, connectionsMax, timeoutMs } = options;
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'marquee',
    max: connectionsMax,
    connectionTimeoutMillis: connectMaxMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: withNumbers(pg.types),
  });
  // A connection broke while nothing was asked: the next query opens another or reports the failure. The pool listens
  // to idle ones only; without a listener, one that is in use between two queries would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const connecting = pool.connect();
      const client = await withTimeout(connecting, connectTimeoutMs).catch((error: unknown) => {
        // The next one uses it.
        void connecting.then(
          (late) => late.release(),
          () => {},
        );
        return rethrowWithCode(error);
      });
      const known = clients.get(client) ?? new LimitedClient(client, timeoutMs + 1_000);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/** Gives up a connection whose server does not respond: nobody knows what the next response on it would answer. */
class LimitedClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #timeoutMs: number;
  #failure: TimeoutError | null = null;

  constructor(client: PostgresPoolClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(query: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof query === 'string'
      ? this.#runInTime<R>(query, parameters)
      : this.#client.query(query);
  }

  release(isBroken = false): void {
    this.#client.release(isBroken || this.#failure !== null);
  }

  async #runInTime<R>(text: string, parameters: readonly unknown[]) {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await withTimeout(this.#client.query<R>(text, parameters), this.#timeoutMs);
    } catch (error) {
      if (error instanceof TimeoutError) this.#failure = error;
      throw error;
    }
  }
}

/** Failures of the client itself, such as a time-out or a server that hangs up, have no code: it has given up. */
function rethrowWithCode(cause: unknown): never {
  if (toErrorCode(cause) !== 'unknown') throw cause;
  throw Object.assign(new Error('no connection', { cause }), { code: 'ECONNABORTED' });
}
