import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createSharedRedis } from '#lib/shared-state/redis.ts';
import { createSharedCache } from '#lib/shared-state/shared-cache.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';

const server = setUpRedis();
beforeEach(() => server.empty());

/** Two instances that share a Redis, and a source that counts its loads. */
function openTwo(settings: Readonly<{ lockMs?: number }> = {}) {
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
    createSharedRedis({ url: server.url, log: createTestLog() }),
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
    options: { ttlMs: 10_000, load },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(({ close }) => close()));
    },
  };
}

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

test('the lock of an instance that crashes while loading expires', async () => {
  await using caches = openTwo({ lockMs: 300 });
  const { one, two, options, source } = caches;
  const never = one.getOrLoad('a', { ...options, load: () => new Promise<string>(() => {}) });
  never.catch(() => {});
  await delay(50);
  expect((await two.getOrLoad('a', options)).text).toContain('value 1');
  expect(source.loads).toBe(1);
});

test('without Redis each instance loads for itself', async () => {
  await using caches = openTwo();
  const { one, two, options, source } = caches;
  await server.kill();
  await Promise.all([one.getOrLoad('a', options), two.getOrLoad('a', options)]);
  expect(source.loads).toBe(2);
  await server.start();
});
