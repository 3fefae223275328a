import type { Log } from '#lib/http/log.ts';
import { isSharedStateError, type SharedRedis } from '#lib/shared-state/redis.ts';
import type { Limits, LoadTokensUsed } from './limits.ts';
import { createMemoryLimits } from './memory-limits.ts';
import { createRedisLimits } from './redis-limits.ts';

export type CreateLimitsOptions = Readonly<{
  /** null: this instance counts for itself. */
  redis: SharedRedis | null;
  loadTokensUsed: LoadTokensUsed;
  now: () => number;
  log: Log;
}>;

/**
 * The limits of keys, shared through Redis where there is one. While Redis fails, each instance counts
 * for itself, from what is written down at that time: limits then hold for each instance, so that
 * callers go on, and no budget is open.
 */
export function createLimits({ redis, log, ...options }: CreateLimitsOptions): Limits {
  if (redis === null) return createMemoryLimits(options);
  const shared = createRedisLimits({ ...options, redis });
  let own: Limits | null = null;
  return {
    async begin(key, demand) {
      try {
        const reservation = await shared.begin(key, demand);
        if (own !== null) log.info({}, 'limits are shared again');
        own = null;
        return reservation;
      } catch (error) {
        if (!isSharedStateError(error)) throw error;
        if (own === null) {
          log.warn({ reason: 'limits_not_shared' }, 'each instance counts limits for itself');
          own = createMemoryLimits(options);
        }
        return own.begin(key, demand);
      }
    },
    close: () => shared.close(),
  };
}
