import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSharedRedis } from '#lib/shared-state/redis.ts';
import { createSharedValues } from '#lib/shared-state/shared-cache.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { createTestLog } from '../../support/test-log.ts';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
}, 60_000);
beforeEach(() => server.empty());
afterAll(() => server.close());

/** Two instances that share a Redis, and a source that counts how often it is asked. */
function openTwo(options: Readonly<{ lockMs?: number }> = {}) {
  const clock = createFakeClock();
  const source = { asked: 0, fails: false, takesMs: 20 };
  const load = async () => {
    source.asked += 1;
    const number = source.asked;
    await delay(source.takesMs);
    if (source.fails) throw new Error('the source fails');
    return `value ${number}: 🎪 “quoted”`;
  };
  const connections = [1, 2].map(() =>
    createSharedRedis({ url: server.url, log: createTestLog() }),
  );
  const [one, two] = connections.map((redis) =>
    createSharedValues({ redis, now: clock.now, ...options }),
  );
  if (one === undefined || two === undefined) throw new Error('there are two');
  return {
    clock,
    source,
    one,
    two,
    wish: { ttlMs: 10_000, load },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(({ close }) => close()));
    },
  };
}

test('all callers of two instances together load once', async () => {
  await using house = openTwo();
  const { one, two, wish, source, clock } = house;
  const values = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : two).remember('a', wish)),
  );
  expect(source.asked).toBe(1);
  const expected = { text: 'value 1: 🎪 “quoted”', loadedAt: clock.now() };
  for (const value of values) expect(value).toEqual(expected);
});

test('a value is loaded anew when it is too old by the clock of Redis, and names do not share', async () => {
  await using house = openTwo();
  const { one, two, wish, source } = house;
  await one.remember('a', wish);
  await one.remember('b', wish);
  expect(source.asked).toBe(2);
  await two.remember('a', wish);
  expect(source.asked).toBe(2);
  await delay(30);
  expect((await two.remember('a', { ...wish, ttlMs: 20 })).text).toContain('value 3');
});

test('an instance whose clock is wrong takes a value for as old as it is', async () => {
  await using house = openTwo();
  const { one, two, wish, clock } = house;
  const { loadedAt } = await one.remember('a', wish);
  for (const wrongMs of [-3_600_000, 3_600_000]) {
    clock.move(wrongMs);
    const seen = (await two.remember('a', wish)).loadedAt;
    expect(seen).toBeLessThanOrEqual(clock.now());
    expect(seen).toBeGreaterThan(clock.now() - 5_000);
    clock.move(-wrongMs);
  }
  clock.move(1_000);
  expect((await two.remember('a', wish)).loadedAt).toBe(loadedAt);
});

test('a failure is thrown to who asked, and the next one tries again', async () => {
  await using house = openTwo();
  const { one, two, wish, source } = house;
  source.fails = true;
  await expect(one.remember('a', wish)).rejects.toThrow('the source fails');
  source.fails = false;
  expect((await two.remember('a', wish)).text).toContain('value 2');
});

test('an instance that dies while it loads is waited for no longer than its lock', async () => {
  await using house = openTwo({ lockMs: 300 });
  const { one, two, wish, source } = house;
  const never = one.remember('a', { ...wish, load: () => new Promise<string>(() => {}) });
  never.catch(() => {});
  await delay(50);
  expect((await two.remember('a', wish)).text).toContain('value 1');
  expect(source.asked).toBe(1);
});

test('while Redis is gone, each loads for itself', async () => {
  await using house = openTwo();
  const { one, two, wish, source } = house;
  await server.kill();
  await Promise.all([one.remember('a', wish), two.remember('a', wish)]);
  expect(source.asked).toBe(2);
  await server.start();
});
