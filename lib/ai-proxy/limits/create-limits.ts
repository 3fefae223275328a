import type { Log } from '#lib/http/log.ts';
import { isSharedStateError, type SharedRedis } from '#lib/shared-state/redis.ts';
import type { Limits, LoadTokensUsed } from './limits.ts';
import { createMemoryLimits } from './memory-limits.ts';
import { createRedisLimits } from './redis-limits.ts';

export type CreateLimitsOptions = Readonly<{
  /** null: limits of this instance alone. */
  redis: SharedRedis | null;
  loadTokensUsed: LoadTokensUsed;
  now: () => number;
  log: Log;
}>;

/**
 * The limits of API keys, shared through Redis if configured. While Redis fails, each instance
 * applies the limits itself, from the usage in storage: requests still succeed, and none is
 * unlimited.
 */
export function createLimits({ redis, log, ...options }: CreateLimitsOptions): Limits {
  if (redis === null) return createMemoryLimits(options);
  const shared = createRedisLimits({ ...options, redis });
  let local: Limits | null = null;
  return {
    async reserve(key, demand) {
      try {
        const reservation = await shared.reserve(key, demand);
        if (local !== null) log.info({}, 'limits are shared again');
        local = null;
        return reservation;
      } catch (error) {
        if (!isSharedStateError(error)) throw error;
        if (local === null) {
          log.warn({ reason: 'limits_not_shared' }, 'each instance counts limits for itself');
          local = createMemoryLimits(options);
        }
        return local.reserve(key, demand);
      }
    },
    close: () => shared.close(),
  };
}
