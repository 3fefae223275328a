import { type ChangeStore, createChangeStore } from '#lib/events/changes/change-store.ts';
import { createHistoryStore, type HistoryStore } from '#lib/events/changes/history-store.ts';
import { type CallStore, createCallStore } from '#lib/events/source/airtable/call-quota.ts';
import { createTableStore, type TableStore } from '#lib/events/source/airtable/table-guard.ts';
import {
  type AnnouncementStore,
  createAnnouncementStore,
} from '#lib/events/source/announcements.ts';
import { createSlugStore, type SlugStore } from '#lib/events/source/slugs/slug-store.ts';
import { createReadStore, type ReadStore } from '#lib/events/source/stored-read/read-store.ts';
import { createGroupStore, type GroupStore } from './accounts/store/group-store.ts';
import { createMemberQueries, type MemberQueries } from './accounts/store/member-queries.ts';
import { createMemberStore, type MemberStore } from './accounts/store/member-store.ts';
import { createSessionStore, type SessionStore } from './accounts/store/session-store.ts';
import { createFactStore, type FactStore } from './ai-proxy/upstreams/fact-store.ts';
import { createSlotStore, type SlotStore } from './ai-proxy/upstreams/limits/slot-store.ts';
import { createKeyStore, type KeyStore } from './keys/store/key-store.ts';
import { createDeliveryStore, type DeliveryStore } from './outbox/delivery-store.ts';
import {
  createWebhookStore,
  type WebhookStore,
} from './site/notifications/webhooks/webhook-store.ts';
import type { LedgerTransactions } from './spend/ledger/ledger-error.ts';
import { createPostgresTransactions } from './spend/ledger/postgres-transactions.ts';
import { createSqliteTransactions } from './spend/ledger/sqlite-transactions.ts';
import { type BalanceStore, createBalanceStore } from './spend/store/balance-store.ts';
import { createRejectionStore, type RejectionStore } from './spend/store/rejection-store.ts';
import { createUsageStore, type UsageStore } from './spend/store/usage-store.ts';
import { type AuditLog, createAuditLog } from './storage/audit-log.ts';
import { type Connection, createConnection, type DatabaseOptions } from './storage/connection.ts';
import { type ReadList, readList } from './storage/lists.ts';

/** The stores of one database: each domain has its own tables. All methods throw StorageError only. */
export type Database = Pick<
  Connection,
  'run' | 'transact' | 'readLong' | 'readClock' | 'open' | 'requireIntact' | 'ping' | 'close'
> &
  Readonly<{
    keys: KeyStore;
    members: MemberStore & MemberQueries;
    groups: GroupStore;
    sessions: SessionStore;
    /** For the ledger, on a connection of its own. */
    ledger: LedgerTransactions;
    usage: UsageStore;
    balances: BalanceStore;
    rejections: RejectionStore;
    slots: SlotStore;
    upstreamFacts: FactStore;
    auditLog: AuditLog;
    history: HistoryStore;
    changes: ChangeStore;
    slugs: SlugStore;
    announcements: AnnouncementStore;
    tables: TableStore;
    airtableCalls: CallStore;
    tableReads: (name: string) => ReadStore;
    deliveries: DeliveryStore;
    webhooks: WebhookStore;
    readList: ReadList;
  }>;

/** Creates a database that opens on first use; a failed attempt is repeated by the next call. */
export function createDatabase(options: DatabaseOptions): Database {
  const { databaseUrl, dataDir, now = Date.now } = options;
  const connection = createConnection(options);
  const { run, transact, readLong, open, openFile } = connection;
  const ledger =
    databaseUrl === null
      ? createSqliteTransactions({ dataDir, openFile, now })
      : createPostgresTransactions({ databaseUrl, open });
  return {
    ...connection,
    ledger,
    async close() {
      await ledger.close();
      await connection.close();
    },
    keys: createKeyStore({ run, transact, readLong, now }),
    members: {
      ...createMemberStore(run, transact, now),
      ...createMemberQueries(run),
    },
    groups: createGroupStore({ run, transact, now }),
    sessions: createSessionStore(run, transact, now),
    usage: createUsageStore(run, readLong),
    balances: createBalanceStore({ run, readLong }),
    rejections: createRejectionStore(run, readLong),
    auditLog: createAuditLog(run),
    slots: createSlotStore(transact),
    upstreamFacts: createFactStore(run, transact, now),
    history: createHistoryStore(transact, now),
    changes: createChangeStore(run),
    slugs: createSlugStore({ run, transact, now }),
    announcements: createAnnouncementStore(transact),
    tables: createTableStore(run),
    airtableCalls: createCallStore(run),
    tableReads: (name) => createReadStore(connection, name),
    deliveries: createDeliveryStore(run, transact),
    webhooks: createWebhookStore(run, transact, now),
    readList: (list, query, at) => readList(connection, list, query, at),
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
