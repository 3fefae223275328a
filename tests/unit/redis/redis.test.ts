import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedRedis, toRedisScript } from '#lib/redis/redis.ts';
import { findFreePort } from '../../support/servers/free-port.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';

const count = toRedisScript("return redis.call('INCRBY', KEYS[1], ARGV[1])");

const server = setUpRedis();

function open(url: string) {
  const log = createTestLog();
  const redis = createSharedRedis({ url, log });
  return { redis, log, [Symbol.asyncDispose]: redis.close };
}

test('a script runs whether or not Redis has seen it before', async () => {
  await using one = open(server.url);
  await using two = open(server.url);
  const call = { script: count, keys: ['seen'], args: [5] };
  expect(await one.redis.run(call)).toBe(5);
  expect(await one.redis.run(call)).toBe(10);
  expect(await two.redis.run(call)).toBe(15);
});

test('a call under way when the connection is closed still reaches Redis', async () => {
  await using one = open(server.url);
  await using two = open(server.url);
  const other = { script: count, keys: ['closing'], args: [1] };
  expect(await one.redis.run(other)).toBe(1);
  // Redis has not seen this script, so it takes two messages.
  const unseen = toRedisScript("return redis.call('DECRBY', KEYS[1], ARGV[1])");
  const call = one.redis.run({ script: unseen, keys: ['closing'], args: [5] });
  await one.redis.close();
  expect(await call).toBe(-4);
  expect(await two.redis.run(other)).toBe(-3);
});

test('an idle connection that the server closed is reopened without an error', async () => {
  await using client = open(server.url);
  const call = { script: count, keys: ['idle'], args: [1] };
  await client.redis.run(call);
  await server.endConnections();
  await delay(50);
  expect(await client.redis.run(call)).toBe(2);
  expect(client.log.lines).toEqual([]);
});

test('a failure is logged once, and Redis is not tried for a second', async () => {
  const port = await findFreePort();
  await using client = open(`redis://canary:word@127.0.0.1:${port}`);
  const call = { script: count, keys: ['k'], args: [1] };
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(client.redis.run(call)).rejects.toMatchObject({ name: 'SharedStateError' });
  }
  expect(client.log.lines).toEqual([
    {
      level: 'warn',
      fields: { reason: 'redis_fails', code: 'ECONNREFUSED' },
      message: 'Redis fails',
    },
  ]);
});

test('an error of a script is a failure, and its message is not logged', async () => {
  await using client = open(server.url);
  const script = toRedisScript("return redis.error_reply('WRONGPASS canary')");
  await expect(client.redis.run({ script, keys: [], args: [] })).rejects.toThrow('Redis fails.');
  expect(client.log.lines[0]?.fields).toEqual({ reason: 'redis_fails', code: 'WRONGPASS' });
});

test('a server that accepts connections and never responds times out', async () => {
  await using silent = await listenOnLoopback(createServer(() => {}));
  await using client = open(`redis://127.0.0.1:${silent.port}`);
  await expect(client.redis.run({ script: count, keys: ['k'], args: [1] })).rejects.toThrow(
    'Redis fails.',
  );
  expect(client.log.lines).toHaveLength(1);
});
