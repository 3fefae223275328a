import { randomUUID } from 'node:crypto';
import { isHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { isSharedStateError, type SharedRedis } from '#lib/redis/redis.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';
import type { AccountLimit } from '../budgets.ts';
import { periods } from '../periods.ts';
import type { Rate } from '../prices.ts';
import { toCost, toWhole, toWholeDemand } from './decide.ts';
import type { Amounts, Charge, Counters, Demand, Limits, LoadUsed, Reservation } from './limits.ts';
import { createMemoryCounters } from './memory-counters.ts';
import { createRedisCounters } from './redis-counters.ts';
import {
  requireGranted,
  requireRequest,
  toRequestCountHeaders,
  toReservationHeaders,
} from './require-granted.ts';

type CreateLimitsOptions = Readonly<{
  /** null: limits of this instance alone. */
  redis: SharedRedis | null;
  loadUsed: LoadUsed;
  now: () => number;
  /** A monotonic clock, in ms. */
  uptime?: () => number;
  log: Log;
}>;

/**
 * The limits of API keys, shared through Redis if configured. While Redis fails, each instance
 * applies the limits itself, from the usage in storage: requests still succeed, and none is
 * unlimited.
 */
export function createLimits({ redis, now, log, ...options }: CreateLimitsOptions): Limits {
  const { uptime = () => performance.now() } = options;
  // An unknown budget is not spent.
  const loadUsed: LoadUsed = (periods) =>
    waitForDatabase(options.loadUsed(periods), {
      message: 'The budget of this API key cannot be read',
      reason: 'usage_unreadable',
    });
  const shared = redis === null ? null : createRedisCounters({ redis, loadUsed, now });
  let local = shared === null ? createMemoryCounters({ loadUsed, now, uptime }) : null;
  /** Settlements in progress. */
  const pending = new Set<Promise<void>>();

  async function withCounters<T>(use: (counters: Counters) => Promise<T>): Promise<T> {
    if (shared !== null) {
      try {
        const result = await use(shared);
        if (local !== null) log.info({}, 'limits are shared again');
        local = null;
        return result;
      } catch (error) {
        if (!isSharedStateError(error)) throw error;
      }
    }
    if (local === null) {
      log.warn({ reason: 'limits_not_shared' }, 'each instance counts limits for itself');
      local = createMemoryCounters({ loadUsed, now, uptime });
    }
    return use(local);
  }

  function toCharge(limits: readonly AccountLimit[]): Charge {
    const day = toUtcDay(now());
    const accountPeriods = limits.map(({ account, period }) => ({
      account,
      period,
      day: periods[period].toFirstDay(day),
    }));
    return { id: randomUUID(), limits, periods: accountPeriods };
  }

  return {
    async countRequest(key) {
      const decision = await withCounters((counters) => counters.countRequest(key));
      requireRequest(key, decision);
      return toRequestCountHeaders(key, decision);
    },
    async reserve({ limits }, demand) {
      const charge = toCharge(limits);
      const needed = toWholeDemand(demand);
      const { price } = needed;
      return withCounters(async (counters) => {
        const { decision, uses } = await counters.reserve(charge, needed);
        const granted = requireGranted(decision, limits, uses, now());
        const { promptTokens, outputTokens, outputTokensLeft } = granted;
        const nanoUsd = toCost(price, promptTokens, outputTokens);
        const after = uses.map((use) => ({
          ...use,
          reservedTokens: use.reservedTokens + promptTokens + outputTokens,
          reservedNanoUsd: use.reservedNanoUsd + nanoUsd,
        }));
        return {
          headers: toReservationHeaders(limits, after, now()),
          promptTokens,
          outputTokens,
          outputTokensLeft,
          nanoUsd,
          ...createControls({ counters, charge, price, pending }),
        };
      });
    },
    read: ({ limits }) => withCounters((counters) => counters.read(toCharge(limits))),
    async close() {
      shared?.close();
      await Promise.all(pending);
    },
  };
}

type ControlsOptions = Readonly<{
  counters: Counters;
  charge: Charge;
  price: Rate;
  pending: Set<Promise<void>>;
}>;

function createControls({
  counters,
  charge,
  price,
  pending,
}: ControlsOptions): Pick<Reservation, 'extend' | 'settle' | 'release'> {
  const nothing: Amounts = { tokens: 0, nanoUsd: 0 };
  let isSettled = false;

  async function extend(outputTokens: number): Promise<number> {
    const demand: Demand = {
      promptTokens: 0,
      promptTokensExpected: 0,
      outputTokensMin: 0,
      outputTokensMax: toWhole(outputTokens),
      price: { fixed: 0, perPromptToken: 0, perOutputToken: price.perOutputToken },
    };
    try {
      const { decision } = await counters.reserve(charge, demand);
      return decision.outcome === 'granted' ? decision.outputTokens : 0;
    } catch (error) {
      // A reply in progress is not cut off because Redis fails: what it used is settled afterwards.
      if (isSharedStateError(error) || isHttpError(error)) return outputTokens;
      throw error;
    }
  }

  function settle({ tokens, nanoUsd }: Amounts): void {
    if (isSettled) return;
    isSettled = true;
    end({ tokens: toWhole(tokens), nanoUsd: toWhole(nanoUsd) });
  }

  function end(used: Amounts): void {
    const settlement = counters.settle(charge, used).finally(() => pending.delete(settlement));
    pending.add(settlement);
  }

  return {
    async extend(outputTokens) {
      if (isSettled) return 0;
      const added = await extend(outputTokens);
      if (!isSettled) return added;
      // Settled meanwhile: frees what was added.
      end(nothing);
      return 0;
    },
    settle,
    release: () => settle(nothing),
  };
}
