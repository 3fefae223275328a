import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { isOutage, isStorageError, StorageError, toFileError } from '#lib/storage/storage-error.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { findFreePort } from '../../support/servers/free-port.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { setUpOwnPostgres } from '../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

test('a file in place of the directory is an error of one line', async () => {
  const dataDir = join(makeTestFolder(), 'data');
  writeFileSync(dataDir, '');
  const { message } = await errorOf({ databaseUrl: null, dataDir });
  expect(message).toBe(`DATA_DIR is ${JSON.stringify(dataDir)}, but it is not a folder.`);
});

test('a directory that the system does not create is an error of one line, soon', async () => {
  const { message } = await errorOf({ databaseUrl: null, dataDir: '/proc/none/data' });
  expect(message).toBe('DATA_DIR is "/proc/none/data", but that folder cannot be created.');
});

test('a directory below a file is an error of one line', async () => {
  const file = join(makeTestFolder(), 'file');
  writeFileSync(file, '');
  const dataDir = join(file, 'data');
  const { message } = await errorOf({ databaseUrl: null, dataDir });
  expect(message).toBe(
    `DATA_DIR is ${JSON.stringify(dataDir)}, but part of that path is not a folder.`,
  );
});

const outages = {
  file: ['ENOSPC', 'EDQUOT', 'EROFS', 'SQLITE_10', 'SQLITE_11', 'SQLITE_13', 'SQLITE_26'],
  server: ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '57P01', '57P03', '53300'],
} as const;
const wrongSettings = {
  file: ['ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'ENOENT', 'SQLITE_14'],
  server: ['28P01', '28000', '3D000', '42501'],
} as const;

test.for(['file', 'server'] as const)(
  'the site starts without a database whose %s is away, and not with a wrong setting',
  (kind) => {
    const isOutageOf = (code: string) => isOutage(new StorageError('It fails.', { code }), kind);
    expect(outages[kind].filter((code) => !isOutageOf(code))).toEqual([]);
    expect(wrongSettings[kind].filter(isOutageOf)).toEqual([]);
  },
);

test('a file that is not a database is an error of one line, and is not changed', async () => {
  const dataDir = makeTestFolder();
  writeFileSync(
    join(dataDir, 'marquee.db'),
    'A letter to a friend, which is longer than a header. '.repeat(100),
  );
  const { message } = await errorOf({ databaseUrl: null, dataDir });
  expect(message).toContain('is not a database: move that file away');
});

test('a full disk is an error of one line', async () => {
  using database = new DatabaseSync(join(makeTestFolder(), 'marquee.db'));
  const { message, code } = toFileError(fillUp(database), './data');
  expect(code).toBe('SQLITE_13');
  expect(message).toBe('DATA_DIR is "./data", but its disk is full.');
});

test('an unreachable server is an error of one line, without its URL', async () => {
  const port = await findFreePort();
  const { message } = await errorOf({
    databaseUrl: `postgres://canary-user:canary-word@127.0.0.1:${port}/canary`,
    dataDir: '/nowhere',
  });
  expect(message).toBe('DATABASE_URL points to a database that cannot be reached (ECONNREFUSED).');
});

test.each<[string, (socket: Socket) => void]>([
  ['never answers', (socket) => socket.resume()],
  ['hangs up', (socket) => socket.destroy()],
])('a server that %s is an outage, not a wrong setting', async (_, onConnection) => {
  await using server = await listenOnLoopback(createServer(onConnection));
  const error = await errorOf({
    databaseUrl: `postgres://canary-user:canary-word@127.0.0.1:${server.port}/canary`,
    dataDir: '/nowhere',
  });
  expect(error.message).toMatch(/^DATABASE_URL points to a database that cannot be reached \(E/);
  expect(isOutage(error, 'server')).toBe(true);
});

describe('PostgreSQL', () => {
  const postgres = setUpOwnPostgres();

  // ASVS 13.2.1
  test('a wrong password and a missing database are errors of one line', async () => {
    const url = new URL(await postgres.createDatabase());
    url.password = 'canary-word';
    const rejected = await errorOf({ databaseUrl: url.href, dataDir: '/nowhere' });
    expect(rejected.message).toContain('rejects its user or password');
    const missing = new URL('/canary', await postgres.createDatabase()).href;
    const { message } = await errorOf({ databaseUrl: missing, dataDir: '/nowhere' });
    expect(message).toContain('does not exist on that server');
    expect(rejected.message + message).not.toContain('canary');
  });

  test('a server restart fails only the queries in between', async () => {
    const database = await openDatabase({
      databaseUrl: await postgres.createDatabase(),
      dataDir: '/nowhere',
    });
    const key = makeKeyRecord();
    await database.keys.insert(key);
    await postgres.kill();
    await expect(database.keys.list()).rejects.toBeInstanceOf(StorageError);
    await postgres.start();
    await expect.poll(() => database.keys.list().catch(() => [])).toEqual([key]);
    await database.close();
  });
});

async function errorOf(options: DatabaseOptions): Promise<StorageError> {
  const error = await openDatabase(options).catch((failure: unknown) => failure);
  if (!(error instanceof StorageError)) throw new Error('it was opened');
  expect(error.message).not.toMatch(/[\n\r]/);
  return error;
}

/** What SQLite throws when a disk is full. */
function fillUp(database: DatabaseSync): unknown {
  database.exec('pragma max_page_count = 1');
  try {
    database.exec(`create table letters as select '${'x'.repeat(100_000)}' as letter`);
  } catch (error) {
    return error;
  }
  return null;
}

test('a storage error is recognized by more than its name, from another copy of the module, too', async () => {
  const url = `${import.meta.resolve('#lib/storage/storage-error.ts')}?copy`;
  const copy: typeof import('#lib/storage/storage-error.ts') = await import(url);
  const error = new copy.StorageError('It fails.', { code: 'EIO' });
  expect(error).not.toBeInstanceOf(StorageError);
  expect(isStorageError(error)).toBe(true);
  expect(isStorageError(Object.assign(new Error(), { name: 'StorageError' }))).toBe(false);
});
