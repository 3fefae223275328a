import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LoadTokensUsed,
  type Reservation,
  requireTokensUsed,
  type TokensDecision,
  toTokens,
  toWholeDemand,
  untilNextDay,
} from './limits.ts';
import { countRequestScript, extendScript, reserveScript, settleScript } from './redis-scripts.ts';
import {
  requireRequest,
  requireTokens,
  toRequestHeaders,
  toTokenHeaders,
} from './require-granted.ts';

export type RedisLimitsOptions = Readonly<{
  redis: SharedRedis;
  loadTokensUsed: LoadTokensUsed;
  now: () => number;
}>;

/** A reservation expires after this time, unless its instance lives and renews it. */
const leaseMs = 45_000;
const renewEveryMs = 15_000;
/** How often the usage in storage is written to Redis again, to correct what Redis missed. */
const usageTtlMs = 60_000;

type Demand = Readonly<{ tokens: number; tokensMin: number; id: string; day: string }>;
type Reply = readonly [outcome: string, tokens: number, used: number, held: number];

/**
 * Limits that all instances share. Each instance uses its own clock; clocks that differ only make the limits
 * stricter. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisLimits({ redis, loadTokensUsed, now }: RedisLimitsOptions): Limits {
  const usageFreshUntil = new Map<string, number>();
  const pendingSettlements = new Set<Promise<unknown>>();
  /** Renews each reservation of a request under way. */
  const renewals = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;

  function keepRenewing(renew: () => void): void {
    renewals.add(renew);
    timer ??= setInterval(() => {
      for (const one of renewals) one();
    }, renewEveryMs).unref();
  }

  async function tryReserve(key: LimitedKey, demand: Demand): Promise<Reply> {
    const keys = toRedisKeys(key.id, demand.day);
    const { tokens, tokensMin, id } = demand;
    for (;;) {
      const at = now();
      const isFresh = (usageFreshUntil.get(keys.day) ?? 0) > at;
      const stored = isFresh
        ? { used: -1, error: null }
        : await requireTokensUsed(loadTokensUsed, key.id, demand.day).then(
            (used) => ({ used, error: null }),
            // While the database is away Redis may still know.
            (error: unknown) => ({ used: -1, error }),
          );
      const [outcome = '', ...numbers] = toReply(
        await redis.run({
          script: reserveScript,
          keys: [keys.day, keys.leases],
          args: [now(), key.tokensPerDay, tokens, tokensMin, id, now() + leaseMs, stored.used],
        }),
      );
      if (outcome !== 'unknown') {
        if (!isFresh) remember(keys.day, at + usageTtlMs);
        const [granted = 0, usedNow = 0, held = 0] = numbers.map(Number);
        return [outcome, granted, usedNow, held];
      }
      if (stored.error !== null) throw stored.error;
      // Redis has lost the day's usage: send it again.
      usageFreshUntil.delete(keys.day);
    }
  }

  function remember(day: string, until: number): void {
    if (usageFreshUntil.size > 10_000) usageFreshUntil.clear();
    usageFreshUntil.set(day, until);
  }

  function createReservation(
    key: LimitedKey,
    { id, day }: Demand,
    tokens: number,
  ): Pick<Reservation, 'extend' | 'settle' | 'release'> {
    const keys = toRedisKeys(key.id, day);
    let reserved = tokens;
    let isSettled = false;

    async function extend(more: number): Promise<number> {
      const args = [key.tokensPerDay, toTokens(more), id, reserved, now() + leaseMs];
      const reply = await redis.run({
        script: extendScript,
        keys: [keys.day, keys.leases],
        args,
      });
      reserved += Number(reply);
      return Number(reply);
    }

    function settle(used: number): void {
      if (isSettled) return;
      isSettled = true;
      renewals.delete(renew);
      const settlement = extending
        .then(() =>
          redis.run({
            script: settleScript,
            keys: [keys.day, keys.leases],
            args: [id, reserved, used],
          }),
        )
        // The lease expires, and the usage is read from storage within the minute.
        .catch(() => usageFreshUntil.clear())
        .finally(() => pendingSettlements.delete(settlement));
      pendingSettlements.add(settlement);
    }

    // One after the other: each needs the number that the one before has reserved.
    let extending: Promise<unknown> = Promise.resolve();
    function renew(): void {
      extending = extending.then(() => extend(0)).catch(() => {});
    }
    keepRenewing(renew);
    return {
      async extend(more) {
        if (isSettled) return 0;
        const extension = extending.then(() => extend(more));
        extending = extension.catch(() => {});
        return extension;
      },
      settle: (used) => settle(toTokens(used)),
      release: () => settle(0),
    };
  }

  return {
    async countRequest(key) {
      const reply = await redis.run({
        script: countRequestScript,
        keys: [toRedisKeys(key.id, '').minute],
        args: [now(), key.requestsPerMinute],
      });
      const [granted = 0, requests = 0, resetMs = 0, waitMs = 0] = toReply(reply).map(Number);
      const left = key.requestsPerMinute - requests;
      const decision = { isGranted: granted === 1, left, resetMs, waitMs };
      requireRequest(key, decision);
      return toRequestHeaders(key, decision);
    },
    async reserve(key, given) {
      const demand = { ...toWholeDemand(given), id: randomUUID(), day: toUtcDay(now()) };
      const decision = toDecision(key, await tryReserve(key, demand), now());
      const tokens = requireTokens(key, demand, decision);
      return {
        headers: toTokenHeaders(key, decision),
        ...{ tokens, tokensLeft: Math.max(0, decision.left) },
        ...createReservation(key, demand, tokens),
      };
    },
    async close() {
      if (timer !== null) clearInterval(timer);
      timer = null;
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

function toDecision(key: LimitedKey, reply: Reply, now: number): TokensDecision {
  const [outcome, tokens, used, held] = reply;
  const unspent = key.tokensPerDay - used;
  const state = { left: unspent - held, resetMs: untilNextDay(now) };
  if (outcome === 'spent') return { ...state, outcome, unspent };
  return outcome === 'reserved' ? { ...state, outcome } : { ...state, outcome: 'granted', tokens };
}

function toReply(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('Unexpected reply from Redis.');
  return value.map(String);
}
