import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '#lib/database.ts';
import type { UsageEntry } from '#lib/spend/records/usage-queue.ts';
import { adoptUsageQueue, createUsageQueue } from '#lib/spend/records/usage-queue.ts';
import { createUsageRecorder } from '#lib/spend/records/usage-recorder.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { makeUsageEntry, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { mountSmallDisk } from '../../../support/servers/small-disk.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

const noon = Date.parse('2026-03-10T12:00:00Z');
const day = '2026-03-10';

type RecorderOptions = Readonly<{ dataDir?: string; now?: () => number; closeWithinMs?: number }>;

function createRecorder(
  database: Pick<Database, 'usage' | 'rejections' | 'readClock'>,
  { dataDir = makeTestFolder(), now = () => noon, ...options }: RecorderOptions = {},
) {
  const log = createTestLog();
  const recorder = createUsageRecorder({
    stores: database,
    dataDir,
    now,
    log,
    ...options,
  });
  const record = async () => (await recorder.open(() => makeUsageEntry()))(makeUsageEntry());
  return { ...recorder, record, log, dataDir };
}

/** The same database, which fails while `isAway`. */
function withOutage({ usage, rejections, readClock }: Database) {
  const outage = { isAway: false };
  const fail = <T extends unknown[], R>(run: (...args: T) => Promise<R>) => {
    return async (...args: T): Promise<R> => {
      if (outage.isAway) throw new StorageError('The database is away.', { code: 'ECONNREFUSED' });
      return run(...args);
    };
  };
  const { insert, lease, closeExpired } = usage;
  return Object.assign(outage, {
    usage: {
      ...usage,
      insert: fail(insert),
      lease: fail(lease),
      closeExpired: fail(closeExpired),
    },
    rejections: { ...rejections, write: fail(rejections.write) },
    readClock: fail(readClock),
  });
}

const countRequests = async ({ usage }: Database): Promise<number> =>
  (await usage.sumBy('day', '')).reduce((sum, { requests }) => sum + requests, 0);

/** A recorder with one record, which its database does not take. */
async function startWithoutDatabase() {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  const first = createRecorder(Object.assign(withOutage(database), { isAway: true }), {
    dataDir,
    closeWithinMs: 0,
  });
  await first.record();
  return { database, dataDir, first };
}

describeEachDatabase((createTestDatabase) => {
  test('every request is recorded once, and every rejection counted', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { record, reject, close, dataDir } = createRecorder(database);
    for (let sent = 0; sent < 1_234; sent += 1) await record();
    for (const at of [noon, noon + 59_999, noon + 60_000]) {
      reject({ keyId: 'key_one', at, status: 429, code: 'rate_limit_exceeded' });
    }
    await close();
    expect(await database.usage.sumByDayAndModel('key_one', day)).toEqual([
      {
        day,
        model: 'demo/small',
        requests: 1_234,
        tokensIn: 3_702,
        tokensOut: 4_936,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        costUsd: 617,
      },
    ]);
    expect(await database.rejections.sum(day)).toEqual([
      { keyId: 'key_one', status: 429, code: 'rate_limit_exceeded', count: 3 },
    ]);
    expect(readdirSync(join(dataDir, 'usage'))).toEqual([]);
  });

  test('a request under way counts as it stood when its lease ran out, and its real end corrects that once', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const request = makeUsageRecord({ tokensIn: 10, tokensOut: 1 });
    await database.usage.lease([request], noon + 1_000);
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 0 });
    expect(await database.usage.closeExpired(noon + 1_000)).toBe(0);
    await database.usage.lease([{ ...request, tokensOut: 5 }], noon + 2_000);
    expect(await database.usage.closeExpired(noon + 1_500)).toBe(0);
    expect(await database.usage.closeExpired(noon + 2_001)).toBe(1);
    await database.usage.insert([{ ...request, tokensOut: 99 }]);
    await database.usage.insert([{ ...request, tokensOut: 7 }]);
    await database.usage.lease([{ ...request, tokensOut: 7 }], noon + 9_000);
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 109 });
    expect(await database.balances.audit()).toEqual([]);
  });

  test('leases are judged by one clock, however wrong those of the instances are', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = await openTestDatabase(await createTestDatabase());
    const lease = vi.fn(database.usage.lease);
    const stores = { ...database, usage: { ...database.usage, lease } };
    const behind = createRecorder(stores, { now: () => Date.now() - 60_000 });
    const ahead = createRecorder(database, { now: () => Date.now() + 60_000 });
    const end = await behind.open(() => makeUsageEntry({ keyId: 'key_live' }));
    const passSecond = () => vi.advanceTimersByTime(1_000);
    await expect.poll(() => passSecond() && lease.mock.settledResults.length).toBeGreaterThan(0);
    const left = makeUsageRecord({ keyId: 'key_dead', tokensIn: 10, tokensOut: 2 });
    await database.usage.lease([left], Date.now() - 1_000);
    await ahead.start();
    const tokensOf = async (key: string) =>
      (await database.usage.sumOfKeys([key], '')).map((sum) => sum.tokensIn + sum.tokensOut);
    await expect.poll(() => passSecond() && tokensOf('key_dead')).toEqual([12]);
    end(makeUsageEntry({ keyId: 'key_live', tokensIn: 5, tokensOut: 6 }));
    await behind.flush();
    expect(await tokensOf('key_live')).toEqual([11]);
    await Promise.all([behind.close(), ahead.close()]);
  });

  test('records and counts older than USAGE_DAYS are deleted', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const at = (text: string) => Date.parse(text);
    await database.usage.insert([
      makeUsageRecord({ at: at('2025-02-03T23:59:59Z') }),
      makeUsageRecord({ at: at('2025-02-04T00:00:00Z') }),
    ]);
    const count = { keyId: 'key_one', status: 400, code: 'invalid_request_error', count: 2 };
    await database.rejections.write([
      { ...count, id: 'old', at: at('2025-02-03T23:59:00Z') },
      { ...count, id: 'new', at: at('2025-02-04T00:00:00Z') },
    ]);
    expect(await database.usage.prune('2025-02-04')).toBe(1);
    expect(await database.rejections.prune('2025-02-04')).toBe(1);
    expect(await database.usage.sumBy('day', '')).toMatchObject([{ group: '2025-02-04' }]);
    expect(await database.rejections.sum('')).toMatchObject([{ count: 2 }]);
  });

  test('which session a request belonged to is forgotten, and what it used is not', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const used = { keyId: 'key_one', session: 'codex-3fK2a9Qx' };
    const days = ['2026-02-03T23:59:59Z', '2026-02-04T00:00:00Z', '2026-02-04T00:01:00Z'];
    await database.usage.insert(days.map((at) => makeUsageRecord({ ...used, at: Date.parse(at) })));
    await database.usage.insert([
      makeUsageRecord({ keyId: 'key_one', at: Date.parse(days[1] ?? '') }),
    ]);
    expect(await database.usage.pruneSessions('2026-02-04')).toBe(1);
    expect(await database.usage.pruneSessions('2026-02-04')).toBe(0);
    const sums = await database.usage.sumOfSessions(['key_one'], '');
    expect(sums.map((sum) => [sum.day, sum.session, sum.requests, sum.lastAt])).toEqual(
      expect.arrayContaining([
        ['2026-02-03', null, 1, Date.parse('2026-02-03T23:59:59Z')],
        ['2026-02-04', 'codex-3fK2a9Qx', 2, Date.parse('2026-02-04T00:01:00Z')],
        ['2026-02-04', null, 1, Date.parse('2026-02-04T00:00:00Z')],
      ]),
    );
    expect(sums).toHaveLength(3);
  });
});

test('while the database is away records wait on disk, and are written once when it is back', async () => {
  const database = await openTestDatabase();
  const stores = withOutage(database);
  const { record, flush, close, log } = createRecorder(stores);
  stores.isAway = true;
  for (let sent = 0; sent < 250; sent += 1) await record();
  await flush();
  await flush();
  expect(await countRequests(database)).toBe(0);
  stores.isAway = false;
  await record();
  await close();
  expect(await countRequests(database)).toBe(251);
  expect(log.lines.map(({ message }) => message)).toEqual([
    'usage waits in the queue',
    'usage is written again',
  ]);
});

test('what the database did not take before the process ended is written by the next one', async () => {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  const stores = withOutage(database);
  stores.isAway = true;
  const first = createRecorder(stores, { dataDir, closeWithinMs: 100 });
  for (let sent = 0; sent < 7; sent += 1) await first.record();
  first.reject({ keyId: 'key_one', at: noon, status: 404, code: 'model_not_found' });
  await first.close();
  expect(first.log.lines.at(-1)?.message).toBe('usage waits in DATA_DIR for the next start');
  const second = createRecorder(database, { dataDir });
  await second.start();
  expect(await countRequests(database)).toBe(7);
  expect(await database.rejections.sum(day)).toMatchObject([{ count: 1 }]);
  expect(readdirSync(join(dataDir, 'usage'))).toEqual([]);
  await second.close();
});

test('what has ended before a flush is written by it, even if another one is under way', async () => {
  const database = await openTestDatabase();
  const isWriting = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const rejections = {
    ...database.rejections,
    async write() {
      isWriting.resolve();
      await mayGoOn.promise;
    },
  };
  const { record, reject, flush, close } = createRecorder({ ...database, rejections });
  reject({ keyId: 'key_one', at: noon, status: 429, code: 'rate_limit_exceeded' });
  const first = flush();
  await isWriting.promise;
  await record();
  const second = flush();
  mayGoOn.resolve();
  await Promise.all([first, second]);
  expect(await countRequests(database)).toBe(1);
  await close();
});

test('what ends while the recorder closes is written, and its file is gone', async () => {
  const database = await openTestDatabase();
  const rejections = {
    ...database.rejections,
    async write(counts: Parameters<typeof database.rejections.write>[0]) {
      end?.(makeUsageEntry());
      end = null;
      await delay(20);
      return database.rejections.write(counts);
    },
  };
  const { open, reject, close, dataDir, log } = createRecorder({ ...database, rejections });
  let end: Awaited<ReturnType<typeof open>> | null = await open(() => makeUsageEntry());
  reject({ keyId: 'key_one', at: noon, status: 429, code: 'rate_limit_exceeded' });
  await close();
  expect(await countRequests(database)).toBe(1);
  expect(log.lines).toEqual([]);
  expect(readdirSync(join(dataDir, 'usage'))).toEqual([]);
});

test('an adoption that has begun is completed before the recorder is closed', async () => {
  const { database, dataDir, first } = await startWithoutDatabase();
  await first.close();
  const isWriting = Promise.withResolvers<void>();
  const usage = {
    ...database.usage,
    async insert(records: Parameters<typeof database.usage.insert>[0]) {
      isWriting.resolve();
      await delay(50);
      return database.usage.insert(records);
    },
  };
  const second = createRecorder({ ...database, usage }, { dataDir });
  void second.start();
  await isWriting.promise;
  await second.close();
  expect(await countRequests(database)).toBe(1);
  expect(readdirSync(join(dataDir, 'usage'))).toEqual([]);
});

test('the queue of a process that lives is left alone', async () => {
  const { database, dataDir, first } = await startWithoutDatabase();
  const second = createRecorder(database, { dataDir });
  await second.start();
  expect(await countRequests(database)).toBe(0);
  await Promise.all([first.close(), second.close()]);
});

test('a queue that is damaged is put aside and named, and the others are written', async () => {
  const { database, dataDir, first } = await startWithoutDatabase();
  await first.close();
  writeFileSync(join(dataDir, 'usage', '0.db'), 'no database'.repeat(1000));
  const second = createRecorder(database, { dataDir });
  await second.start();
  expect(await countRequests(database)).toBe(1);
  // The folder is read in any order.
  expect(second.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
    {
      message: 'queued usage cannot be read',
      fields: { code: 'SQLITE_26', path: join(dataDir, 'usage', '0.db') },
    },
  ]);
  expect(readdirSync(join(dataDir, 'usage'))).toEqual(['0.db.damaged']);
  await second.close();
});

test('close does not wait for a database that hangs', async () => {
  const database = await openTestDatabase();
  const insert = () => new Promise<never>(() => {});
  const stores = { ...database, usage: { ...database.usage, insert } };
  const { record, close, log } = createRecorder(stores, { closeWithinMs: 300 });
  await record();
  await close();
  expect(log.lines).toMatchObject([{ level: 'warn' }]);
});

test('a request is not made that cannot be recorded: the error says what is wrong with the disk', async () => {
  const dataDir = join(makeTestFolder(), 'file');
  writeFileSync(dataDir, '');
  const database = await openTestDatabase();
  const { open, reject, log, close } = createRecorder(database, { dataDir });
  const message = `DATA_DIR is ${JSON.stringify(dataDir)}, but part of that path is not a folder.`;
  for (let sent = 0; sent < 3; sent += 1) {
    await expect(open(() => makeUsageEntry())).rejects.toThrow(message);
    reject({ keyId: 'key_one', at: noon, status: 400, code: 'bad' });
  }
  expect(log.lines).toEqual([
    { level: 'error', message, fields: { reason: 'usage_not_stored', code: 'ENOTDIR' } },
  ]);
  await close();
});

describe('kill -9', () => {
  test('nothing is lost or counted twice, and requests under way are charged as they stood', async () => {
    const dataDir = makeTestFolder();
    const database = await openTestDatabase({ dataDir });
    const child = spawn(process.execPath, ['--input-type=module', '--eval', killedProcess], {
      cwd: `${import.meta.dirname}/../../..`,
      env: { NODE_ENV: 'test', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // It has written some of them to the database itself.
    const recorder = createRecorder(database, { dataDir });
    await recorder.start();
    await recorder.start();
    expect(await countRequests(database)).toBe(257 + 3);
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({
      tokens: 257 * 7 + 3 * 12,
    });
    expect(await database.balances.audit()).toEqual([]);
    await recorder.close();
  }, 30_000);
});

const killedProcess = `
  import { createDatabase } from '#lib/database.ts';
  import { createUsageRecorder } from '#lib/spend/records/usage-recorder.ts';
  const dataDir = process.env.DATA_DIR;
  const stores = createDatabase({ databaseUrl: null, dataDir });
  const log = { info() {}, warn() {}, error: console.error };
  const now = () => ${noon};
  const recorder = createUsageRecorder({ stores, dataDir, now, log });
  const entry = ${JSON.stringify(makeUsageEntry())};
  for (let sent = 0; sent < 3; sent += 1) await recorder.open(() => ({ ...entry, tokensOut: 9 }));
  for (let sent = 0; sent < 157; sent += 1) (await recorder.open(() => entry))(entry);
  await recorder.flush();
  for (let sent = 0; sent < 100; sent += 1) (await recorder.open(() => entry))(entry);
  console.log('recorded');
  setInterval(() => {}, 1_000);
`;

describe('leases', () => {
  beforeEach(() => {
    const toFake = ['setInterval', 'clearInterval', 'performance', 'Date'] as const;
    vi.useFakeTimers({ now: noon, toFake: [...toFake] });
  });
  afterEach(() => void vi.useRealTimers());

  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  async function passSeconds(count: number): Promise<void> {
    for (let second = 0; second < count; second += 1) {
      vi.advanceTimersByTime(1_000);
      await settle();
    }
  }

  test('another instance charges what an instance left behind within 60 s, and nothing that lives', async () => {
    const database = await openTestDatabase();
    const dead = createRecorder(database, { now: Date.now });
    const live = createRecorder(database, { now: Date.now });
    const other = createRecorder(database, { now: Date.now });
    await other.start();
    await dead.open(() => makeUsageEntry({ keyId: 'key_dead', tokensIn: 100, tokensOut: 1 }));
    const end = await live.open(() => makeUsageEntry({ keyId: 'key_live' }));
    await passSeconds(31);
    // It renews nothing any more, and its disk is its own.
    await dead.close();
    await passSeconds(60);
    expect(await findBalance(database, 'key:key_dead', day)).toMatchObject({ tokens: 101 });
    expect(await findBalance(database, 'key:key_live', day)).toMatchObject({ tokens: 0 });
    end(makeUsageEntry({ keyId: 'key_live', tokensIn: 5, tokensOut: 6 }));
    await live.flush();
    expect(await findBalance(database, 'key:key_live', day)).toMatchObject({ tokens: 11 });
    expect(await database.balances.audit()).toEqual([]);
    await Promise.all([live.close(), other.close()]);
  }, 30_000);

  test('while a disk is full, its instance renews its leases all the same', async (context) => {
    const disk = mountSmallDisk(context, 1);
    const database = await openTestDatabase();
    const full = createRecorder(database, { dataDir: disk.path, now: Date.now });
    const other = createRecorder(database, { now: Date.now });
    await other.start();
    let tokensOut = 0;
    const toEntry = () => makeUsageEntry({ tokensIn: 3, tokensOut: tokensOut++ });
    const end = await full.open(toEntry);
    await passSeconds(11);
    disk.fill();
    await passSeconds(60);
    end(makeUsageEntry({ tokensIn: 3, tokensOut: 50 }));
    await passSeconds(60);
    disk.free();
    await passSeconds(1);
    await full.flush();
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 53 });
    await Promise.all([full.close(), other.close()]);
  }, 30_000);

  test('what a stream has sent in its first two seconds is charged after a kill', async () => {
    const dataDir = makeTestFolder();
    const database = await openTestDatabase({ dataDir });
    let tokensOut = 1;
    const copy = makeTestFolder();
    const killed = createRecorder(database, { dataDir: copy });
    await killed.open(() => makeUsageEntry({ tokensIn: 3, tokensOut }));
    tokensOut = 50;
    await passSeconds(2);
    // As after `kill -9`: the files as they are, without their lock.
    cpSync(join(copy, 'usage'), join(dataDir, 'usage'), { recursive: true });
    const next = createRecorder(database, { dataDir });
    await next.start();
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 53 });
    await Promise.all([killed.close(), next.close()]);
  });

  test('what has been streamed while the database is away is charged after a kill', async () => {
    const dataDir = makeTestFolder();
    const database = await openTestDatabase({ dataDir });
    const stores = withOutage(database);
    const killed = createRecorder(stores, { dataDir, closeWithinMs: 0 });
    let tokensOut = 1;
    await killed.open(() => makeUsageEntry({ tokensIn: 3, tokensOut }));
    stores.isAway = true;
    tokensOut = 50;
    await passSeconds(11);
    await killed.close();
    const next = createRecorder(database, { dataDir });
    await next.start();
    await next.close();
    expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 53 });
  });
});

test('a file whose tables were made only in part, since the disk was full, is completed', () => {
  const path = join(makeTestFolder(), 'half.db');
  const half = new DatabaseSync(path);
  half.exec(
    'create table records (place integer primary key, is_open integer not null, record text not null)',
  );
  half.close();
  const queue = createUsageQueue(path);
  expect(queue.isEmpty()).toBe(true);
  queue.release();
});

test('a queue that another process has adopted meanwhile is not created again', () => {
  const folder = makeTestFolder();
  expect(adoptUsageQueue(join(folder, 'gone #1.db'))).toBe(null);
  expect(readdirSync(folder)).toEqual([]);
});

test('a request that ends after the recorder was closed is charged as it ended', async () => {
  const database = await openTestDatabase();
  const dataDir = makeTestFolder();
  const stopped = createRecorder(database, { dataDir });
  const end = await stopped.open(() => makeUsageEntry({ tokensIn: 1, tokensOut: 0 }));
  await stopped.close();
  end(makeUsageEntry({ tokensIn: 1, tokensOut: 50 }));
  await stopped.close();
  const next = createRecorder(database, { dataDir });
  await next.start();
  await next.close();
  expect(await findBalance(database, 'key:key_one', day)).toMatchObject({ tokens: 51 });
});

test('all that begins or ends in one turn of the event loop is one transaction', async () => {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  const { open, close } = createRecorder(database, { dataDir });
  await open(() => makeUsageEntry());
  const [file = ''] = readdirSync(join(dataDir, 'usage')).filter((name) => name.endsWith('-wal'));
  const sizeOfLog = () => statSync(join(dataDir, 'usage', file)).size;

  const before = sizeOfLog();
  const ends = await Promise.all(Array.from({ length: 20 }, () => open(() => makeUsageEntry())));
  const opened = sizeOfLog();
  for (const end of ends) end(makeUsageEntry());
  await new Promise(setImmediate);
  const ended = sizeOfLog();

  // A transaction writes at least one page of 4 kB, and the records are not many more.
  for (const written of [opened - before, ended - opened]) {
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(10 * 4096);
  }
  await close();
  expect(await countRequests(database)).toBe(20);
});

test('sums that reach their bound are logged, and the books go on', async () => {
  const database = await openTestDatabase();
  const { open, flush, close, log } = createRecorder(database);
  const record = async (entry: Partial<UsageEntry>) =>
    (await open(() => makeUsageEntry()))(makeUsageEntry(entry));
  for (let sent = 0; sent < 950; sent += 1) await record({ costUsd: 1e9 });
  await record({ keyId: 'key_other', costUsd: 0.5 });
  await flush();
  expect(await countRequests(database)).toBe(951);
  expect(await findBalance(database, 'all', day)).toMatchObject({ nanoUsd: 2 ** 53 - 1 });
  expect(await findBalance(database, 'key:key_other', day)).toMatchObject({ nanoUsd: 5e8 });
  expect(await database.balances.audit()).toEqual([]);
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject(
    [`all ${day}`, `key:key_one ${day}`].map((balance) => ({
      fields: { reason: 'balance_saturated', balance },
    })),
  );
  await close();
});
