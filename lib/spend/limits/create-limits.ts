import type { Log } from '#lib/http/log.ts';
import { isSharedStateError, type SharedRedis } from '#lib/shared-state/redis.ts';
import type { Limits, LoadUsed, Reservation } from './limits.ts';
import { createMemoryLimits } from './memory-limits.ts';
import { createRedisLimits } from './redis-limits.ts';

export type CreateLimitsOptions = Readonly<{
  /** null: limits of this instance alone. */
  redis: SharedRedis | null;
  loadUsed: LoadUsed;
  now: () => number;
  log: Log;
  /** How long nothing is reserved after Redis has lost its data, ms. */
  rebuildMs?: number;
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

  async function withShared<T>(use: (limits: Limits) => Promise<T>): Promise<T> {
    try {
      const result = await use(shared);
      if (local !== null) log.info({}, 'limits are shared again');
      local = null;
      return result;
    } catch (error) {
      if (!isSharedStateError(error)) throw error;
      if (local === null) {
        log.warn({ reason: 'limits_not_shared' }, 'each instance counts limits for itself');
        local = createMemoryLimits(options);
      }
      return use(local);
    }
  }

  return {
    countRequest: (key) => withShared((limits) => limits.countRequest(key)),
    reserve: (key, demand) =>
      withShared(async (limits) => toLasting(await limits.reserve(key, demand))),
    read: (key) => withShared((limits) => limits.read(key)),
    close: () => shared.close(),
  };
}

/** A reply in progress is not cut off because Redis fails: what it used is settled afterwards. */
function toLasting(reservation: Reservation): Reservation {
  return {
    ...reservation,
    async extend(tokens) {
      try {
        return await reservation.extend(tokens);
      } catch (error) {
        if (!isSharedStateError(error)) throw error;
        return tokens;
      }
    },
  };
}
