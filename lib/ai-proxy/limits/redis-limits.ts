import { randomUUID } from 'node:crypto';
import type { AccountLimit } from '#lib/budgets/accounts.ts';
import { toPeriod } from '#lib/budgets/periods.ts';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import { toUtcDay } from '#lib/storage/stores/usage-store.ts';
import { decide, toCost, toWholeDemand, type WholeDemand } from './decide.ts';
import {
  type AccountPeriod,
  type AccountUse,
  type Amounts,
  type Limits,
  type LoadUsed,
  type Reservation,
  requireUsed,
  toWhole,
} from './limits.ts';
import {
  countRequestScript,
  extendScript,
  noBound,
  reserveScript,
  settleScript,
  unknown,
} from './redis-scripts.ts';
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
}>;

/** A reservation expires after this time, unless its instance lives and renews it. */
const leaseMs = 45_000;
const renewEveryMs = 15_000;
/** How often the balances in storage are written to Redis again, to correct what Redis missed. */
const usedTtlMs = 60_000;
/** After Redis has lost them: by then all instances have written what they had not. */
const usedTtlAfterLossMs = 3_000;

/** A reservation that is asked for: its accounts, each with its period. */
type Request = WholeDemand &
  Readonly<{
    id: string;
    limits: readonly AccountLimit[];
    periods: readonly AccountPeriod[];
    keys: readonly string[];
  }>;

type Reserved = Readonly<{
  /** Null: rejected. */
  tokens: number | null;
  tokensLeft: number;
  /** Before the reservation. */
  uses: readonly AccountUse[];
}>;

/**
 * Limits that all instances share. Each instance uses its own clock; clocks that differ only make the limits
 * stricter. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisLimits({ redis, loadUsed, now }: RedisLimitsOptions): Limits {
  /** By the Redis key of an account and period. */
  const freshUntil = new Map<string, number>();
  const pendingSettlements = new Set<Promise<unknown>>();
  /** Renews each reservation of a request under way. */
  const renewals = new Set<() => Promise<unknown>>();
  let timer: NodeJS.Timeout | null = null;

  function keepRenewing(renew: () => Promise<unknown>): void {
    renewals.add(renew);
    timer ??= setInterval(() => {
      for (const one of renewals) void one();
    }, renewEveryMs).unref();
  }

  /** What storage knows of those that Redis has to be told, in their order. */
  async function readStored(
    { periods, keys }: Request,
    at: number,
  ): Promise<{ used: readonly (Amounts | null)[]; error: unknown }> {
    const old = periods.map((_, index) => (freshUntil.get(keys[2 * index] ?? '') ?? 0) <= at);
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

  async function tryReserve(request: Request): Promise<Reserved> {
    const { id, limits, tokens, tokensMin, price, keys } = request;
    let ttlMs = usedTtlMs;
    for (;;) {
      const at = now();
      const stored = await readStored(request, at);
      const args: (string | number)[] = [now(), id, now() + leaseMs];
      args.push(tokens, tokensMin, price.fixed, price.perToken);
      for (const [index, limit] of limits.entries()) {
        const used = stored.used[index] ?? null;
        args.push(...toBounds(limit), used?.tokens ?? unknown, used?.nanoUsd ?? unknown);
      }
      const reply = toReply(await redis.run({ script: reserveScript, keys, args }));
      if (reply[0] !== 'unknown') {
        for (const [index, used] of stored.used.entries()) {
          if (used !== null) remember(keys[2 * index] ?? '', at + ttlMs);
        }
        return toReserved(reply);
      }
      if (stored.error !== null) throw stored.error;
      // Redis has lost what was used and reserved: all of ours is sent again.
      ttlMs = usedTtlAfterLossMs;
      freshUntil.clear();
      await Promise.all([...renewals].map((renew) => renew()));
    }
  }

  function remember(key: string, until: number): void {
    if (freshUntil.size > 10_000) freshUntil.clear();
    freshUntil.set(key, until);
  }

  function createReservation(
    { id, limits, keys, price }: Request,
    granted: number,
  ): Pick<Reservation, 'extend' | 'settle' | 'release'> {
    let tokens = granted;
    let nanoUsd = toCost(price, granted);
    let isSettled = false;

    async function extend(more: number): Promise<number> {
      const args: (string | number)[] = [id, now() + leaseMs, toWhole(more), tokens, nanoUsd];
      args.push(price.fixed, price.perToken, ...limits.flatMap(toBounds));
      const [added = 0, cost = 0] = toReply(
        await redis.run({ script: extendScript, keys, args }),
      ).map(Number);
      tokens += added;
      nanoUsd += cost;
      return added;
    }

    function settle(used: Amounts): void {
      if (isSettled) return;
      isSettled = true;
      renewals.delete(renew);
      const settlement = extending
        .then(() => {
          const args = [id, tokens, nanoUsd, used.tokens, used.nanoUsd];
          return redis.run({ script: settleScript, keys, args });
        })
        // The lease expires, and the usage is read from storage within the minute.
        .catch(() => freshUntil.clear())
        .finally(() => pendingSettlements.delete(settlement));
      pendingSettlements.add(settlement);
    }

    // One after the other: each needs the numbers that the one before has reserved.
    let extending: Promise<unknown> = Promise.resolve();
    function renew(): Promise<unknown> {
      extending = extending.then(() => extend(0)).catch(() => {});
      return extending;
    }
    keepRenewing(renew);
    return {
      async extend(more) {
        if (isSettled) return 0;
        const extension = extending.then(() => extend(more));
        extending = extension.catch(() => {});
        return extension;
      },
      settle: (used) => settle({ tokens: toWhole(used.tokens), nanoUsd: toWhole(used.nanoUsd) }),
      release: () => settle({ tokens: 0, nanoUsd: 0 }),
    };
  }

  function toRequest(limits: readonly AccountLimit[], demand: WholeDemand): Request {
    const day = toUtcDay(now());
    const periods = limits.map(({ account, period }) => ({
      account,
      period: toPeriod(day, period),
    }));
    return { ...demand, id: randomUUID(), limits, periods, keys: periods.flatMap(toRedisKeys) };
  }

  return {
    async countRequest(key) {
      const reply = await redis.run({
        script: countRequestScript,
        keys: [`marquee:limits:{${key.id}}:minute`],
        args: [now(), key.requestsPerMinute],
      });
      const [granted = 0, requests = 0, resetMs = 0, waitMs = 0] = toReply(reply).map(Number);
      const left = key.requestsPerMinute - requests;
      const decision = { isGranted: granted === 1, left, resetMs, waitMs };
      requireRequest(key, decision);
      return toRequestHeaders(key, decision);
    },
    async reserve({ limits }, given) {
      const request = toRequest(limits, toWholeDemand(given));
      if (limits.length === 0) return { headers: [], ...unlimited(request.tokens) };
      const { tokens, tokensLeft, uses } = await tryReserve(request);
      if (tokens === null) {
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
        ...createReservation(request, tokens),
      };
    },
    async read({ limits }) {
      if (limits.length === 0) return [];
      const request = toRequest(limits, toWholeDemand({ tokens: 0 }));
      const { tokens, uses } = await tryReserve(request);
      if (tokens !== null) createReservation(request, 0).release();
      return uses;
    },
    async close() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await Promise.all(pendingSettlements);
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

// One hash tag: all accounts of a reservation go to the same slot of a cluster.
function toRedisKeys({ account, period }: AccountPeriod): [use: string, leases: string] {
  const key = `marquee:limits:{budgets}:${account}:${period}`;
  return [key, `${key}:leases`];
}

/** How long Redis remembers a day and a month. */
const ttlMs = { day: 172_800_000, month: 3_456_000_000 } as const;

function toBounds({ tokens, nanoUsd, period }: AccountLimit): [number, number, number] {
  return [tokens ?? noBound, nanoUsd ?? noBound, ttlMs[period]];
}

function toReserved([granted = '', left = '', ...rest]: readonly string[]): Reserved {
  const numbers = rest.map(Number);
  const uses: AccountUse[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [tokens = 0, reservedTokens = 0, nanoUsd = 0, reservedNanoUsd = 0] = numbers.slice(at);
    uses.push({ tokens, reservedTokens, nanoUsd, reservedNanoUsd });
  }
  return {
    tokens: granted === 'rejected' ? null : Number(granted),
    tokensLeft: Number(left),
    uses,
  };
}

function toReply(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('Unexpected reply from Redis.');
  return value.map(String);
}
