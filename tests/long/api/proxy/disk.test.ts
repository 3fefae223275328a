import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { makeKeyText } from '#lib/keys/key-text.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { makeKeyIn } from '../../../support/servers/make-key.ts';
import { startMarquee } from '../../../support/servers/marquee-server.ts';
import { mountSmallDisk } from '../../../support/servers/small-disk.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

const models = forTests(() => startTestModels({ key: upstreamKey }));

async function startProxy(dataDir: string, key: string) {
  const server = await startMarquee({
    DATA_DIR: dataDir,
    KEY_PEPPER: 'p'.repeat(32),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_MODELS: 'lantern-demo/*',
  });
  const body = toRequestJson(chatPath, 'lantern-demo/wick-3-mini');
  const send = () => postJson(server.url + chatPath, key, body);
  const countOf = (text: string) => server.logText().split(text).length - 1;
  const readPage = async () => (await fetch(`${server.url}/docs`)).status;
  return { ...server, send, countOf, readPage };
}

test('a full disk is one line; pages go on, and the proxy does once there is room', async (context) => {
  const disk = mountSmallDisk(context, 8);
  const place = { databaseUrl: null, dataDir: disk.path };
  const { text: key, record } = await makeKeyIn(place, 'p'.repeat(32));
  const server = await startProxy(disk.path, key);
  expect((await server.send()).status).toBe(200);
  disk.fill();

  for (let sent = 0; sent < 10; sent += 1) {
    const response = await server.send();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await response.json()).error.code).toBe('server_is_overloaded');
  }
  expect(await server.readPage()).toBe(200);
  const readReadiness = async () => {
    const ready = await fetch(`${server.url}/health/ready`);
    return { status: ready.status, reasons: (await ready.json()).reasons };
  };
  const reason = `DATA_DIR is ${JSON.stringify(disk.path)}, but its disk is full.`;
  await expect
    .poll(readReadiness)
    .toEqual({ status: 503, reasons: expect.arrayContaining([{ check: 'disk', reason }]) });
  expect(server.countOf('but its disk is full.","msg":"usage cannot be stored')).toBe(1);
  expect(server.logText()).not.toContain('SQLITE_1"');

  disk.free();
  await expect.poll(async () => (await server.send()).status).toBe(200);
  const readWarnings = async () =>
    (await (await fetch(`${server.url}/health/ready`)).json()).warnings;
  await expect
    .poll(readWarnings)
    .toEqual([
      { check: 'disk', reason: expect.stringMatching(/^DATA_DIR has only [1-7] MB free\.$/) },
    ]);
  expect(await server.terminate()).toBe(0);
  const database = await openDatabase(place);
  expect(await database.usage.sumByDayAndModel(record.id, '')).toMatchObject([{ requests: 2 }]);
  await database.close();
});

test('a server that starts on a full disk asks clients to come back, and works once there is room', async (context) => {
  const disk = mountSmallDisk(context, 8);
  disk.fill();
  await using server = await startMarquee({
    DATA_DIR: join(disk.path, 'data'),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_MODELS: 'lantern-demo/*',
  });
  const send = () =>
    postJson(
      server.url + chatPath,
      makeKeyText(),
      toRequestJson(chatPath, 'lantern-demo/wick-3-mini'),
    );
  const response = await send();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect((await response.json()).error.code).toBe('server_is_overloaded');
  expect(server.logText()).toContain(
    'but its disk is full.","msg":"the AI proxy cannot start yet"',
  );
  disk.free();
  await expect.poll(async () => (await send()).status).toBe(401);
});

test('a transaction on a full disk fails with what is wrong', async (context) => {
  const disk = mountSmallDisk(context, 1);
  const database = await openDatabase({ databaseUrl: null, dataDir: disk.path });
  disk.fill();
  const log = createTestLog();
  const ledger = createLedger({ transactions: database.ledger, log });
  const records = Array.from({ length: 200 }, () => makeUsageRecord());
  for (const record of records) ledger.end(record);
  await ledger.flush();
  const problem = `DATA_DIR is ${JSON.stringify(disk.path)}, but its disk is full.`;
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { problem } }]);
  disk.free();
  await ledger.close();
  expect(await database.usage.sumOfSite('2026-03-10', '2026-03-10')).toMatchObject([
    { requests: 200 },
  ]);
  await database.close();
});

test.for([
  ['damaged', 'but marquee.db in it is not a database: move that file away.'],
  ['read-only', 'but it is read-only.'],
] as const)(
  'a %s database is one line at the start; pages go on, and keys get a 503',
  async ([state, line], context) => {
    const disk = state === 'damaged' ? null : mountSmallDisk(context, 8);
    const dataDir = disk?.path ?? makeTestFolder();
    const { text: key } = await makeKeyIn({ databaseUrl: null, dataDir }, 'p'.repeat(32));
    if (disk === null) writeFileSync(join(dataDir, 'marquee.db'), 'no database'.repeat(1000));
    else disk.makeReadOnly();
    const server = await startProxy(dataDir, key);
    expect(server.countOf(line)).toBeGreaterThan(0);
    expect(await server.readPage()).toBe(200);
    const response = await server.send();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    const ready = await fetch(`${server.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain(line);
    // `stop` would check its books, which nobody can read.
    await server.kill();
  },
);
