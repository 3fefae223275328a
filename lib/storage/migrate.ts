import { type Kysely, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { createMigrations } from './migrations/migrations.ts';
import type { DatabaseKind, Schema } from './schema.ts';
import { StorageError, toErrorCode } from './storage-error.ts';

type MigrateOptions = Readonly<{
  kind: DatabaseKind;
  /** Another connection to the same database, whose statements and locks take as long as they need. */
  connect: () => Kysely<Schema>;
}>;

/**
 * Applies the migrations that a database lacks, in one transaction under a lock: processes that start together wait
 * for one another, and a failure changes nothing.
 * @throws StorageError if the database is newer than this version of Marquee.
 */
export async function migrate(
  db: Kysely<Schema>,
  { kind, connect }: MigrateOptions,
): Promise<void> {
  // It also fails where another process migrates for long: then wait for that.
  const state = await readMigrations(db, kind).catch(() => null);
  if (state?.missing.length === 0) return;
  const patient = connect();
  try {
    await patient.transaction().execute((transaction) => applyMissing(transaction, kind));
  } finally {
    await patient.destroy();
  }
}

/** The names of migrations, in their order. */
export type MigrationState = Readonly<{ applied: readonly string[]; missing: readonly string[] }>;

/**
 * Which migrations a database has, and which it lacks.
 * @throws StorageError if the database is newer than this version of Marquee.
 */
export async function readMigrations(
  db: Kysely<Schema>,
  kind: DatabaseKind,
): Promise<MigrationState> {
  const names = Object.keys(createMigrations(kind));
  const found = await readApplied(db).catch(toNoneWithoutTable);
  const applied = found[0] === adoptedName ? ['001'] : found;
  requireKnown(applied, names);
  return {
    applied: names.filter((name) => applied.includes(name)),
    missing: names.filter((name) => !applied.includes(name)),
  };
}

/** An arbitrary number, unique among the applications of a database. */
const advisoryLock = 5_278_315_904;

const migrationTable = 'marquee_migrations';
const lockTable = 'marquee_migration_lock';

async function applyMissing(db: Transaction<Schema>, kind: DatabaseKind): Promise<void> {
  // SQLite transactions take the write lock at the start (see sqlite.ts).
  if (kind === 'postgres') {
    // The operator may have set time-outs for the role or the database.
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`set local lock_timeout = 0`.execute(db);
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db);
  }
  await createMigratorTables(db);
  const migrations = createMigrations(kind);
  const applied = await readApplied(db);
  if (applied[0] === adoptedName) await adopt(db);
  else requireKnown(applied, Object.keys(migrations));
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: migrationTable,
    migrationLockTableName: lockTable,
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** The migrator would create them itself, but not if another schema of the database has tables of these names. */
async function createMigratorTables(db: Transaction<Schema>): Promise<void> {
  await sql`create table if not exists ${sql.table(migrationTable)}
    (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  await sql`create table if not exists ${sql.table(lockTable)}
    (id varchar(255) primary key, is_locked integer not null default 0)`.execute(db);
}

async function readApplied(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db.selectFrom(migrationTable).select('name').execute();
  return rows.map(({ name }) => name);
}

function toNoneWithoutTable(error: unknown): string[] {
  // SQLite has no code of its own for it.
  if (['42P01', 'SQLITE_1'].includes(toErrorCode(error))) return [];
  throw error;
}

/** Version 1.0 recorded its tables under this name, with a column that the migrator does not know. */
const adoptedName = '001-af6a4bb102c4';

async function adopt(db: Transaction<Schema>): Promise<void> {
  await sql`drop table ${sql.table(migrationTable)}`.execute(db);
  await createMigratorTables(db);
  const row = { name: '001', timestamp: new Date().toISOString() };
  await db.insertInto(migrationTable).values(row).execute();
}

function requireKnown(applied: readonly string[], names: readonly string[]): void {
  const unknown = applied.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new StorageError(
    `The database has a migration that this version of Marquee does not know (${unknown}): run the version that applied it, or restore a backup from before.`,
    { code: 'OTHER_SCHEMA' },
  );
}
