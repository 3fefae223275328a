import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import { addBudgets } from './add-budgets.ts';
import { addEndsOfUsage } from './add-ends-of-usage.ts';

type Kind = 'sqlite' | 'postgres';
type Migration = Readonly<{
  name: string;
  up: (db: Transaction<Schema>, kind: Kind) => Promise<void>;
}>;

/** In order. A released migration is never changed; add another one. */
const migrations: readonly Migration[] = [
  { name: '001-keys-and-usage', up: createKeysAndUsage },
  { name: '002-event-revisions', up: createEventRevisions },
  { name: '003-usage-upstream', up: addUpstreamToUsage },
  { name: '004-messages-of-keys', up: addMessagesOfKeys },
  { name: '005-event-slugs', up: createEventSlugs },
  { name: '006-open-usage', up: addOpenUsage },
  { name: '007-members', up: createMembers },
  { name: '008-budgets', up: addBudgets },
  { name: '009-audit-log', up: createAuditLog },
  { name: '010-origin-of-keys', up: addOriginOfKeys },
  { name: '011-pepper-of-keys', up: addPepperOfKeys },
  { name: '012-ends-of-usage', up: addEndsOfUsage },
];

/** An arbitrary number, unique among the applications of a database. */
const advisoryLock = 5_278_315_904;

/**
 * Applies pending migrations in one transaction under a lock: processes that start together wait for one
 * another, and a failure changes nothing.
 * @throws StorageError if the tables belong to a later version of Marquee.
 */
export async function migrate(db: Kysely<Schema>, kind: Kind): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // SQLite transactions take the write lock at the start (see sqlite.ts).
    if (kind === 'postgres') {
      await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
    }
    const done = await readDone(transaction);
    rejectUnknown(done);
    for (const { name, up } of migrations.filter((one) => !done.includes(one.name))) {
      await up(transaction, kind);
      const row = { name, applied_at: Date.now() };
      await transaction.insertInto('marquee_migrations').values(row).execute();
    }
  });
}

async function readDone(db: Transaction<Schema>): Promise<string[]> {
  await db.schema
    .createTable('marquee_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const rows = await db.selectFrom('marquee_migrations').select('name').execute();
  return rows.map(({ name }) => name);
}

function rejectUnknown(done: readonly string[]): void {
  const unknown = done.find((name) => !migrations.some((one) => one.name === name));
  if (unknown === undefined) return;
  throw new StorageError(
    `The database has been changed by a later version of Marquee (${unknown}): run that version.`,
    { code: 'LATER_VERSION' },
  );
}

async function createKeysAndUsage(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('models', 'text')
    .addColumn('requests_per_minute', 'integer')
    .addColumn('tokens_per_day', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  // No foreign key: one invalid record would make its whole batch fail, again and again.
  await db.schema
    .createTable('marquee_usage')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('is_streamed', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('tokens_in', 'bigint', (column) => column.notNull())
    .addColumn('tokens_out', 'bigint', (column) => column.notNull())
    .addColumn('is_estimated', 'integer', (column) => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addColumn('first_byte_ms', 'integer')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .execute();
  await createIndex(db, 'marquee_usage', ['key_id', 'day']);
}

async function createEventRevisions(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_event_revisions')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function addUpstreamToUsage(db: Transaction<Schema>): Promise<void> {
  await db.schema.alterTable('marquee_usage').addColumn('upstream', 'text').execute();
}

async function addMessagesOfKeys(db: Transaction<Schema>): Promise<void> {
  await db.schema.alterTable('marquee_keys').addColumn('may_use_messages', 'integer').execute();
}

async function createEventSlugs(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_event_slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndex(db, 'marquee_event_slugs', ['read_at']);
}

/** The column cost_usd stays as it is: instances of the previous version still write it during an upgrade. */
async function addOpenUsage(db: Transaction<Schema>): Promise<void> {
  const usage = () => db.schema.alterTable('marquee_usage');
  await usage().addColumn('cost_nano_usd', 'bigint').execute();
  await usage().addColumn('cost_source', 'text').execute();
  await usage().addColumn('lease_until', 'bigint').execute();
  await sql`update marquee_usage
    set cost_nano_usd = cast(round(cost_usd * 1e9) as bigint), cost_source = 'price'
    where cost_usd is not null`.execute(db);
  await createIndex(db, 'marquee_usage', ['day']);
  await db.schema
    .createIndex('marquee_usage_lease_until')
    .on('marquee_usage')
    .column('lease_until')
    .where('lease_until', 'is not', null)
    .execute();
  await db.schema
    .createTable('marquee_rejections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .execute();
  await createIndex(db, 'marquee_rejections', ['day']);
}

async function createMembers(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('claims', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addUniqueConstraint('marquee_members_issuer_subject', ['issuer', 'subject'])
    .execute();
  await db.schema
    .createTable('marquee_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('member_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndex(db, 'marquee_sessions', ['member_id']);
  await addOwnerOfKeys(db);
}

/** Names become unique for each owner. SQLite cannot drop a constraint, so the table is written anew. */
async function addOwnerOfKeys(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_keys_with_owner')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('models', 'text')
    .addColumn('requests_per_minute', 'integer')
    .addColumn('tokens_per_day', 'bigint')
    .addColumn('may_use_messages', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  const columns = sql.raw(
    'id, name, hash, hint, models, requests_per_minute, tokens_per_day, may_use_messages, created_at, expires_at, revoked_at',
  );
  await sql`insert into marquee_keys_with_owner (${columns}) select ${columns} from marquee_keys`.execute(
    db,
  );
  await db.schema.dropTable('marquee_keys').execute();
  await db.schema.alterTable('marquee_keys_with_owner').renameTo('marquee_keys').execute();
  // Null would be distinct from null. A member may use the name of a revoked key again.
  await sql`create unique index marquee_keys_owner_name on marquee_keys (coalesce(owner_id, ''), name) where owner_id is null or revoked_at is null`.execute(
    db,
  );
}

async function addOriginOfKeys(db: Transaction<Schema>): Promise<void> {
  await db.schema.alterTable('marquee_keys').addColumn('used_from', 'text').execute();
}

async function addPepperOfKeys(db: Transaction<Schema>): Promise<void> {
  await db.schema.alterTable('marquee_keys').addColumn('pepper_id', 'text').execute();
}

async function createAuditLog(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('member_id', 'text')
    .addColumn('old_values', 'text')
    .addColumn('new_values', 'text')
    .execute();
  await createIndex(db, 'marquee_audit_log', ['at']);
  await createIndex(db, 'marquee_audit_log', ['day']);
}

async function createIndex(
  db: Transaction<Schema>,
  table: keyof Schema,
  columns: string[],
): Promise<void> {
  const name = `${table}_${columns.join('_')}`;
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}
