import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { type ModelServer, startModelServer } from '#lib/demo/models/model-server.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../support/servers/in-process-proxy.ts';
import { makeKeyIn } from '../../support/servers/make-key.ts';
import { startMarquee, startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { examineChatStream } from '../../support/upstreams/chat-stream.ts';

let table: AirtableServer;
let models: ModelServer;
beforeAll(async () => {
  [table, models] = await Promise.all([startTable(), startModelServer({ key: upstreamKey })]);
});
afterAll(() => Promise.all([table.close(), models.close()]));

async function sumRecords(dataDir: string, keyId: string) {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  const sums = await database.usage.sumByDayAndModel(keyId, '2000-01-01');
  await database.close();
  return Object.fromEntries(sums.map(({ model, requests }) => [model, requests]));
}

test('SIGTERM lets streams finish, ends hanging requests, and loses no usage record', async () => {
  using folder = makeTemporaryFolder();
  const { text: key, record } = await makeKeyIn({ databaseUrl: null, dataDir: folder.path });
  const server = await startMarquee({
    ...toTableSettings(table),
    DATA_DIR: folder.path,
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_MODELS: 'fault/*,lantern-demo/*',
    SHUTDOWN_SECONDS: '5',
  });
  const read = async (model: string, isStream: boolean) => {
    const response = await fetch(server.url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(toRequestJson(chatPath, model, isStream, 'count to 20')),
    });
    return response.text();
  };
  const repeat = <T>(send: () => Promise<T>) => Array.from({ length: 5 }, send);

  const done = await Promise.all(repeat(() => read('lantern-demo/wick-3', false)));
  const hanging = repeat(() => read('fault/hang-mid-stream', true));
  const silent = repeat(() => read('fault/hang', false));
  await expect.poll(() => models.stats().openRequests).toBe(10);
  const slow = repeat(() => read('fault/pace:40', true));
  await expect.poll(() => models.stats().openRequests).toBe(15);

  const exitCode = await server.terminate();

  expect(exitCode).toBe(0);
  expect(done.every((text) => JSON.parse(text).usage.total_tokens > 0)).toBe(true);
  for (const text of await Promise.all(slow)) {
    expect(examineChatStream(text)).toMatchObject({ problems: [], error: null });
  }
  for (const text of await Promise.all(hanging)) {
    expect(examineChatStream(text).error).toMatchObject({ type: 'server_error' });
  }
  for (const text of await Promise.all(silent)) {
    expect(JSON.parse(text).error.code).toBe('server_is_overloaded');
  }
  expect(await sumRecords(folder.path, record.id)).toEqual({
    'lantern-demo/wick-3': 5,
    'fault/pace:40': 5,
    'fault/hang-mid-stream': 5,
    'fault/hang': 5,
  });
  expect(server.logText()).toMatch(/took too long/);
  expect(server.logText()).not.toMatch(/usage_not_stored|internal_error|Warning/);
}, 40_000);

test('shutdown does not wait for idle keep-alive connections', async () => {
  using folder = makeTemporaryFolder();
  const { text: key, record } = await makeKeyIn({ databaseUrl: null, dataDir: folder.path });
  const server = await startMarquee({
    ...toTableSettings(table),
    DATA_DIR: folder.path,
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_MODELS: 'fault/*',
  });
  const response = await fetch(server.url + chatPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(toRequestJson(chatPath, 'fault/pace:50', true, 'count to 20')),
  });
  const text = response.text();

  expect(await server.terminate()).toBe(0);

  expect(server.logText()).not.toMatch(/took too long/);
  expect(examineChatStream(await text).error).toBe(null);
  expect(await sumRecords(folder.path, record.id)).toEqual({ 'fault/pace:50': 1 });
}, 40_000);
