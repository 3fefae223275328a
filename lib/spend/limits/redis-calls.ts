import type { SharedRedis } from '#lib/shared-state/redis.ts';
import type { AccountLimit } from '../budgets/accounts.ts';
import type { WholeDemand } from './decide.ts';
import type { AccountPeriod, AccountUse, Amounts, TokenPrice } from './limits.ts';
import {
  extendScript,
  noBound,
  reserveScript,
  settleScript,
  sinceScript,
  unknown,
} from './redis-scripts.ts';

/** A reservation that is asked for: its accounts, each with its period. */
export type ReservationRequest = WholeDemand &
  Readonly<{
    id: string;
    limits: readonly AccountLimit[];
    periods: readonly AccountPeriod[];
  }>;

/** What a reservation has so far. */
export type Reserved = Amounts & Pick<ReservationRequest, 'id' | 'limits' | 'periods' | 'price'>;

export type ReserveReply =
  /** `lost`: Redis has lost what this instance has told it. `unknown`: it needs what is stored. */
  | Readonly<{ outcome: 'lost' | 'unknown' }>
  | Readonly<{
      outcome: 'granted' | 'rejected';
      tokens: number;
      tokensLeft: number;
      /** Before the reservation. */
      uses: readonly AccountUse[];
    }>;

/** What Redis is asked about budgets, by `redis-scripts.ts`. Each fails with a SharedStateError while Redis does. */
export type RedisCalls = Readonly<{
  /** Since when Redis has its data, and for how long by its own clock. Another moment: it has lost what it had. */
  readSince: () => Promise<Readonly<{ since: string; ageMs: number }>>;
  /** @param stored what storage knows of each account, where it was asked */
  reserve: (
    request: ReservationRequest,
    stored: readonly (Amounts | null)[],
    since: string,
  ) => Promise<ReserveReply>;
  /** Adds up to so many tokens; none: tells Redis again what is reserved. Null: Redis has lost its data. */
  extend: (
    reserved: Reserved,
    options: Readonly<{ more: number; since: string }>,
  ) => Promise<Amounts | null>;
  settle: (reserved: Reserved, used: Amounts) => Promise<void>;
}>;

// One hash tag: all that one script uses is in the same slot of a cluster.
const keyPrefix = 'marquee:limits:{budgets}';
const sinceKey = `${keyPrefix}:since`;
/** A reservation expires after this time, unless its instance lives and renews it. */
const leaseMs = 45_000;
/** By then storage has what was used, and every instance has read it there. */
const storedWithinMs = 65_000;
/** How long Redis remembers a day and a month. */
const ttlMs = { day: 172_800_000, month: 3_456_000_000 } as const;

export function createRedisCalls(redis: SharedRedis): RedisCalls {
  return {
    async readSince() {
      const reply = await redis.run({ script: sinceScript, keys: [sinceKey], args: [] });
      const [since = '', ageMs = ''] = toReply(reply);
      return { since, ageMs: Number(ageMs) };
    },
    async reserve({ id, limits, periods, tokens, tokensMin, price }, stored, since) {
      const args: (string | number)[] = [id, leaseMs, tokens, tokensMin];
      args.push(...toNumbers(price), since);
      for (const [index, limit] of limits.entries()) {
        const used = stored[index] ?? null;
        args.push(...toBounds(limit), used?.tokens ?? unknown, used?.nanoUsd ?? unknown);
      }
      const keys = [...periods.flatMap(toKeys), sinceKey];
      return toReserveReply(toReply(await redis.run({ script: reserveScript, keys, args })));
    },
    async extend({ id, limits, periods, price, tokens, nanoUsd }, { more, since }) {
      const args: (string | number)[] = [id, leaseMs, more, tokens, nanoUsd];
      args.push(...toNumbers(price), since, ...limits.flatMap(toBounds));
      const keys = [...periods.flatMap(toKeys), sinceKey];
      const reply = toReply(await redis.run({ script: extendScript, keys, args }));
      if (reply[0] === 'lost') return null;
      return { tokens: Number(reply[0]), nanoUsd: Number(reply[1]) };
    },
    async settle({ id, limits, periods, tokens, nanoUsd }, used) {
      const args = [id, tokens, nanoUsd, used.tokens, used.nanoUsd, storedWithinMs];
      args.push(...limits.map(({ period }) => ttlMs[period]));
      await redis.run({ script: settleScript, keys: periods.flatMap(toKeys), args });
    },
  };
}

/** What names the counter of an account and period. */
export function toCounterKey({ account, period }: AccountPeriod): string {
  return `${keyPrefix}:${account}:${period}`;
}

function toKeys(period: AccountPeriod): [use: string, leases: string] {
  const key = toCounterKey(period);
  return [key, `${key}:leases`];
}

function toNumbers({ fixed, perToken }: TokenPrice): [number, number] {
  return [fixed, perToken];
}

function toBounds({ tokens, nanoUsd, period }: AccountLimit): [number, number, number] {
  return [tokens ?? noBound, nanoUsd ?? noBound, ttlMs[period]];
}

function toReserveReply([outcome = '', left = '', ...rest]: readonly string[]): ReserveReply {
  if (outcome === 'lost' || outcome === 'unknown') return { outcome };
  const numbers = rest.map(Number);
  const uses: AccountUse[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [tokens = 0, reservedTokens = 0, nanoUsd = 0, reservedNanoUsd = 0] = numbers.slice(at);
    uses.push({ tokens, reservedTokens, nanoUsd, reservedNanoUsd });
  }
  return outcome === 'rejected'
    ? { outcome, tokens: 0, tokensLeft: 0, uses }
    : { outcome: 'granted', tokens: Number(outcome), tokensLeft: Number(left), uses };
}

export function toReply(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('Unexpected reply from Redis.');
  return value.map(String);
}
