import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupCommand } from '#lib/cli/backup/backup.ts';
import { restoreCommand } from '#lib/cli/backup/restore.ts';
import type { Command } from '#lib/cli/command.ts';
import { examineBooks } from '#lib/cli/doctor/examine-books.ts';
import { keysCommand } from '#lib/cli/keys/keys.ts';
import type { Environment } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';
import { tables } from '#lib/storage/schema.ts';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { callCommand } from '../../../support/programs/call-command.ts';
import type { Outcome } from '../../../support/programs/run-node.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { mountSmallDisk } from '../../../support/servers/small-disk.ts';
import { storeUsage } from '../../../support/store-usage.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createVersionOne } from '../../../support/version-one.ts';
import { toVersionOneRows } from '../../../support/version-one-rows.ts';

const keyPepper = 'a-pepper-that-tests-share-0123456789';

function run(settings: Environment, command: Command, ...args: string[]): Promise<Outcome> {
  return callCommand(command, args, { PATH: process.env.PATH, ...settings });
}

/** @returns the folder of the backup. */
async function backUp(from: Environment): Promise<string> {
  const folder = join(makeTestFolder(), 'monday');
  expect(await run(from, backupCommand, folder)).toMatchObject({ code: 0, error: '' });
  return folder;
}

/** @returns how many keys there are, in words. */
async function restore(to: Environment, folder: string): Promise<string> {
  const { code, out, error } = await run(to, restoreCommand, folder);
  expect([code, error]).toEqual([0, '']);
  return / is restored: (\d+ keys?)\.\n$/.exec(out)?.[1] ?? out;
}

/** What a restore that fails prints. */
async function failToRestore(to: Environment, folder: string): Promise<string> {
  const { code, error } = await run(to, restoreCommand, folder);
  expect(code).toBe(1);
  return error;
}

async function createEmpty(settings: Environment): Promise<void> {
  await (await openDatabase(toOptions(settings))).close();
}

const emptyPlace = () => ({ DATA_DIR: join(makeTestFolder(), 'new') });

/**
 * Creates a key and a usage record in one place, and finds both in the other after backup and restore, but not what was
 * read of the events table.
 */
async function backUpAndRestore(from: Environment, to: Environment): Promise<readonly string[]> {
  const create = ['create', '--name', 'desk', '--create-database', '--quiet'];
  const created = await run(from, keysCommand, ...create);
  const database = await openDatabase(toOptions(from));
  const [unused] = await database.keys.list();
  await storeUsage(database, [makeUsageRecord({ keyId: unused?.id ?? '', at: Date.now() })]);
  const [key] = await database.keys.list();
  const tableRead = database.tableReads('events');
  await tableRead.markCalled();
  await tableRead.writePart('part', Buffer.from('content'));
  await database.close();

  const folder = await backUp(from);
  expect(await restore(to, folder)).toBe('1 key');

  const copy = await openDatabase(toOptions(to));
  const pepper = loadPepper({ keyPepper: to.KEY_PEPPER ?? null, dataDir: to.DATA_DIR ?? '' });
  const hash = createKeyHasher(pepper)(created.out.trim());
  expect(await copy.keys.findByHash([hash])).toEqual([key]);
  expect(await copy.usage.sumByDayAndModel(key?.id ?? '', '2000-01-01')).toHaveLength(1);
  const copiedRead = copy.tableReads('events');
  expect((await copiedRead.find()).calledAtMs).toBe(0);
  expect((await copiedRead.listParts()).size).toBe(0);
  await copy.close();

  expect((await run(from, backupCommand, folder)).error).toContain('is not empty');
  expect(await failToRestore(to, folder)).toContain('There is a Marquee database already');
  const files = readdirSync(folder);
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  return files.toSorted();
}

/** Backs up a database of version 1.0, and finds its keys after a restore, which has migrated them. */
async function upgradeByBackup(from: Environment, to: Environment): Promise<void> {
  await createVersionOne(toOptions(from), toVersionOneRows(Date.now()));
  expect(await restore(to, await backUp(from))).toBe('3 keys');
  const copy = await openDatabase(toOptions(to));
  expect(await copy.keys.find('name', 'old')).toMatchObject({ id: 'key_old', tokensPerDay: 5000 });
  await copy.close();
}

/** Backs up a database with counts of the minute, and finds none after a restore. */
async function leaveOutCounts(from: Environment, to: Environment): Promise<string> {
  const database = await openDatabase(toOptions(from));
  const row = { key_id: 'key_of_the_minute', minute: 60_000, count: 3, count_before: 2 };
  await database.run((db) => db.insertInto('marquee_request_counts').values(row).execute());
  await database.close();
  const folder = await backUp(from);
  await restore(to, folder);
  const copy = await openDatabase(toOptions(to));
  expect(
    await copy.run((db) => db.selectFrom('marquee_request_counts').selectAll().execute()),
  ).toEqual([]);
  await copy.close();
  return folder;
}

const toOptions = ({ DATABASE_URL, DATA_DIR = '' }: Environment) => ({
  databaseUrl: DATABASE_URL ?? null,
  dataDir: DATA_DIR,
});

test('a backup ends while the server writes all the time', async () => {
  const dataDir = makeTestFolder();
  const database = await openDatabase({ databaseUrl: null, dataDir });
  await storeUsage(
    database,
    Array.from({ length: 3_000 }, () => makeUsageRecord()),
  );
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      await storeUsage(database, [makeUsageRecord()]);
      await new Promise(setImmediate);
    }
  })();
  await backUp({ DATA_DIR: dataDir, KEY_PEPPER: keyPepper });
  isWriting = false;
  await writing;
  await database.close();
});

test('keys, usage and the pepper of an embedded database are backed up and restored', async () => {
  const [from, to] = [{ DATA_DIR: makeTestFolder() }, emptyPlace()];
  expect(await backUpAndRestore(from, to)).toEqual(['marquee.db', 'pepper']);
  expect(statSync(to.DATA_DIR).mode & 0o777).toBe(0o700);
});

test('a site without keys is backed up and restored', async () => {
  const [from, to] = [{ DATA_DIR: makeTestFolder() }, { DATA_DIR: makeTestFolder() }];
  const folder = join(makeTestFolder(), 'monday');
  await createEmpty(from);
  const backup = await run(from, backupCommand, folder);
  expect([backup.code, backup.error]).toEqual([0, '']);
  expect(backup.out).toContain('It contains no pepper');
  expect(await restore(to, folder)).toBe('0 keys');
});

test('a backup of version 1.0 is restored by this one', async () => {
  const [from, to] = [{ DATA_DIR: makeTestFolder() }, emptyPlace()];
  writeFileSync(join(from.DATA_DIR, 'pepper'), 'p'.repeat(43), { mode: 0o600 });
  await upgradeByBackup(from, to);
});

test('what is counted anew is not in a backup, which is a file without traces of it', async () => {
  const from = { DATA_DIR: makeTestFolder() };
  writeFileSync(join(from.DATA_DIR, 'pepper'), 'p'.repeat(43), { mode: 0o600 });
  const folder = await leaveOutCounts(from, emptyPlace());
  expect(readdirSync(folder).toSorted()).toEqual(['marquee.db', 'pepper']);
  const bytes = readFileSync(join(folder, 'marquee.db'));
  expect(bytes.includes('marquee_request_counts')).toBe(true);
  expect(bytes.includes('key_of_the_minute')).toBe(false);
});

test('a damaged backup is not restored', async () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'marquee.db'), 'x'.repeat(8192));
  expect(await failToRestore(emptyPlace(), folder)).toContain('not a database');
});

test.for([[[]], [['']], [['monday', 'tuesday']], [['--colour']]] as const)(
  'of the arguments %j nothing is backed up, nor restored',
  async ([args]) => {
    const dataDir = makeTestFolder();
    for (const [name, command] of [
      ['backup', backupCommand],
      ['restore', restoreCommand],
    ] as const) {
      const { code, out, error } = await run({ DATA_DIR: dataDir }, command, ...args);
      expect([code, out]).toEqual([1, '']);
      expect(error).toMatch(new RegExp(`^[^\n]*Usage: npm run ${name} -- FOLDER\n$`));
    }
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

test('a folder that the system does not create is an error of one line, soon', async () => {
  const from = { DATA_DIR: makeTestFolder() };
  await createEmpty(from);
  const { code, error } = await run(from, backupCommand, '/proc/none/x');
  expect([code, error]).toEqual([1, expect.stringMatching(/^ENOENT.*'\/proc\/none'\n$/)]);
});

test('--help says what the folder is for', async () => {
  const backup = await run({}, backupCommand, '--help');
  expect(backup).toMatchObject({ code: 0, error: '' });
  expect(backup.out).toMatch(/^Usage: npm run backup -- FOLDER\n\nCopies the database/);
  const restore = await run({}, restoreCommand, '-h');
  expect(restore.out).toMatch(/^Usage: npm run restore -- FOLDER\n\nRestores a backup/);
});

describe('on PostgreSQL', () => {
  const postgres = setUpPostgres();
  const createPlace = async (KEY_PEPPER = keyPepper) => ({
    KEY_PEPPER,
    DATA_DIR: makeTestFolder(),
    DATABASE_URL: await postgres.createDatabase(),
  });

  test('keys and usage are backed up and restored; the pepper is a setting', async () => {
    const files = await backUpAndRestore(await createPlace(), await createPlace());
    expect(files).toEqual(['marquee.pgdump']);
  });

  test('a backup of version 1.0 is restored by this one', async () => {
    await upgradeByBackup(await createPlace(), await createPlace());
  });

  test('what is counted anew is not in a backup', async () => {
    await leaveOutCounts(await createPlace(), await createPlace());
  });

  describe('a backup of an embedded database', () => {
    /** A database of version 1.0 with rows in every table, which a start has migrated, and its backup. */
    async function backUpEmbedded() {
      const from = { DATA_DIR: makeTestFolder() };
      await createVersionOne(toOptions(from), toVersionOneRows(startOfDay()));
      writeFileSync(join(from.DATA_DIR, 'pepper'), `${embeddedPepper}\n`, { mode: 0o600 });
      const folder = await backUp(from);
      const before = await openDatabase(toOptions(from));
      onTestFinished(before.close);
      return { from, before, folder, to: await createPlace(embeddedPepper) };
    }

    test('moves into PostgreSQL: all rows are the same, and the books agree', async () => {
      const { from, before, to } = await backUpEmbedded();
      // More than one statement takes.
      const records = Array.from({ length: 2_500 }, (_, index) =>
        makeUsageRecord({ id: `more_${index}`, keyId: 'key_old', at: startOfDay() + index }),
      );
      await storeUsage(before, records);
      expect(await restore(to, await backUp(from))).toBe('3 keys');
      const after = await openDatabase(toOptions(to));
      onTestFinished(after.close);
      for (const table of Object.keys(tables)) {
        const [found, expected] = [await readRows(after, table), await readRows(before, table)];
        expect(expected.length > 0 || unfilledTables.includes(table), table).toBe(true);
        expect(found).toEqual(expected);
      }
      const findings = await examineBooks({ storage: toOptions(to) }, false);
      expect(findings.map(({ level }) => level)).not.toContain('problem');
      expect(readdirSync(to.DATA_DIR)).toEqual([]);
      // The ledger goes on from there.
      await storeUsage(after, [makeUsageRecord({ keyId: 'key_old', at: Date.now() })]);
      expect(await after.balances.audit()).toEqual([]);
    });

    test('moves from version 1.0, too', async () => {
      const { folder, to } = await backUpEmbedded();
      expect(await restore(to, folder)).toBe('3 keys');
      const findings = await examineBooks({ storage: toOptions(to) }, false);
      expect(findings.map(({ level }) => level)).not.toContain('problem');
    });

    test('is not mixed with what is there, and fills tables that a failed move has left', async () => {
      const { from, to } = await backUpEmbedded();
      const later = await backUp(from);
      await createEmpty(to);
      await restore(to, later);
      expect(await failToRestore(to, later)).toContain('There is a Marquee database already');
    });

    test('needs its pepper as a setting', async () => {
      const { from, to } = await backUpEmbedded();
      const later = await backUp(from);
      const error = await failToRestore({ ...to, KEY_PEPPER: keyPepper }, later);
      expect(error).toMatch(/^KEY_PEPPER is not the text in .*$/m);
      expect(await hasDatabase(toOptions(to))).toBe(false);
      await restore({ ...to, KEY_PEPPER: keyPepper, KEY_PEPPER_PREVIOUS: embeddedPepper }, later);
    });
  });

  test('its own backup does not fit an embedded database', async () => {
    const from = await createPlace();
    await createEmpty(from);
    const error = await failToRestore(emptyPlace(), await backUp(from));
    expect(error).toContain('fits only PostgreSQL');
  });
});

test('a backup that does not fit on its disk leaves nothing behind, and says so', async (context) => {
  const from = { DATA_DIR: makeTestFolder() };
  await createEmpty(from);
  loadPepper({ keyPepper: null, dataDir: from.DATA_DIR });
  const disk = mountSmallDisk(context, 1);
  disk.fill();
  const folder = join(disk.path, 'monday');
  const { code, error } = await run(from, backupCommand, folder);
  expect([code, error]).toEqual([1, `There is no backup: the disk of ${folder} is full.\n`]);
  expect(readdirSync(folder)).toEqual([]);
  await backUp(from);
});

const embeddedPepper = 'p'.repeat(43);

/** Not in a backup, or empty in that of these tests. */
const unfilledTables = [
  'marquee_table_reads',
  'marquee_table_parts',
  'marquee_request_counts',
  'marquee_usage_set_aside',
  'marquee_upstream_slots',
  'marquee_upstream_facts',
  'marquee_owned_facts',
  'marquee_spent_sign_ins',
  'marquee_recent_costs',
  'marquee_event_announcements',
];

function startOfDay(): number {
  return Date.now() - (Date.now() % 86_400_000);
}

async function readRows({ run: query }: Database, table: string): Promise<readonly unknown[]> {
  const names = Object.keys(tables[table as keyof typeof tables]);
  const { rows } = await query((db) =>
    sql`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table)}`.execute(
      db,
    ),
  );
  // Each engine has an order of its own.
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
