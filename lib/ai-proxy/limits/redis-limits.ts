import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LimitsDecision,
  type LoadTokensUsed,
  type Reservation,
  requireTokensUsed,
  toTokens,
  untilNextDay,
} from './limits.ts';
import { reserveScript, settleScript } from './redis-scripts.ts';
import { requireGranted, toLimitHeaders } from './require-granted.ts';

export type RedisLimitsOptions = Readonly<{
  redis: SharedRedis;
  loadTokensUsed: LoadTokensUsed;
  now: () => number;
}>;

/** A reservation expires after this time, in case its instance died. */
const leaseMs = 30 * 60_000;
/** How often the usage in storage is written to Redis again, to correct what Redis missed. */
const usageTtlMs = 60_000;

type Reply = readonly [
  outcome: string,
  requests: number,
  resetMs: number,
  waitMs: number,
  used: number,
  reserved: number,
];

/**
 * Limits that all instances share. Each instance uses its own clock; clocks that differ only make the limits
 * stricter. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisLimits({ redis, loadTokensUsed, now }: RedisLimitsOptions): Limits {
  const usageFreshUntil = new Map<string, number>();
  const pendingSettlements = new Set<Promise<unknown>>();

  async function tryReserve(
    key: LimitedKey,
    tokens: number,
    id: string,
    day: string,
  ): Promise<Reply> {
    const keys = toRedisKeys(key.id, day);
    for (;;) {
      const at = now();
      const isFresh = (usageFreshUntil.get(keys.day) ?? 0) > at;
      const used = isFresh ? -1 : await requireTokensUsed(loadTokensUsed, key.id, day);
      const limits = [key.requestsPerMinute, key.tokensPerDay];
      const reply = toReply(
        await redis.run({
          script: reserveScript,
          keys: [keys.minute, keys.day, keys.leases],
          args: [now(), ...limits, tokens, id, now() + leaseMs, used],
        }),
      );
      if (reply[0] !== 'unknown') {
        if (!isFresh) remember(keys.day, at + usageTtlMs);
        return reply;
      }
      // Redis has lost the day's usage: send it again.
      usageFreshUntil.delete(keys.day);
    }
  }

  function remember(day: string, until: number): void {
    if (usageFreshUntil.size > 10_000) usageFreshUntil.clear();
    usageFreshUntil.set(day, until);
  }

  function createReservation(
    keyId: string,
    day: string,
    id: string,
    reserved: number,
  ): Omit<Reservation, 'headers'> {
    let isSettled = false;
    const settle = (tokens: number): void => {
      if (isSettled) return;
      isSettled = true;
      const keys = toRedisKeys(keyId, day);
      const settlement = redis
        .run({ script: settleScript, keys: [keys.day, keys.leases], args: [id, reserved, tokens] })
        // The lease expires, and the usage is read from storage within the minute.
        .catch(() => usageFreshUntil.clear())
        .finally(() => pendingSettlements.delete(settlement));
      pendingSettlements.add(settlement);
    };
    return { settle: (tokens) => settle(toTokens(tokens)), release: () => settle(0) };
  }

  return {
    async reserve(key, demand) {
      const tokens = toTokens(demand.tokens);
      const [id, day] = [randomUUID(), toUtcDay(now())];
      const decision = toDecision(key, await tryReserve(key, tokens, id, day), now());
      requireGranted(key, { tokens }, decision);
      return {
        headers: toLimitHeaders(key, decision),
        ...createReservation(key.id, day, id, tokens),
      };
    },
    async close() {
      await Promise.all(pendingSettlements);
    },
  };
}

// The braces are a hash tag: all keys of one account go to the same slot of a cluster.
function toRedisKeys(keyId: string, day: string) {
  const account = `marquee:limits:{${keyId}}`;
  return {
    minute: `${account}:minute`,
    day: `${account}:${day}`,
    leases: `${account}:${day}:leases`,
  };
}

function toDecision(key: LimitedKey, reply: Reply, now: number): LimitsDecision {
  const [outcome, requests, requestsResetMs, waitMs, used, reserved] = reply;
  const unspent = key.tokensPerDay - used;
  const state = {
    requestsLeft: key.requestsPerMinute - requests,
    requestsResetMs,
    tokensLeft: unspent - reserved,
    tokensResetMs: untilNextDay(now),
  };
  if (outcome === 'spent') return { ...state, outcome, unspent };
  if (outcome === 'too-many') return { ...state, outcome, waitMs };
  return { ...state, outcome: outcome === 'reserved' ? 'reserved' : 'granted' };
}

function toReply(value: unknown): Reply {
  if (!Array.isArray(value)) throw new TypeError('Unexpected reply from Redis.');
  const [outcome, ...numbers] = value.map(String);
  const [requests = 0, resetMs = 0, waitMs = 0, used = 0, reserved = 0] = numbers.map(Number);
  return [outcome ?? '', requests, resetMs, waitMs, used, reserved];
}
