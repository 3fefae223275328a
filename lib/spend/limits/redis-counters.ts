import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SharedRedis } from '#lib/redis/redis.ts';
import { decide } from './decide.ts';
import type {
  AccountPeriod,
  AccountUse,
  Amounts,
  Charge,
  Counters,
  Demand,
  LoadUsed,
} from './limits.ts';
import { countRequestScript, renewScript, reserveScript, settleScript } from './redis-scripts.ts';

type RedisCountersOptions = Readonly<{
  redis: SharedRedis;
  loadUsed: LoadUsed;
  now: () => number;
}>;

/** A reservation expires after this time unless its instance renews it, so that one that is killed reserves nothing. */
const reservationTtlMs = 45_000;
const renewEveryMs = 15_000;
/** How often Redis is told what is stored, to correct what it missed: the running requests of a killed instance. */
const storedTtlMs = 10_000;
/** How long Redis remembers a period. */
const periodTtlMs = { day: 172_800_000, week: 691_200_000, month: 3_456_000_000 } as const;
/** For Lua: there is no such limit, or storage was not asked. */
const none = -1;
// One hash tag: all that one script uses is in the same slot of a cluster.
const keyPrefix = 'marquee:limits:{budgets}';

/**
 * Counters that all instances share. The clock of Redis judges minutes and reservations; that of the instance says which
 * day it is. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisCounters({ redis, loadUsed, now }: RedisCountersOptions): Counters {
  /** When Redis was told what is stored, by key. */
  const toldAt = new LRUCache<string, number>({ max: 10_000 });
  /** The keys of each reservation of this instance. */
  const running = new Map<string, readonly string[]>();
  let timer: NodeJS.Timeout | undefined;

  async function loadIfOld(
    periods: readonly AccountPeriod[],
    at: number,
  ): Promise<{ used: readonly Amounts[]; error?: unknown }> {
    // The absolute difference: a clock that is set back must not end the correction.
    const isOld = (key: string) => Math.abs(at - (toldAt.get(key) ?? 0)) >= storedTtlMs;
    if (!periods.map(toKey).some(isOld)) return { used: [] };
    try {
      return { used: await loadUsed(periods) };
    } catch (error) {
      // While the database is away Redis may still know.
      return { used: [], error };
    }
  }

  /** @param demand null: only reads */
  async function run(
    { id, limits, periods }: Charge,
    demand: Demand | null,
  ): Promise<{ isGranted: boolean; uses: AccountUse[] }> {
    if (limits.length === 0) return { isGranted: true, uses: [] };
    const keys = periods.map(toKey);
    for (;;) {
      const at = now();
      const { used, error } = await loadIfOld(periods, at);
      const accounts = limits.map((limit, index) => ({
        tokens: limit.tokens ?? none,
        nanoUsd: limit.nanoUsd ?? none,
        ttlMs: periodTtlMs[limit.period],
        used: used[index] ?? { tokens: none, nanoUsd: none },
      }));
      const call = { id, ttlMs: reservationTtlMs, accounts, ...(demand !== null && { demand }) };
      const args = [JSON.stringify(call)];
      const reply = toReply(await redis.run({ script: reserveScript, keys, args }));
      if (reply[0] !== 'unknown') {
        if (used.length > 0) for (const key of keys) toldAt.set(key, at);
        return { isGranted: reply[0] === 'granted', uses: toUses(reply) };
      }
      if (error !== undefined) throw error;
      // Redis has lost its data.
      toldAt.clear();
    }
  }

  function renewAll(): void {
    const reservations = [...running].flatMap(([id, keys]) => keys.map((key) => ({ id, key })));
    if (reservations.length === 0) return;
    const args = [reservationTtlMs, ...reservations.map(({ id }) => id)];
    // A Redis that fails is logged where requests need it.
    redis
      .run({ script: renewScript, keys: reservations.map(({ key }) => key), args })
      .catch(() => {});
  }

  return {
    async countRequest({ id, requestsPerMinute }) {
      const keys = [`marquee:limits:{${id}}:minute`];
      const args = [requestsPerMinute, randomUUID()];
      const reply = toReply(await redis.run({ script: countRequestScript, keys, args }));
      const [granted = 0, requests = 0, resetMs = 0, waitMs = 0] = reply.map(Number);
      return { isGranted: granted === 1, left: requestsPerMinute - requests, resetMs, waitMs };
    },
    read: async (charge) => (await run(charge, null)).uses,
    async reserve(charge, demand) {
      const { isGranted, uses } = await run(charge, demand);
      const decision = decide(demand, charge.limits, uses);
      if (isGranted !== (decision.outcome === 'granted')) {
        throw new TypeError('Redis has decided otherwise.');
      }
      if (isGranted) running.set(charge.id, charge.periods.map(toKey));
      timer ??= setInterval(renewAll, renewEveryMs).unref();
      return { decision, uses };
    },
    async settle({ id, periods }, { tokens, nanoUsd }) {
      running.delete(id);
      if (periods.length === 0) return;
      try {
        const keys = periods.map(toKey);
        await redis.run({ script: settleScript, keys, args: [id, tokens, nanoUsd] });
      } catch {
        // The reservation expires, and what was used is read from storage.
        toldAt.clear();
      }
    },
    close() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function toKey({ account, period, day }: AccountPeriod): string {
  return `${keyPrefix}:${account}:${period}:${day}`;
}

function toUses([, ...values]: readonly string[]): AccountUse[] {
  const uses: AccountUse[] = [];
  const numbers = values.map(Number);
  for (let at = 0; at < numbers.length; at += 4) {
    const [tokens = 0, nanoUsd = 0, reservedTokens = 0, reservedNanoUsd = 0] = numbers.slice(at);
    uses.push({ tokens, nanoUsd, reservedTokens, reservedNanoUsd });
  }
  return uses;
}

function toReply(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('Unexpected reply from Redis.');
  return value.map(String);
}
