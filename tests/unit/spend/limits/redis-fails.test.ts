import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLimits } from '#lib/spend/limits/create-limits.ts';
import type { Reservation } from '#lib/spend/limits/limits.ts';
import { makeDemand, makeLimitedKey, tokens } from '../../../support/factories/limits-factory.ts';
import { createLimitsSetup } from '../../../support/servers/each-limits-store.ts';
import { setUpRedis } from '../../../support/servers/redis-server.ts';
import { createTestLog } from '../../../support/test-log.ts';
import { rejectedWith } from '../../../support/upstreams/proxy-errors.ts';

const key = makeLimitedKey({ requestsPerMinute: 600 });

const server = setUpRedis();
beforeEach(() => server.empty());

test('while Redis is down, each instance applies the limits from recorded usage', async () => {
  await using setup = createLimitsSetup(server.url);
  (await setup.limits.reserve(key, makeDemand(100))).settle(tokens(100));
  await setup.settled();
  await server.kill();
  setup.storedTokens.set('key:key_one 2026-03-10', 100);
  const own = await setup.limits.reserve(key, makeDemand(600));
  expect(tokensLeft(own)).toBe(300);
  await rejectedWith(() => setup.limits.reserve(key, makeDemand(301)));
  // The other instance only knows the recorded usage.
  expect(tokensLeft(await setup.other.reserve(key, makeDemand(600)))).toBe(300);
  await server.start();
  setup.storedTokens.set('key:key_one 2026-03-10', 700);
  const isShared = async () => {
    (await setup.other.reserve(key, makeDemand())).release();
    return setup.log.lines.some(({ message }) => message === 'limits are shared again');
  };
  await expect.poll(isShared, { timeout: 10_000 }).toBe(true);
  // Redis came back empty, and was seeded from recorded usage.
  expect(tokensLeft(await setup.other.reserve(key, makeDemand()))).toBe(300);
}, 30_000);

test('what a killed instance had under way counts ten seconds after it was stored', async () => {
  await using setup = createLimitsSetup(server.url);
  (await setup.limits.reserve(key, makeDemand(100))).settle(tokens(100));
  await setup.settled();
  // Of the killed instance. The hundred of the other one are not stored yet.
  setup.storedTokens.set('key:key_one 2026-03-10', 80);
  expect(tokensLeft(await setup.other.reserve(key, makeDemand()))).toBe(900);
  setup.storedTokens.set('key:key_one 2026-03-10', 180);
  setup.clock.move(10_000);
  expect(tokensLeft(await setup.other.reserve(key, makeDemand()))).toBe(820);
});

test('an outage logs one line per affected component', async () => {
  await using setup = createLimitsSetup(server.url);
  await server.kill();
  await Promise.all(Array.from({ length: 100 }, () => setup.limits.reserve(key, makeDemand(1))));
  await server.start();
  expect(setup.log.lines.map(({ message }) => message)).toEqual([
    'Redis fails',
    'each instance counts limits for itself',
  ]);
  expect(setup.log.text()).not.toContain(server.url);
});

test('a Redis that hangs delays requests only briefly, and is used again later', async () => {
  await using setup = createLimitsSetup(server.url);
  await setup.limits.reserve(key, makeDemand(100));
  server.freeze();
  try {
    const began = performance.now();
    for (let tries = 0; tries < 20; tries += 1) await setup.limits.reserve(key, makeDemand(1));
    // One timeout of 500 ms, then a pause without calls to Redis.
    expect(performance.now() - began).toBeLessThan(2_000);
  } finally {
    server.thaw();
  }
  const left = async () => {
    const reservation = await setup.limits.reserve(key, makeDemand());
    reservation.release();
    return tokensLeft(reservation);
  };
  await expect.poll(left, { timeout: 5_000 }).toBeOneOf([899, 900]);
  // Redis may or may not have run the call that timed out; its reservation expires.
  for (let tries = 0; tries < 5; tries += 1) expect(await left()).toBeOneOf([899, 900]);
}, 30_000);

test('a reply in progress is not cut off because Redis fails', async () => {
  await using setup = createLimitsSetup(server.url);
  const reservation = await setup.limits.reserve(key, makeDemand(100));
  await server.kill();
  expect(await reservation.extend(256)).toBe(256);
  await server.start();
});

test('an emptied Redis is seeded from recorded usage', async () => {
  await using setup = createLimitsSetup(server.url);
  (await setup.limits.reserve(key, makeDemand(400))).settle(tokens(400));
  await setup.settled();
  setup.storedTokens.set('key:key_one 2026-03-10', 400);
  await server.empty();
  expect(tokensLeft(await setup.limits.reserve(key, makeDemand()))).toBe(600);
});

test('after Redis was emptied, a budget is passed by what was running at most', async () => {
  await using setup = createLimitsSetup(server.url);
  const running = await setup.limits.reserve(key, makeDemand(300));
  (await setup.other.reserve(key, makeDemand(200))).settle(tokens(200));
  await setup.settled();
  setup.storedTokens.set('key:key_one 2026-03-10', 200);
  await server.empty();
  // Known from storage at once, also by an instance that told Redis a moment ago.
  expect(await setup.other.reserve(key, makeDemand(5_000, { outputTokensMin: 1 }))).toMatchObject({
    outputTokens: 800,
  });
  running.settle(tokens(250));
  await setup.settled();
  expect(await setup.other.read(key)).toMatchObject([{ tokens: 450, reservedTokens: 800 }]);
});

test('a reply in progress is extended after Redis was emptied', async () => {
  await using setup = createLimitsSetup(server.url);
  const running = await setup.limits.reserve(key, makeDemand(300));
  await server.empty();
  expect(await running.extend(256)).toBe(256);
});

test('what is settled right after Redis was emptied counts as soon as storage has it', async () => {
  await using setup = createLimitsSetup(server.url);
  const running = await setup.limits.reserve(key, makeDemand(300));
  await server.empty();
  running.settle(tokens(250));
  await setup.settled();
  setup.storedTokens.set('key:key_one 2026-03-10', 250);
  const next = await setup.other.reserve(key, makeDemand(1_000, { outputTokensMin: 1 }));
  expect(next.outputTokens).toBe(750);
});

test.each([
  ['within a minute', 60_000],
  ['after the clock was set back', -3_600_000],
])('usage that Redis missed counts %s', async (_, ms) => {
  await using setup = createLimitsSetup(server.url);
  await setup.limits.reserve(key, makeDemand());
  setup.storedTokens.set('key:key_one 2026-03-10', 400);
  setup.clock.move(ms);
  expect(tokensLeft(await setup.limits.reserve(key, makeDemand()))).toBe(600);
});

test('tokens reserved by a crashed instance are released within a minute', async () => {
  await using setup = createLimitsSetup(server.url);
  await setup.limits.reserve(key, makeDemand(900));
  await setup.limits.close();
  setup.clock.move(45_000 - 1);
  await rejectedWith(() => setup.other.reserve(key, makeDemand(500)));
  setup.clock.move(1);
  expect(tokensLeft(await setup.other.reserve(key, makeDemand(500)))).toBe(500);
});

test('an instance that lives renews what its requests under way have reserved', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using setup = createLimitsSetup(server.url);
  const long = await setup.limits.reserve(key, makeDemand(900));
  for (let passed = 0; passed < 120; passed += 15) {
    setup.clock.move(15_000);
    vi.advanceTimersByTime(15_000);
    // After the renewal, since calls are sent in order.
    expect(await long.extend(0)).toBe(0);
  }
  await rejectedWith(() => setup.other.reserve(key, makeDemand(500)));
  long.settle(tokens(100));
  await setup.settled();
  expect(tokensLeft(await setup.other.reserve(key, makeDemand()))).toBe(900);
});

test('an instance whose clock is ahead frees nothing that others have reserved', async () => {
  await using setup = createLimitsSetup(server.url, { otherAheadMs: 60_000 });
  await setup.limits.reserve(key, makeDemand(900));
  await rejectedWith(() => setup.other.reserve(key, makeDemand(101)));
  expect(await setup.other.reserve(key, makeDemand(100))).toMatchObject({
    outputTokens: 100,
  });
});

test('instances whose clocks differ count the requests of a minute together', async () => {
  await using setup = createLimitsSetup(server.url, { otherAheadMs: 60_000 });
  const key = makeLimitedKey({ requestsPerMinute: 4 });
  for (const limits of [setup.limits, setup.other, setup.limits, setup.other]) {
    await limits.countRequest(key);
  }
  await rejectedWith(() => setup.other.countRequest(key));
  setup.clock.move(60_000);
  await setup.other.countRequest(key);
});

test('while the database is away Redis still knows what a key has used', async () => {
  await using setup = createLimitsSetup(server.url);
  (await setup.limits.reserve(key, makeDemand(400))).settle(tokens(400));
  await setup.settled();
  setup.clock.move(61_000);
  setup.fail('The database is away.');
  expect(tokensLeft(await setup.limits.reserve(key, makeDemand()))).toBe(600);
  await server.empty();
  await rejectedWith(() => setup.limits.reserve(makeLimitedKey({ id: 'key_two' }), makeDemand(1)));
});

test('usage settled after its reservation expired is charged, and releases nothing twice', async () => {
  await using setup = createLimitsSetup(server.url);
  const long = await setup.limits.reserve(key, makeDemand(300));
  setup.clock.move(31 * 60_000);
  await setup.other.reserve(key, makeDemand(200));
  long.settle(tokens(300));
  await setup.settled();
  expect(tokensLeft(await setup.other.reserve(key, makeDemand()))).toBe(500);
});

test('a budget that cannot be read is not spent, and the next request reads it again', async () => {
  let isDown = true;
  const limits = createLimits({
    redis: null,
    loadUsed: async () => {
      if (isDown) throw new Error('canary of the database');
      return [tokens(250)];
    },
    now: () => Date.parse('2026-03-10T12:00:00Z'),
    log: createTestLog(),
  });
  const errors = await Promise.all(
    Array.from({ length: 3 }, () => rejectedWith(() => limits.reserve(key, makeDemand(1)))),
  );
  for (const error of errors) {
    expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    expect(error.message).not.toContain('canary');
  }
  isDown = false;
  expect(tokensLeft(await limits.reserve(key, makeDemand()))).toBe(750);
});

function tokensLeft({ headers }: Reservation): number {
  return Number(new Map(headers).get('x-ratelimit-remaining-tokens'));
}
