import { Kysely, sql } from 'kysely';
import { createKeyStore, type KeyStore } from '#lib/keys/store/key-store.ts';
import { type BalanceStore, createBalanceStore } from '#lib/spend/store/balance-store.ts';
import { createRejectionStore, type RejectionStore } from '#lib/spend/store/rejection-store.ts';
import { createUsageStore, type UsageStore } from '#lib/spend/store/usage-store.ts';
import { migrate } from './migrations/migrations.ts';
import { createPostgresDialect, readPostgresClock } from './postgres.ts';
import type { RunQuery, RunTransaction, Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite.ts';
import { StorageError, toFileError, toServerError } from './storage-error.ts';
import { type AuditLog, createAuditLog } from './stores/audit-log.ts';
import { createGroupStore, type GroupStore } from './stores/group-store.ts';
import { createMemberSearch, type MemberSearch } from './stores/member-search.ts';
import { createMemberStore, type MemberStore } from './stores/member-store.ts';
import { createRevisionStore, type RevisionStore } from './stores/revision-store.ts';
import { createSessionStore, type SessionStore } from './stores/session-store.ts';
import { createSlugStore, type SlugStore } from './stores/slug-store.ts';

export type DatabaseOptions = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The clock, Unix ms. */
  now?: () => number;
}>;

/** API keys, members, usage and budgets, and what is remembered of events: revisions and slugs. All methods throw StorageError only. */
export type Database = Readonly<{
  keys: KeyStore;
  members: MemberStore & MemberSearch;
  groups: GroupStore;
  sessions: SessionStore;
  usage: UsageStore;
  balances: BalanceStore;
  rejections: RejectionStore;
  auditLog: AuditLog;
  revisions: RevisionStore;
  slugs: SlugStore;
  /** Unix ms by the server's clock, which judges leases: those of the instances may differ. */
  readClock: () => Promise<number>;
  /** Connects and migrates. The other methods do so when needed. */
  open: () => Promise<void>;
  /** @throws StorageError if queries fail. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Creates a database that opens on first use; a failed attempt is repeated by the next call. */
export function createDatabase(options: DatabaseOptions): Database {
  const { databaseUrl, dataDir, now = Date.now } = options;
  const kind = databaseUrl === null ? 'sqlite' : 'postgres';
  const db = new Kysely<Schema>({
    dialect:
      databaseUrl === null ? createSqliteDialect(dataDir) : createPostgresDialect(databaseUrl),
    // Kysely would print failed queries; errors are thrown, and logged where they are handled.
    log: () => {},
  });
  let opened: Promise<void> | null = null;

  const toError = (error: unknown): StorageError => {
    if (error instanceof StorageError) return error;
    return kind === 'sqlite' ? toFileError(error, dataDir) : toServerError(error);
  };

  async function open(): Promise<void> {
    opened ??= migrate(db, kind);
    const attempt = opened;
    try {
      await attempt;
    } catch (error) {
      if (opened === attempt) opened = null;
      throw toError(error);
    }
  }

  const run: RunQuery = async (query) => {
    await open();
    try {
      return await query(db);
    } catch (error) {
      throw toError(error);
    }
  };

  const transact: RunTransaction = (change) => run((db) => db.transaction().execute(change));
  return {
    keys: createKeyStore(run, transact, now),
    members: { ...createMemberStore(run, transact, now), ...createMemberSearch(run) },
    groups: createGroupStore(run, transact, now),
    sessions: createSessionStore(run, now),
    usage: createUsageStore(run),
    balances: createBalanceStore(run),
    rejections: createRejectionStore(run),
    auditLog: createAuditLog(run),
    revisions: createRevisionStore(run),
    slugs: createSlugStore(run),
    readClock: () => run(async (db) => (kind === 'sqlite' ? now() : readPostgresClock(db))),
    open,
    async ping() {
      await run((db) => sql`select 1`.execute(db));
    },
    close: () => db.destroy(),
  };
}

/**
 * Opens the database and migrates its tables.
 * @throws StorageError with a one-line message for the operator.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = createDatabase(options);
  try {
    await database.open();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
