import { beforeEach, describe, vi } from 'vitest';
import { createLimits } from '#lib/ai-proxy/limits/create-limits.ts';
import type { Limits } from '#lib/ai-proxy/limits/limits.ts';
import { createSharedRedis } from '#lib/shared-state/redis.ts';
import { createFakeClock } from './fake-clock.ts';
import { setUpRedis } from './redis-server.ts';
import { createTestLog } from './test-log.ts';

/** Where limits are tried: a clock, what is written down as used, and instances that share their state. */
export type LimitsSetup = AsyncDisposable &
  Readonly<{
    clock: ReturnType<typeof createFakeClock>;
    log: ReturnType<typeof createTestLog>;
    /** Tokens by key and day, as storage would know them. */
    written: Map<string, number>;
    limits: Limits;
    /** Another one that shares with the first; in memory it is the same one. */
    other: Limits;
    settled: () => Promise<void>;
  }>;

/** Runs the same tests on limits in memory, and on those of two instances that share a Redis. */
export function describeEachLimits(tests: (open: () => LimitsSetup) => void): void {
  // A real server on a busy machine has its moments.
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

export function createLimitsSetup(redisUrl: string | null): LimitsSetup {
  const clock = createFakeClock();
  const log = createTestLog();
  const written = new Map<string, number>();
  const connections = (redisUrl === null ? [] : [redisUrl, redisUrl]).map((url) =>
    createSharedRedis({ url, log }),
  );
  const create = (index: number): Limits =>
    createLimits({
      redis: connections[index] ?? null,
      loadTokensUsed: async (keyId, day) => written.get(`${keyId} ${day}`) ?? 0,
      now: clock.now,
      log,
    });
  const limits = create(0);
  const other = redisUrl === null ? limits : create(1);
  const settled = async () => {
    await Promise.all([limits.close(), other.close()]);
  };
  return {
    clock,
    log,
    written,
    limits,
    other,
    settled,
    async [Symbol.asyncDispose]() {
      await settled();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
