import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { backupCommand } from '#lib/cli/backup/backup.ts';
import { restoreCommand } from '#lib/cli/backup/restore.ts';
import type { Command } from '#lib/cli/command.ts';
import { createDoctorCommand } from '#lib/cli/doctor/doctor.ts';
import { keysCommand } from '#lib/cli/keys/keys.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { toSqlitePath } from '#lib/storage/database-file.ts';
import { walBytesMax } from '#lib/storage/sqlite-file.ts';
import { makeUsageRecord } from '../../support/factories/key-factory.ts';
import { callCommand } from '../../support/programs/call-command.ts';
import { expectLocked, expectLogKept } from '../../support/programs/foreign-reader.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { storeUsage } from '../../support/store-usage.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** What a server does at its first request, which opens a second connection and the thread of long reads. */
async function useAll(database: Database): Promise<void> {
  await storeUsage(database, [makeUsageRecord()]);
  await database.readLong((db) => sql`select 1`.execute(db));
}

type Act = (database: Database, dataDir: string) => Promise<unknown>;

const doctorCommand = createDoctorCommand({ root: process.cwd() });

/** Runs a command beside the server, in its very process: there a closed file would cost the lock. */
const command =
  (run: Command, ...args: string[]): Act =>
  (_database, DATA_DIR) =>
    callCommand(run, args, { DATA_DIR, PATH: process.env.PATH });

const acts: Readonly<Record<string, Act>> = {
  'the start': async () => {},
  'the first request': useAll,
  'the first request of another process': async (_database, dataDir) => {
    const other = await openDatabase({ databaseUrl: null, dataDir });
    await useAll(other);
    await other.close();
  },
  'the log has grown to its bound': async (database) => {
    const record = 'x'.repeat(walBytesMax / 16);
    for (let id = 0; id < 20; id += 1) {
      const row = { id: String(id), reason: 'large', record };
      await database.run((db) => db.insertInto('marquee_usage_set_aside').values(row).execute());
    }
  },
  'an error of the ledger': async (database) => {
    await useAll(database);
    await expect(
      database.ledger.run(
        { spans: [], recordIds: [], newIds: [], counted: [], expiredMax: 0 },
        () => {
          throw new Error('a fault');
        },
      ),
    ).rejects.toThrow();
  },
  'npm run keys': command(keysCommand, 'list'),
  'npm run doctor': command(doctorCommand),
  'npm run doctor -- --books': command(doctorCommand, '--books'),
  'npm run restore, which is refused': command(restoreCommand, '/nowhere'),
};

const checkpoint: Act = (database) =>
  database.readLong((db) => sql`pragma wal_checkpoint(restart)`.execute(db));

const backUp: Act = (database, dataDir) =>
  command(backupCommand, join(makeTestFolder(), 'monday'))(database, dataDir);

/** An hour in which only timers run. */
const waitAnHour: Act = async () => {
  vi.useFakeTimers();
  await vi.advanceTimersByTimeAsync(3_600_000);
  vi.useRealTimers();
};

test.for(Object.entries(acts))(
  'after %s, requests, an idle hour, a checkpoint and a backup the database is locked, and another program leaves its log alone',
  async ([, act]) => {
    const dataDir = makeTestFolder();
    const database = await openTestDatabase({ dataDir });
    for (const step of [act, useAll, waitAnHour, checkpoint, backUp]) {
      await step(database, dataDir);
      expectLocked(dataDir);
    }
    await database.ping();
    await expectLogKept(dataDir);
    expectLocked(dataDir);
  },
);

/** A database whose user is told of what happens to its log. */
async function openWatched(dataDir: string) {
  const onLogLost = vi.fn();
  const observer = { onWait() {}, onSlowQuery() {}, onLogLost };
  const database = await openTestDatabase({ dataDir, observer, reopenAfterMs: 50 });
  return { database, onLogLost };
}

const countRecords = async (database: Database) =>
  (await database.run((db) => db.selectFrom('marquee_usage').select('id').execute())).length;

test.for([['-wal', '-shm'], ['-wal'], ['-shm']])(
  'where %s are deleted, all that was written is in the database, which works again',
  async (suffixes) => {
    const dataDir = makeTestFolder();
    const { database, onLogLost } = await openWatched(dataDir);
    await storeUsage(database, [makeUsageRecord({ id: 'before' })]);
    for (const suffix of suffixes) rmSync(toSqlitePath(dataDir) + suffix);
    await storeUsage(database, [makeUsageRecord({ id: 'after' })]);
    await expect(database.ping()).rejects.toMatchObject({ code: 'LOST_LOG' });
    expect(onLogLost).toHaveBeenCalledExactlyOnceWith({
      error: expect.any(Error),
      isRecoverable: true,
      changes: expect.any(Number),
    });
    await expect(countRecords(database)).rejects.toMatchObject({ code: 'LOST_LOG' });
    await expect.poll(() => database.ping().then(() => 'works')).toBe('works');
    await storeUsage(database, [makeUsageRecord({ id: 'later' })]);
    expect(await countRecords(database)).toBe(3);
    expect(await database.balances.audit()).toEqual([]);
    await expectLogKept(dataDir);
    expectLocked(dataDir);
  },
);

test('where another program has begun a log of its own, the loss is counted, and nothing is written', async () => {
  const dataDir = makeTestFolder();
  const { database, onLogLost } = await openWatched(dataDir);
  await storeUsage(database, [makeUsageRecord({ id: 'before' })]);
  await database.ping();
  for (const suffix of ['-wal', '-shm']) {
    rmSync(toSqlitePath(dataDir) + suffix);
    closeSync(openSync(toSqlitePath(dataDir) + suffix, 'w'));
  }
  await storeUsage(database, [makeUsageRecord({ id: 'after' })]);
  await expect(database.ping()).rejects.toMatchObject({ code: 'LOST_LOG' });
  expect(onLogLost).toHaveBeenCalledExactlyOnceWith({
    error: expect.any(Error),
    isRecoverable: false,
    changes: expect.toSatisfy((changes: number) => changes > 0),
  });
  await expect(storeUsage(database, [makeUsageRecord()])).resolves.toBeUndefined();
  await expect(countRecords(database)).rejects.toMatchObject({ code: 'LOST_LOG' });
});

/** Writes over the page with the sessions, which nothing reads at the start. */
async function damage(dataDir: string): Promise<void> {
  const { run, close } = await openDatabase({ databaseUrl: null, dataDir });
  const { rows } = await run((db) =>
    sql<{ rootpage: number; size: number }>`select rootpage, page_size as size
      from sqlite_schema, pragma_page_size() where name = 'marquee_sessions'`.execute(db),
  );
  await close();
  const [{ rootpage, size } = { rootpage: 0, size: 0 }] = rows;
  const file = openSync(toSqlitePath(dataDir), 'r+');
  writeSync(file, Buffer.alloc(size, 7), 0, size, (rootpage - 1) * size);
  closeSync(file);
}

test('a damaged database is recognized, and nothing is written to it', async () => {
  const dataDir = makeTestFolder();
  const first = await openDatabase({ databaseUrl: null, dataDir });
  expect(await first.requireIntact(60_000)).toBe(true);
  await first.close();
  await damage(dataDir);
  const database = await openTestDatabase({ dataDir });
  const message = `DATA_DIR is "${dataDir}", but its database is damaged: restore it from a backup.`;
  await expect(database.requireIntact(60_000)).rejects.toThrow(message);
  await expect(database.ping()).rejects.toThrow(message);
  const { out } = await callCommand(doctorCommand, [], { DATA_DIR: dataDir });
  expect(out).toContain(`✗ database: ${message}`);
});
