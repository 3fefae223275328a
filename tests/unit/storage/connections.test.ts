import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPostgresDialect } from '#lib/storage/postgres.ts';
import { walBytesMax } from '#lib/storage/sqlite-file.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { startPgBouncer } from '../../support/programs/pgbouncer.ts';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { skipWithout } from '../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** Counts to a number in the database. */
const count = (to: number) =>
  sql<{ n: number }>`with recursive numbers(n) as
    (select 1 union all select n + 1 from numbers where n < ${sql.lit(to)})
    select max(n) as n from numbers`;

describeEachDatabase((createTestDatabase) => {
  test('other queries and the event loop go on during a long read', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const finished: string[] = [];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const long = database
      .readLong((db) => count(2_000_000).execute(db))
      .then(({ rows }) => {
        finished.push('long');
        return rows;
      });
    await database.keys.insert(makeKeyRecord());
    finished.push('short');
    expect(await long).toEqual([{ n: 2_000_000 }]);
    clearInterval(timer);
    expect(finished).toEqual(['short', 'long']);
    expect(turns).toBeGreaterThan(10);
  });

  test('a long read sees what was written before it, and fails as other queries do', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const key = makeKeyRecord();
    await database.keys.insert(key);
    const rows = await database.readLong((db) =>
      db.selectFrom('marquee_keys').select('id').execute(),
    );
    expect(rows).toEqual([{ id: key.id }]);
    const failing = database.readLong((db) => sql`select 1 from marquee_nothing`.execute(db));
    await expect(failing).rejects.toMatchObject({ name: 'StorageError' });
    const inOrder = [1, 2, 3].map((n) =>
      database.readLong(async (db) => (await count(n).execute(db)).rows[0]?.n),
    );
    expect(await Promise.all(inOrder)).toEqual([1, 2, 3]);
  });

  test('how long queries wait and which are slow is told', async () => {
    const waits: number[] = [];
    const onSlowQuery = vi.fn();
    const observer = {
      onWait: (waitMs: number) => void waits.push(waitMs),
      onSlowQuery,
      onLogLost: vi.fn(),
    };
    const options = await createTestDatabase();
    const database = await openTestDatabase({ ...options, observer });
    const slow = sql`insert into marquee_usage_set_aside (id, reason, record)
      select 'of-a-member', 'none', max(n) from (${count(1_500_000)}) as numbers`;
    await Promise.all(
      Array.from({ length: 5 }, () => database.run((db) => slow.execute(db).catch(() => {}))),
    );
    expect(Math.max(...waits)).toBeGreaterThan(100);
    expect(onSlowQuery).toHaveBeenCalledWith({
      name: 'insert marquee_usage_set_aside',
      durationMs: expect.any(Number),
    });
  });
});

describe('SQLite', () => {
  test('a statement waits for another process without holding up the event loop', async () => {
    const dataDir = makeTestFolder();
    const database = await openTestDatabase({ dataDir });
    using other = new DatabaseSync(join(dataDir, 'marquee.db'));
    other.exec('begin immediate');
    const writing = [
      database.run((db) => db.deleteFrom('marquee_sessions').execute()),
      database.keys.insert(makeKeyRecord()),
    ];
    let turns = 0;
    while (turns < 200) {
      await new Promise(setImmediate);
      turns += 1;
    }
    other.exec('commit');
    await Promise.all(writing);
    expect(await database.keys.list()).toHaveLength(1);
  });

  test('the write-ahead log of several processes does not grow without bound, nor lose anything', async () => {
    const dataDir = makeTestFolder();
    const databases = [await openTestDatabase({ dataDir }), await openTestDatabase({ dataDir })];
    const record = 'x'.repeat(1024 ** 2);
    for (let index = 0; index < 80; index += 1) {
      const row = { id: String(index), reason: 'large', record };
      const database = databases[index % 2];
      await database?.run((db) => db.insertInto('marquee_usage_set_aside').values(row).execute());
    }
    const path = join(dataDir, 'marquee.db');
    await expect
      .poll(async () => (await stat(`${path}-wal`)).size)
      .toBeLessThanOrEqual(walBytesMax);
    expect((await stat(path)).size).toBeGreaterThan(80 * 1024 ** 2);
    expect(await databases[0]?.usage.listSetAside()).toHaveLength(80);
  });
});

describe('PostgreSQL', () => {
  const server = setUpPostgres();

  test('a query waits for a connection for longer than a server may take to connect', async () => {
    const databaseUrl = await server.createDatabase();
    const database = await openTestDatabase({ databaseUrl });
    const held = Array.from({ length: 4 }, () =>
      database.run((db) => sql`select pg_sleep(2)`.execute(db)),
    );
    await expect(database.ping()).resolves.toBeUndefined();
    await Promise.all(held);
  });

  test('a connection whose server does not respond is given up, and the next query works', async () => {
    const databaseUrl = await server.createDatabase();
    const dialect = createPostgresDialect({ databaseUrl, connectionsMax: 1, timeoutMs: 100 });
    const db = new Kysely<unknown>({ dialect });
    onTestFinished(() => db.destroy());
    await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect((await sql`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }]);
    const inTransaction = db
      .transaction()
      .execute((transaction) => sql`select pg_sleep(60)`.execute(transaction));
    // By the server, unless this process has stood still for a second.
    await expect(inTransaction).rejects.toThrow(/canceling statement|connection error/);
    expect((await sql`select 2 as n`.execute(db)).rows).toEqual([{ n: 2 }]);
  });

  test('a connection that breaks between two queries of a transaction fails it, and nothing else', async () => {
    const databaseUrl = await server.createDatabase();
    const dialect = createPostgresDialect({ databaseUrl, connectionsMax: 1, timeoutMs: 10_000 });
    const db = new Kysely<unknown>({ dialect });
    onTestFinished(() => db.destroy());
    const broken = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
        transaction,
      );
      await server.query(databaseUrl, `select pg_terminate_backend(${rows[0]?.pid})`);
      // By then the client has heard of it, while it asked nothing.
      const left = `select count(*) as count from pg_stat_activity where pid = ${rows[0]?.pid}`;
      await expect.poll(() => server.query(databaseUrl, left)).toMatchObject([{ count: '0' }]);
      await sql`select 1`.execute(transaction);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql`select 3 as n`.execute(db)).rows).toEqual([{ n: 3 }]);
  });
});

describe('PgBouncer in transaction mode', () => {
  const server = setUpPostgres();
  skipWithout('pgbouncer');

  test('two instances share two connections', async () => {
    const own = await server.createDatabase();
    const bouncer = await startPgBouncer(own);
    onTestFinished(bouncer.close);
    const databaseUrl = bouncer.toUrl(own);
    const instances = [
      await openTestDatabase({ databaseUrl }),
      await openTestDatabase({ databaseUrl }),
    ];
    const keys = Array.from({ length: 20 }, (_, index) =>
      makeKeyRecord({ id: `key_${index}`, name: `key ${index}`, hash: `hash ${index}` }),
    );
    const inserted = keys.map((key, index) => instances[index % 2]?.keys.insert(key));
    expect(new Set(await Promise.all(inserted))).toEqual(new Set(['inserted']));
    expect(await instances[0]?.readLong((db) => count(10).execute(db))).toMatchObject({
      rows: [{ n: 10 }],
    });
    expect(await instances[1]?.keys.list()).toHaveLength(20);
  });
});
