import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LimitsVerdict,
  type LoadTokensUsed,
  type Reservation,
  toTokens,
  untilNextDay,
} from './limits.ts';
import { beginScript, endScript } from './redis-scripts.ts';
import { requireTokensUsed } from './tokens-used.ts';
import { requireGranted, toLimitHeaders } from './verdict.ts';

export type RedisLimitsOptions = Readonly<{
  redis: SharedRedis;
  loadTokensUsed: LoadTokensUsed;
  now: () => number;
}>;

/** A reservation that was never ended, by an instance that died, lapses after so long. */
const leaseMs = 30 * 60_000;
/** How long the written usage that Redis was told of is good for: what Redis missed is made up for then. */
const knownMs = 60_000;

type Reply = readonly [
  outcome: string,
  requests: number,
  emptyMs: number,
  roomMs: number,
  used: number,
  held: number,
];

/**
 * Limits that all instances share, by the clock of whoever asks: clocks that differ make them stricter,
 * never laxer. Every call fails with a SharedStateError while Redis does.
 */
export function createRedisLimits({ redis, loadTokensUsed, now }: RedisLimitsOptions): Limits {
  const knownUntil = new Map<string, number>();
  const endings = new Set<Promise<unknown>>();

  async function ask(key: LimitedKey, tokens: number, id: string, day: string): Promise<Reply> {
    const keys = toRedisKeys(key.id, day);
    for (;;) {
      const at = now();
      const isKnown = (knownUntil.get(keys.day) ?? 0) > at;
      const used = isKnown ? -1 : await requireTokensUsed(loadTokensUsed, key.id, day);
      const limits = [key.requestsPerMinute, key.tokensPerDay];
      const reply = toReply(
        await redis.run({
          script: beginScript,
          keys: [keys.minute, keys.day, keys.leases],
          given: [now(), ...limits, tokens, id, now() + leaseMs, used],
        }),
      );
      if (reply[0] !== 'unknown') {
        if (!isKnown) remember(keys.day, at + knownMs);
        return reply;
      }
      // It was emptied: tell it again.
      knownUntil.delete(keys.day);
    }
  }

  function remember(day: string, until: number): void {
    if (knownUntil.size > 10_000) knownUntil.clear();
    knownUntil.set(day, until);
  }

  function reserve(
    keyId: string,
    day: string,
    id: string,
    held: number,
  ): Omit<Reservation, 'headers'> {
    let isOver = false;
    const end = (tokens: number): void => {
      if (isOver) return;
      isOver = true;
      const keys = toRedisKeys(keyId, day);
      const ending = redis
        .run({ script: endScript, keys: [keys.day, keys.leases], given: [id, held, tokens] })
        // The lease lapses, and what was used is read from storage within the minute.
        .catch(() => knownUntil.clear())
        .finally(() => endings.delete(ending));
      endings.add(ending);
    };
    return { settle: (tokens) => end(toTokens(tokens)), release: () => end(0) };
  }

  return {
    async begin(key, demand) {
      const tokens = toTokens(demand.tokens);
      const [id, day] = [randomUUID(), toUtcDay(now())];
      const verdict = toVerdict(key, await ask(key, tokens, id, day), now());
      requireGranted(key, { tokens }, verdict);
      return { headers: toLimitHeaders(key, verdict), ...reserve(key.id, day, id, tokens) };
    },
    async close() {
      await Promise.all(endings);
    },
  };
}

// The braces put all keys of one account into one slot of a cluster.
function toRedisKeys(keyId: string, day: string) {
  const account = `marquee:limits:{${keyId}}`;
  return {
    minute: `${account}:minute`,
    day: `${account}:${day}`,
    leases: `${account}:${day}:leases`,
  };
}

function toVerdict(key: LimitedKey, reply: Reply, now: number): LimitsVerdict {
  const [outcome, requests, requestsResetMs, waitMs, used, held] = reply;
  const unspent = key.tokensPerDay - used;
  const state = {
    requestsLeft: key.requestsPerMinute - requests,
    requestsResetMs,
    tokensLeft: unspent - held,
    tokensResetMs: untilNextDay(now),
  };
  if (outcome === 'spent') return { ...state, outcome, unspent };
  if (outcome === 'too-many') return { ...state, outcome, waitMs };
  return { ...state, outcome: outcome === 'held' ? 'held' : 'granted' };
}

function toReply(value: unknown): Reply {
  if (!Array.isArray(value)) throw new TypeError('Redis answered with something else.');
  const [outcome, ...numbers] = value.map(String);
  const [requests = 0, emptyMs = 0, roomMs = 0, used = 0, held = 0] = numbers.map(Number);
  return [outcome ?? '', requests, emptyMs, roomMs, used, held];
}
