import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUsageMeter } from '#lib/ai-proxy/metering/usage-meter.ts';
import type { UsageEntry } from '#lib/ai-proxy/metering/usage-record.ts';
import { openDatabase } from '#lib/storage/database.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import type { UsageRecord } from '#lib/storage/usage-store.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { describeEachDatabase } from '../../../support/servers/each-database.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

const now = () => Date.parse('2026-03-10T12:00:00Z');

function makeEntry(overrides: Partial<UsageEntry> = {}): UsageEntry {
  return {
    keyId: 'key_one',
    at: now(),
    model: 'demo/small',
    endpoint: 'chat.completions',
    upstream: 'north',
    isStreamed: false,
    status: 200,
    tokensIn: 3,
    tokensOut: 4,
    isEstimated: false,
    costUsd: 0.5,
    firstByteMs: 12.4,
    durationMs: 80.6,
    ...overrides,
  };
}

/** A meter whose database accepts or rejects batches as the test decides. */
function openMeter(options: Readonly<{ waitingMax?: number; closeWithinMs?: number }> = {}) {
  const log = createTestLog();
  const batches: (readonly UsageRecord[])[] = [];
  const database = { fails: false };
  const insert = async (records: readonly UsageRecord[]) => {
    if (database.fails) throw new StorageError('canary of the database', { code: '53100' });
    batches.push(records);
  };
  return {
    log,
    batches,
    database,
    meter: createUsageMeter({ usage: { insert }, now, log, ...options }),
  };
}

describeEachDatabase((createTestDatabase) => {
  test('every request is recorded once, in batches', async () => {
    using place = await createTestDatabase();
    const database = await openDatabase(place);
    const meter = createUsageMeter({ usage: database.usage, now, log: createTestLog() });
    for (let sent = 0; sent < 1_234; sent += 1) meter.record(makeEntry());
    await meter.close();
    expect(await database.usage.sumByDayAndModel('key_one', '2026-03-10')).toEqual([
      {
        day: '2026-03-10',
        model: 'demo/small',
        requests: 1_234,
        tokensIn: 3_702,
        tokensOut: 4_936,
        costUsd: 617,
      },
    ]);
    await database.close();
  });

  test('no input of a client or an upstream gives a record that the database rejects', async () => {
    using place = await createTestDatabase();
    const database = await openDatabase(place);
    const log = createTestLog();
    const meter = createUsageMeter({ usage: database.usage, now, log, closeWithinMs: 0 });
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(2 ** 53, -1, 2 ** 31));
    const entry = fc.record({
      model: anyText(300),
      at: number,
      status: number,
      tokensIn: number,
      tokensOut: number,
      costUsd: fc.option(number),
      firstByteMs: fc.option(number),
      durationMs: number,
    });
    const entries = fc.sample(entry, 300);
    for (const entry of [...entries, makeEntry({ model: 'nul\0 \ud800 lone' })]) {
      meter.record(makeEntry(entry));
    }
    await meter.close();
    expect(log.lines).toEqual([]);
    const sums = await database.usage.sumByDayAndModel('key_one', '');
    expect(sums.reduce((count, { requests }) => count + requests, 0)).toBe(301);
    await database.close();
  });
});

test('a hundred records are written at once, fewer within a second', async () => {
  const { meter, batches } = openMeter();
  for (let sent = 0; sent < 100; sent += 1) meter.record(makeEntry());
  expect(batches).toEqual([]);
  await expect.poll(() => batches.length, { timeout: 500 }).toBe(1);
  meter.record(makeEntry());
  await expect.poll(() => batches.length, { timeout: 2_000 }).toBe(2);
  expect(batches.map(({ length }) => length)).toEqual([100, 1]);
});

test('times are whole ms, and records have unique ascending ids', async () => {
  const { meter, batches } = openMeter();
  for (let sent = 0; sent < 50; sent += 1) meter.record(makeEntry());
  await meter.close();
  const records = batches.flat();
  expect(records[0]).toMatchObject({ firstByteMs: 12, durationMs: 81, keyId: 'key_one' });
  const ids = records.map(({ id }) => id);
  expect(new Set(ids).size).toBe(50);
  expect(ids.toSorted()).toEqual(ids);
});

test('while the database is down, nothing is lost, doubled or reordered', async () => {
  const { meter, batches, database, log } = openMeter();
  database.fails = true;
  for (let sent = 0; sent < 250; sent += 1) meter.record(makeEntry({ tokensIn: sent }));
  await meter.flush();
  await meter.flush();
  meter.record(makeEntry({ tokensIn: 250 }));
  expect(batches).toEqual([]);
  database.fails = false;
  await meter.flush();
  expect(batches.flat().map(({ tokensIn }) => tokensIn)).toEqual(
    Array.from({ length: 251 }, (_, n) => n),
  );
  expect(log.lines.map(({ message }) => message)).toEqual([
    'usage cannot be written yet',
    'usage is written again',
  ]);
  expect(log.text()).not.toContain('canary');
});

test('the queue is bounded: the oldest records are dropped, and their number is logged', async () => {
  const { meter, batches, database, log } = openMeter({ waitingMax: 1_000 });
  database.fails = true;
  for (let sent = 0; sent < 5_000; sent += 1) meter.record(makeEntry({ tokensIn: sent }));
  await meter.flush();
  database.fails = false;
  await meter.flush();
  const written = batches.flat().map(({ tokensIn }) => tokensIn);
  expect(written.length).toBeGreaterThan(900);
  expect(written.length).toBeLessThanOrEqual(1_000);
  expect(written.at(-1)).toBe(4_999);
  expect(log.lines.filter(({ message }) => message === 'usage records are lost')).toHaveLength(1);
  expect(log.lines.at(-1)?.fields).toEqual({ lost: 5_000 - written.length });
});

test('close waits for a database that recovers in time', async () => {
  const { meter, batches, database } = openMeter();
  database.fails = true;
  meter.record(makeEntry());
  setTimeout(() => {
    database.fails = false;
  }, 300);
  await meter.close();
  expect(batches.flat()).toHaveLength(1);
});

test('close gives up on a database that does not recover, and logs how much is lost', async () => {
  const { meter, database, log } = openMeter({ closeWithinMs: 100 });
  database.fails = true;
  for (let sent = 0; sent < 7; sent += 1) meter.record(makeEntry());
  await meter.close();
  expect(log.lines.at(-1)).toMatchObject({ level: 'error', fields: { lost: 7 } });
});

test('close does not wait for a database that hangs', async () => {
  const log = createTestLog();
  const insert = () => new Promise<void>(() => {});
  const meter = createUsageMeter({ usage: { insert }, now, log, closeWithinMs: 300 });
  for (let sent = 0; sent < 120; sent += 1) meter.record(makeEntry());
  await meter.close();
  expect(log.lines).toMatchObject([{ level: 'error', fields: { lost: 120 } }]);
});

test('a process stopped by SIGTERM writes everything before it exits', async () => {
  using folder = makeTemporaryFolder();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', meteringProcess], {
    cwd: `${import.meta.dirname}/../../../..`,
    env: { NODE_ENV: 'test', DATA_DIR: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'exit');
  const database = await openDatabase({ databaseUrl: null, dataDir: folder.path });
  expect(await database.usage.tokensOn('key_one', '2026-03-10')).toBe(257 * 7);
  await database.close();
}, 30_000);

const meteringProcess = `
  import { createUsageMeter } from '#lib/ai-proxy/metering/usage-meter.ts';
  import { createDatabase } from '#lib/storage/database.ts';
  const database = createDatabase({ databaseUrl: null, dataDir: process.env.DATA_DIR });
  const log = { info() {}, warn() {}, error: console.error };
  const meter = createUsageMeter({ usage: database.usage, now: Date.now, log });
  process.on('SIGTERM', async () => {
    await meter.close();
    await database.close();
    process.exit(0);
  });
  for (let sent = 0; sent < 257; sent += 1) meter.record(${JSON.stringify(makeEntry())});
  console.log('recorded');
  setInterval(() => {}, 1_000);
`;

test('records added while a batch is written are written before close resolves', async () => {
  const { meter, batches } = openMeter();
  for (let sent = 0; sent < 150; sent += 1) meter.record(makeEntry());
  const closed = meter.close();
  setImmediate(() => meter.record(makeEntry()));
  await closed;
  expect(batches.flat()).toHaveLength(151);
});
