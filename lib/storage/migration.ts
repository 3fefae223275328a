import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Schema, tables } from './schema.ts';
import { StorageError } from './storage-error.ts';

type Kind = 'sqlite' | 'postgres';

/** Edited until the first release, frozen after it. */
const statements = [
  createTable('marquee_keys'),
  // Null would be distinct from null. A member may use the name of a revoked key again.
  `create unique index marquee_keys_owner_name on marquee_keys (coalesce(owner_id, ''), name)
    where owner_id is null or revoked_at is null`,
  // No foreign key: one invalid record would make its whole batch fail, again and again.
  createTable('marquee_usage'),
  'create index marquee_usage_key_id_day on marquee_usage (key_id, day)',
  'create index marquee_usage_day on marquee_usage (day)',
  'create index marquee_usage_session on marquee_usage (day) where session is not null',
  'create index marquee_usage_lease_until on marquee_usage (lease_until) where lease_until is not null',
  'create index marquee_usage_uncounted on marquee_usage (id) where is_counted = 0',
  createTable('marquee_usage_set_aside'),
  createTable('marquee_usage_pruned'),
  `insert into marquee_usage_pruned values ('')`,
  createTable('marquee_balances', 'primary key (account, period)'),
  createTable('marquee_rejections'),
  'create index marquee_rejections_day on marquee_rejections (day)',
  createTable('marquee_members', 'unique (issuer, subject)'),
  createTable('marquee_deleted_members'),
  createTable('marquee_groups'),
  createTable('marquee_sessions'),
  'create index marquee_sessions_member_id on marquee_sessions (member_id)',
  createTable('marquee_audit_log'),
  createTable('marquee_audit_head'),
  `insert into marquee_audit_head values (0, '')`,
  'create index marquee_audit_log_day on marquee_audit_log (day)',
  createTable('marquee_event_history'),
  createTable('marquee_event_changes'),
  'create index marquee_event_changes_at on marquee_event_changes (at)',
  createTable('marquee_event_history_head'),
  `insert into marquee_event_history_head values (0, 0, '', '')`,
  createTable('marquee_table_refresh'),
  'insert into marquee_table_refresh values (0, 0, 0)',
  createTable('marquee_airtable_calls'),
  createTable('marquee_event_slugs'),
  createTable('marquee_event_tables'),
  'create index marquee_event_slugs_read_at on marquee_event_slugs (read_at)',
  createTable('marquee_deliveries'),
  'create index marquee_deliveries_position on marquee_deliveries (position)',
  'create index marquee_deliveries_due_at on marquee_deliveries (due_at) where due_at is not null',
  `create index marquee_deliveries_waiting on marquee_deliveries (kind, target, due_at, position)
    where due_at is not null`,
  `create index marquee_deliveries_leased on marquee_deliveries (kind, target)
    where lease_until is not null`,
  'create index marquee_deliveries_target on marquee_deliveries (target, position)',
  `create index marquee_deliveries_finished on marquee_deliveries (target, position)
    where due_at is null`,
  createTable('marquee_outbox'),
  'insert into marquee_outbox values (0)',
  createTable('marquee_mail_confirmations'),
  createTable('marquee_mail_subscriptions'),
  'create index marquee_mail_subscriptions_digest_at on marquee_mail_subscriptions (digest_at)',
  createTable('marquee_mail_mentions', 'primary key (subscription_id, event_id)'),
  'create index marquee_mail_mentions_event_id on marquee_mail_mentions (event_id)',
  createTable('marquee_alerts', 'primary key (cause, period)'),
  createTable('marquee_webhooks'),
];

function createTable(name: keyof typeof tables, ...constraints: string[]): string {
  const columns = Object.entries(tables[name]).map(([column, type]) => `${column} ${type}`);
  return `create table ${name} (\n    ${[...columns, ...constraints].join(',\n    ')}\n  )`;
}

/** Changes with every edit, so that a database from before an edit is recognized. */
const schemaName = `001-${createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 12)}`;

/** An arbitrary number, unique among the applications of a database. */
const advisoryLock = 5_278_315_904;

/**
 * Creates the tables where there are none, in one transaction under a lock: processes that start together wait for
 * one another, and a failure changes nothing.
 * @throws StorageError if there are tables of another version of Marquee.
 */
export async function migrate(db: Kysely<Schema>, kind: Kind): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // SQLite transactions take the write lock at the start (see sqlite.ts).
    if (kind === 'postgres') {
      await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
    }
    const applied = await readApplied(transaction);
    if (applied.length === 1 && applied[0] === schemaName) return;
    if (applied.length > 0) throw otherSchema(kind);
    for (const statement of statements) await sql.raw(statement).execute(transaction);
    const row = { name: schemaName, applied_at: Date.now() };
    await transaction.insertInto('marquee_migrations').values(row).execute();
  });
}

async function readApplied(db: Transaction<Schema>): Promise<string[]> {
  await sql`create table if not exists marquee_migrations
    (name text primary key, applied_at bigint not null)`.execute(db);
  const rows = await db.selectFrom('marquee_migrations').select('name').execute();
  return rows.map(({ name }) => name);
}

function otherSchema(kind: Kind): StorageError {
  const emptyDatabase =
    kind === 'sqlite'
      ? 'move marquee.db in DATA_DIR away'
      : 'set DATABASE_URL to an empty database';
  return new StorageError(
    `The database has the tables of another version of Marquee: run that version, or ${emptyDatabase} to start anew.`,
    { code: 'OTHER_SCHEMA' },
  );
}
