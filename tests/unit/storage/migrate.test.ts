import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { type Schema, tables } from '#lib/storage/schema.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import {
  describeEachEmptyDatabase,
  openTestDatabase,
} from '../../support/servers/each-database.ts';
import { createVersionOne, openRaw } from '../../support/version-one.ts';

const newest = [
  '001',
  '002-ledger',
  '003-table-reads',
  '004-upstream-counts',
  '005-reading',
  '006-fewer-indexes',
  '007-upstream-facts',
  '008-lasting-slugs',
  '009-transitions',
  '010-readings',
  '011-due-deliveries',
  '012-reply-ids',
  '013-request-lists',
  '014-lists',
  '015-ready-deliveries',
  '016-owned-facts',
  '017-spent-sign-ins',
  '018-recent-costs',
  '019-rejected-requests',
  '020-reminders',
];

describeEachEmptyDatabase((createTestDatabase) => {
  test('the tables after all migrations are those that the types describe', async () => {
    const migrated = await createTestDatabase();
    await openTestDatabase(migrated);
    const described = await createTestDatabase();
    const raw = openTestRaw(described);
    for (const [table, columns] of Object.entries(tables)) {
      const list = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
      await sql.raw(`create table ${table} (${list.join(', ')})`).execute(raw);
    }
    const ofMigrator = ['marquee_migrations', 'marquee_migration_lock'];
    const actual = await describeTables(openTestRaw(migrated));
    expect(actual.filter(({ name }) => !ofMigrator.includes(name))).toEqual(
      await describeTables(raw),
    );
  });

  test('a new database has all migrations, and so has one of version 1.0 after its first start', async () => {
    const [fresh, old] = [await createTestDatabase(), await createTestDatabase()];
    await createVersionOne(old);
    for (const options of [fresh, old, old]) {
      await (await openDatabase(options)).close();
      expect(await listApplied(options)).toEqual(newest);
    }
    expect(await describeTables(openTestRaw(old))).toEqual(
      await describeTables(openTestRaw(fresh)),
    );
  });

  test.for(['new', 'of version 1.0'] as const)(
    'processes that start at once with a database %s wait for one another',
    async (kind) => {
      const options = await createTestDatabase();
      if (kind === 'of version 1.0') await createVersionOne(options);
      const opened = await Promise.all(Array.from({ length: 8 }, () => openDatabase(options)));
      for (const database of opened) await database.close();
      expect(await listApplied(options)).toEqual(newest);
    },
  );

  test('a migration that fails changes nothing, and is repeated by the next start', async () => {
    const options = await createTestDatabase();
    await createVersionOne(options, ['create table marquee_usage_by_hour (hour bigint)']);
    const raw = openTestRaw(options);
    const before = await describeTables(raw);
    await expect(openDatabase(options)).rejects.toBeInstanceOf(StorageError);
    expect(await describeTables(raw)).toEqual(before);
    expect(await listApplied(options)).toEqual(['001-af6a4bb102c4']);
    await sql`drop table marquee_usage_by_hour`.execute(raw);
    await (await openDatabase(options)).close();
    expect(await listApplied(options)).toEqual(newest);
  });

  test.for([
    `insert into marquee_migrations values ('999-of-the-future', '2027-01-01T00:00:00.000Z')`,
    `update marquee_migrations set name = '999-of-the-future' where name = '001'`,
  ])(
    'a migration that is not known stops the start with one line, and nothing is changed',
    async (change) => {
      const options = await createTestDatabase();
      await (await openDatabase(options)).close();
      const raw = openTestRaw(options);
      await sql.raw(change).execute(raw);
      const before = await describeTables(raw);
      const error: unknown = await openDatabase(options).catch((failure: unknown) => failure);
      expect(error).toMatchObject({
        name: 'StorageError',
        code: 'OTHER_SCHEMA',
        message:
          'The database has a migration that this version of Marquee does not know (999-of-the-future): run the version that applied it, or restore a backup from before.',
      });
      expect(await describeTables(raw)).toEqual(before);
    },
  );

  test('a migration takes longer than other statements may, and a start waits for that of another process', async () => {
    const options = await createTestDatabase();
    await createVersionOne(options);
    const raw = openTestRaw(options);
    if (options.databaseUrl !== null) {
      const name = new URL(options.databaseUrl).pathname.slice(1);
      await sql`alter database ${sql.id(name)} set statement_timeout = 500`.execute(raw);
      await sql`alter database ${sql.id(name)} set lock_timeout = 500`.execute(raw);
    }
    const opening = await raw.transaction().execute(async (transaction) => {
      await sql`update marquee_usage_pruned set before_day = before_day`.execute(transaction);
      await sql`delete from marquee_usage`.execute(transaction);
      if (options.databaseUrl !== null) {
        // As the migration that adopts the database.
        await sql`lock table marquee_migrations in access exclusive mode`.execute(transaction);
      }
      const pending = openDatabase(options);
      if (options.databaseUrl !== null) await sql`select pg_sleep(1)`.execute(transaction);
      return { pending };
    });
    await (await opening.pending).close();
    expect(await listApplied(options)).toEqual(newest);
  });
});

function openTestRaw(options: DatabaseOptions): Kysely<Schema> {
  const raw = openRaw(options);
  onTestFinished(() => raw.destroy());
  return raw;
}

async function listApplied(options: DatabaseOptions): Promise<string[]> {
  const rows = await openTestRaw(options)
    .selectFrom('marquee_migrations')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Names, types, nullability and defaults; the order of columns does not matter. */
async function describeTables(db: Kysely<Schema>) {
  const described = await db.introspection.getTables();
  return described.map(({ name, columns }) => ({
    name,
    columns: columns
      // Generated: nobody writes it.
      .filter((column) => column.name !== 'magnitude')
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }));
}
