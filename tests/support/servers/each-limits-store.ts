import { beforeEach, describe, vi } from 'vitest';
import { createSharedRedis, redisNow, type SharedRedis, toRedisScript } from '#lib/redis/redis.ts';
import { createLimits } from '#lib/spend/limits/create-limits.ts';
import type { Limits } from '#lib/spend/limits/limits.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createTestLog } from '../test-log.ts';
import { setUpRedis } from './redis-server.ts';

/** Limits under a fake clock, with stored usage and a second instance. */
export type LimitsSetup = AsyncDisposable &
  Readonly<{
    clock: ReturnType<typeof createFakeClock>;
    log: ReturnType<typeof createTestLog>;
    /** By account and first day of the period, as stored. */
    storedTokens: Map<string, number>;
    storedNanoUsd: Map<string, number>;
    /** From now on stored usage cannot be read. */
    fail: (message: string) => void;
    limits: Limits;
    /** A second instance with the same Redis; in memory it is the first one. */
    other: Limits;
    settled: () => Promise<void>;
  }>;

/** Runs the same tests with limits in memory and in Redis. */
export function describeEachLimits(tests: (open: () => LimitsSetup) => void): void {
  // Real servers may be slow on a busy machine.
  vi.setConfig({ testTimeout: 20_000 });
  describe('in memory', () => {
    tests(() => createLimitsSetup(null));
  });
  describe('in Redis', () => {
    const server = setUpRedis();
    beforeEach(() => server.empty());
    tests(() => createLimitsSetup(server.url));
  });
}

/** To the scripts the clock of Redis is the fake one. */
function withClock(redis: SharedRedis, now: () => number): SharedRedis {
  const toFake = (text: string) => text.replace(redisNow, `\nlocal now = ${now()}\n`);
  return {
    ...redis,
    run: ({ script, ...call }) =>
      redis.run({ ...call, script: toRedisScript(toFake(script.text)) }),
  };
}

type SetupOptions = Readonly<{
  /** By how much the clock of the other instance is wrong. */
  otherAheadMs?: number;
}>;

export function createLimitsSetup(
  redisUrl: string | null,
  { otherAheadMs = 0 }: SetupOptions = {},
): LimitsSetup {
  const clock = createFakeClock();
  const log = createTestLog();
  const storedTokens = new Map<string, number>();
  const storedNanoUsd = new Map<string, number>();
  let failure: string | null = null;
  const connections = (redisUrl === null ? [] : [redisUrl, redisUrl]).map((url) =>
    withClock(createSharedRedis({ url, log }), clock.now),
  );
  const create = (index: number, now: () => number): Limits =>
    createLimits({
      redis: connections[index] ?? null,
      async loadUsed(wanted) {
        if (failure !== null) throw new Error(failure);
        return wanted.map(({ account, day }) => ({
          tokens: storedTokens.get(`${account} ${day}`) ?? 0,
          nanoUsd: storedNanoUsd.get(`${account} ${day}`) ?? 0,
        }));
      },
      now,
      uptime: now,
      log,
    });
  const limits = create(0, clock.now);
  const other = redisUrl === null ? limits : create(1, () => clock.now() + otherAheadMs);
  const settled = async () => {
    await Promise.all([limits.close(), other.close()]);
  };
  return {
    clock,
    log,
    storedTokens,
    storedNanoUsd,
    fail(message) {
      failure = message;
    },
    limits,
    other,
    settled,
    async [Symbol.asyncDispose]() {
      await settled();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
