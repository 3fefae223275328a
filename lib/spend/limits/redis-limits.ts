import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import type { AccountLimit } from '../budgets/accounts.ts';
import { toPeriod, toUtcDay } from '../budgets/periods.ts';
import { decide, toCost, toWholeDemand, type WholeDemand } from './decide.ts';
import {
  type Amounts,
  type Limits,
  type LoadUsed,
  type Reservation,
  requireUsed,
} from './limits.ts';
import {
  createRedisCalls,
  type ReservationRequest,
  type ReserveReply,
  toCounterKey,
} from './redis-calls.ts';
import { countInRedis } from './redis-minute.ts';
import { createRenewals } from './redis-renewals.ts';
import { createRedisReservation } from './redis-reservation.ts';
import {
  requireGranted,
  requireRequest,
  toRequestHeaders,
  toReservationHeaders,
} from './require-granted.ts';

export type RedisLimitsOptions = Readonly<{
  redis: SharedRedis;
  loadUsed: LoadUsed;
  now: () => number;
  /**
   * How long nothing is reserved after Redis has lost its data: by then all instances have told it what their requests
   * have reserved, and storage what they have used.
   */
  rebuildMs?: number;
}>;

/**
 * How often the balances in storage are written to Redis again, to correct what Redis missed: what an instance had
 * under way that was killed.
 */
const usedTtlMs = 10_000;

type Decided = Extract<ReserveReply, { uses: unknown }>;

/**
 * Limits that all instances share. The clock of Redis judges minutes and leases; that of the instance says which day
 * it is. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisLimits(options: RedisLimitsOptions): Limits {
  const { redis, loadUsed, now, rebuildMs = 3_000 } = options;
  const calls = createRedisCalls(redis);
  /** When Redis was told what storage knows, by counter. */
  const toldAt = new Map<string, number>();
  const pending = new Set<Promise<unknown>>();
  const forget = () => toldAt.clear();
  const renewals = createRenewals({ readSince: calls.readSince, rebuildMs, onLoss: forget });
  // After a failed settlement its lease expires, and what was used is read from storage.
  const ofReservation = { calls, renewals, pending, onUnsettled: forget };

  /** What storage knows of those that Redis has to be told, in their order. */
  async function readStored(
    { periods }: ReservationRequest,
    at: number,
  ): Promise<{ used: readonly (Amounts | null)[]; error: unknown }> {
    const old = periods.map((period) => isOld(toCounterKey(period), at));
    if (!old.includes(true)) return { used: [], error: null };
    try {
      const used = await requireUsed(
        loadUsed,
        periods.filter((_, index) => old[index]),
      );
      let next = 0;
      return { used: old.map((one) => (one ? (used[next++] ?? null) : null)), error: null };
    } catch (error) {
      // While the database is away Redis may still know.
      return { used: [], error };
    }
  }

  async function tryReserve(request: ReservationRequest): Promise<Decided> {
    for (;;) {
      const at = now();
      const since = renewals.since();
      const stored = await readStored(request, at);
      const reply = await calls.reserve(request, stored.used, since);
      if ('uses' in reply) {
        for (const [index, period] of request.periods.entries()) {
          if (stored.used[index] != null) remember(toCounterKey(period), at);
        }
        return reply;
      }
      if (reply.outcome === 'lost') {
        await renewals.rebuild();
      } else {
        if (stored.error !== null) throw stored.error;
        // Redis has run out of memory, and deleted it.
        forget();
        await renewals.renewAll();
      }
    }
  }

  // The absolute difference: a clock that is set back must not end the correction.
  function isOld(key: string, at: number): boolean {
    return Math.abs(at - (toldAt.get(key) ?? 0)) >= usedTtlMs;
  }

  function remember(key: string, at: number): void {
    if (toldAt.size > 10_000) forget();
    toldAt.set(key, at);
  }

  function toRequest(limits: readonly AccountLimit[], demand: WholeDemand): ReservationRequest {
    const day = toUtcDay(now());
    const periods = limits.map(({ account, period }) => ({
      account,
      period: toPeriod(day, period),
    }));
    return { ...demand, id: randomUUID(), limits, periods };
  }

  return {
    async countRequest(key) {
      const decision = await countInRedis(redis, key);
      requireRequest(key, decision);
      return toRequestHeaders(key, decision);
    },
    async reserve({ limits }, given) {
      const request = toRequest(limits, toWholeDemand(given));
      if (limits.length === 0) return { headers: [], ...unlimited(request.tokens) };
      const { outcome, tokens, tokensLeft, uses } = await tryReserve(request);
      if (outcome === 'rejected') {
        requireGranted(decide(request, limits, uses), limits, uses, now());
        throw new TypeError('Redis has rejected what fits.');
      }
      const cost = toCost(request.price, tokens);
      const after = uses.map((use) => ({
        ...use,
        reservedTokens: use.reservedTokens + tokens,
        reservedNanoUsd: use.reservedNanoUsd + cost,
      }));
      return {
        headers: toReservationHeaders(limits, after, now()),
        ...{ tokens, tokensLeft },
        ...createRedisReservation(request, tokens, ofReservation),
      };
    },
    async read({ limits }) {
      if (limits.length === 0) return [];
      const request = toRequest(limits, toWholeDemand({ tokens: 0 }));
      const { outcome, uses } = await tryReserve(request);
      if (outcome === 'granted') createRedisReservation(request, 0, ofReservation).release();
      return uses;
    },
    async close() {
      renewals.close();
      await Promise.all(pending);
    },
  };
}

/** Of a key without any limit. */
function unlimited(tokens: number): Omit<Reservation, 'headers'> {
  return {
    ...{ tokens, tokensLeft: Number.POSITIVE_INFINITY },
    extend: async (more) => more,
    settle() {},
    release() {},
  };
}
