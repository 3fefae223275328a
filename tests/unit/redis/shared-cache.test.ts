import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import {
  createSharedRedis,
  type RedisCall,
  type SharedRedis,
  toRedisScript,
} from '#lib/redis/redis.ts';
import { createSharedCache } from '#lib/redis/shared-cache.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';

const server = setUpRedis();
beforeEach(() => server.empty());

/** Two instances that share a Redis, and a source that counts its loads. */
function openTwo(settings: Readonly<{ leaseMs?: number; signal?: AbortSignal }> = {}) {
  const clock = createFakeClock();
  const source = { loads: 0, fails: false, delayMs: 20 };
  const load = async () => {
    source.loads += 1;
    const number = source.loads;
    await delay(source.delayMs);
    if (source.fails) throw new Error('the source fails');
    return `value ${number}: 🎪 “quoted”`;
  };
  const connections = [1, 2].map(() =>
    toFreezable(createSharedRedis({ url: server.url, log: createTestLog() })),
  );
  const [one, two] = connections.map((redis) =>
    createSharedCache({ redis, now: clock.now, ...settings }),
  );
  if (one === undefined || two === undefined) throw new Error('expected two caches');
  return {
    clock,
    source,
    one,
    two,
    connections,
    options: { ttlMs: 10_000, load },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(({ close }) => close()));
    },
  };
}

/** While it is frozen, nothing reaches Redis. */
function toFreezable(redis: SharedRedis) {
  let isFrozen = false;
  return {
    ...redis,
    run: async (call: RedisCall) => (isFrozen ? null : redis.run(call)),
    setFrozen(frozen: boolean) {
      isFrozen = frozen;
    },
  };
}

const countLocks: RedisCall = {
  script: toRedisScript("return #redis.call('KEYS', 'marquee:lock:*')"),
  keys: [],
  args: [],
};

test('concurrent calls on two instances load once', async () => {
  await using caches = openTwo();
  const { one, two, options, source, clock } = caches;
  const values = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : two).getOrLoad('a', options)),
  );
  expect(source.loads).toBe(1);
  const expected = { text: 'value 1: 🎪 “quoted”', loadedAt: clock.now() };
  for (const value of values) expect(value).toEqual(expected);
});

test('a value is loaded again once it is past its TTL by the clock of Redis, and names are separate', async () => {
  await using caches = openTwo();
  const { one, two, options, source } = caches;
  await one.getOrLoad('a', options);
  await one.getOrLoad('b', options);
  expect(source.loads).toBe(2);
  await two.getOrLoad('a', options);
  expect(source.loads).toBe(2);
  await delay(30);
  expect((await two.getOrLoad('a', { ...options, ttlMs: 20 })).text).toContain('value 3');
});

test('an instance with a wrong clock still computes the right age', async () => {
  await using caches = openTwo();
  const { one, two, options, clock } = caches;
  const { loadedAt } = await one.getOrLoad('a', options);
  for (const wrongMs of [-3_600_000, 3_600_000]) {
    clock.move(wrongMs);
    const seen = (await two.getOrLoad('a', options)).loadedAt;
    expect(seen).toBeLessThanOrEqual(clock.now());
    expect(seen).toBeGreaterThan(clock.now() - 5_000);
    clock.move(-wrongMs);
  }
  clock.move(1_000);
  expect((await two.getOrLoad('a', options)).loadedAt).toBe(loadedAt);
});

test('an error of load is thrown and not cached', async () => {
  await using caches = openTwo();
  const { one, two, options, source } = caches;
  source.fails = true;
  await expect(one.getOrLoad('a', options)).rejects.toThrow('the source fails');
  source.fails = false;
  expect((await two.getOrLoad('a', options)).text).toContain('value 2');
});

test('a lock is renewed while its instance loads', async () => {
  await using caches = openTwo({ leaseMs: 600 });
  const { one, two, options, source } = caches;
  source.delayMs = 1500;
  const values = await Promise.all([one.getOrLoad('a', options), two.getOrLoad('a', options)]);
  expect(source.loads).toBe(1);
  expect(values[1]).toEqual(values[0]);
});

test('a value that was loaded past its lease does not replace a newer one', async () => {
  await using caches = openTwo({ leaseMs: 150 });
  const { one, two, connections, options } = caches;
  const frozen = Promise.withResolvers<string>();
  const late = one.getOrLoad('a', { ...options, load: () => frozen.promise });
  // A frozen process renews nothing.
  await expect.poll(() => connections[0]?.run(countLocks)).toBe(1);
  connections[0]?.setFrozen(true);
  expect((await two.getOrLoad('a', options)).text).toContain('value 1');
  connections[0]?.setFrozen(false);
  frozen.resolve('an older value');
  expect((await late).text).toBe('an older value');
  expect((await two.getOrLoad('a', options)).text).toContain('value 1');
});

test('a process that stops releases its lock at once', async () => {
  const stop = new AbortController();
  await using caches = openTwo({ leaseMs: 60_000, signal: stop.signal });
  const { one, two, connections, options } = caches;
  void one.getOrLoad('a', { ...options, load: () => new Promise<string>(() => {}) });
  await expect.poll(() => connections[0]?.run(countLocks)).toBe(1);
  stop.abort();
  await expect.poll(() => connections[1]?.run(countLocks)).toBe(0);
  // One that is stopping takes none.
  expect((await two.getOrLoad('a', options)).text).toContain('value 1');
});

test('without Redis each instance loads for itself', async () => {
  await using caches = openTwo();
  const { one, two, options, source } = caches;
  await server.kill();
  await Promise.all([one.getOrLoad('a', options), two.getOrLoad('a', options)]);
  expect(source.loads).toBe(2);
  await server.start();
});
