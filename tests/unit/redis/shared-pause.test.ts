import { beforeEach, expect, test } from 'vitest';
import { createAirtableClient } from '#lib/events/source/airtable/client.ts';
import { createSharedPause, createSharedRedis } from '#lib/redis/redis.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';
import { startUpstream } from '../../support/upstreams/upstream.ts';

const server = setUpRedis();
beforeEach(() => server.empty());

function openPause(name: string) {
  const redis = createSharedRedis({ url: server.url, log: createTestLog() });
  return { ...createSharedPause(redis, name), [Symbol.asyncDispose]: redis.close };
}

test('a pause counts for all instances, and only under its name', async () => {
  await using one = openPause('a');
  await using two = openPause('a');
  await using other = openPause('b');
  expect(await two.leftMs()).toBe(0);
  await one.start(60_000);
  expect(await two.leftMs()).toBeGreaterThan(50_000);
  expect(await two.leftMs()).toBeLessThanOrEqual(60_000);
  expect(await other.leftMs()).toBe(0);
});

test('a shorter pause does not end a longer one', async () => {
  await using pause = openPause('a');
  await pause.start(60_000);
  await pause.start(1_000);
  expect(await pause.leftMs()).toBeGreaterThan(50_000);
});

test('without Redis there is no shared pause', async () => {
  const redis = createSharedRedis({ url: 'redis://127.0.0.1:1', log: createTestLog() });
  const pause = createSharedPause(redis, 'a');
  await pause.start(60_000);
  expect(await pause.leftMs()).toBe(0);
  await redis.close();
});

test('after a 429 to one instance, another sends no request to Airtable', async () => {
  await using pauseOfOne = openPause('airtable');
  await using pauseOfTwo = openPause('airtable');
  await using one = await startUpstream({}, { pause: pauseOfOne });
  one.upstream.setFault({ kind: '429' });
  await expect(one.client.readRecords()).rejects.toThrow();
  const { url: apiUrl, token, baseId, table } = one.upstream;
  const two = createAirtableClient({ apiUrl, token, baseId, table }, { pause: pauseOfTwo });
  one.upstream.resetStats();
  await expect(two.readRecords()).rejects.toMatchObject({ failure: { reason: 'rate_limited' } });
  expect(one.upstream.stats().listRequests).toBe(0);
  await two.close();
});
