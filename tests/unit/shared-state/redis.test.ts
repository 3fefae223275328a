import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedRedis, toRedisScript } from '#lib/shared-state/redis.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';

const count = toRedisScript("return redis.call('INCRBY', KEYS[1], ARGV[1])");
let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
}, 60_000);
afterAll(() => server.close());

function open(url: string) {
  const log = createTestLog();
  const redis = createSharedRedis({ url, log });
  return { redis, log, [Symbol.asyncDispose]: redis.close };
}

test('a script runs whether or not Redis has seen it before', async () => {
  await using one = open(server.url);
  await using two = open(server.url);
  const call = { script: count, keys: ['seen'], given: [5] };
  expect(await one.redis.run(call)).toBe(5);
  expect(await one.redis.run(call)).toBe(10);
  expect(await two.redis.run(call)).toBe(15);
});

test('a connection that the server ended while it was idle is made anew, without a failure', async () => {
  await using house = open(server.url);
  const call = { script: count, keys: ['idle'], given: [1] };
  await house.redis.run(call);
  await server.endConnections();
  // The end of a connection comes through the network: it takes a moment to be known.
  await delay(50);
  expect(await house.redis.run(call)).toBe(2);
  expect(house.log.lines).toEqual([]);
});

test('a failure is said once, and Redis is left alone for a second', async () => {
  const port = await findFreePort();
  await using house = open(`redis://canary:word@127.0.0.1:${port}`);
  const call = { script: count, keys: ['k'], given: [1] };
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(house.redis.run(call)).rejects.toMatchObject({ name: 'SharedStateError' });
  }
  expect(house.log.lines).toEqual([
    {
      level: 'warn',
      fields: { reason: 'redis_fails', code: 'ECONNREFUSED' },
      message: 'Redis fails',
    },
  ]);
});

test('an error of the script is a failure, and its text is not logged', async () => {
  await using house = open(server.url);
  const script = toRedisScript("return redis.error_reply('WRONGPASS canary')");
  await expect(house.redis.run({ script, keys: [], given: [] })).rejects.toThrow('Redis fails.');
  expect(house.log.lines[0]?.fields).toEqual({ reason: 'redis_fails', code: 'WRONGPASS' });
});

test('a server that takes connections and says nothing is given up on', async () => {
  const silent: Server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await using house = open(`redis://127.0.0.1:${port}`);
  await expect(house.redis.run({ script: count, keys: ['k'], given: [1] })).rejects.toThrow(
    'Redis fails.',
  );
  expect(house.log.lines).toHaveLength(1);
  silent.close();
});
