import { toUtcDay } from '#lib/storage/days.ts';
import { periods } from '../periods.ts';
import { decide, toCost } from './decide.ts';
import type { AccountPeriod, AccountUse, Amounts, Counters, LoadUsed } from './limits.ts';

/** What one account has used in one period, and what each of its running requests has reserved. */
type Counter = {
  readonly period: AccountPeriod;
  tokens: number;
  nanoUsd: number;
  readonly reservations: Map<string, Amounts>;
  /** Its first comparison with storage. */
  loaded: Promise<void>;
  /** When it was last compared. */
  readAt: number;
};

type MemoryCountersOptions = Readonly<{
  loadUsed: LoadUsed;
  /** Unix time in ms. */
  now: () => number;
  /** A monotonic clock, in ms. */
  uptime: () => number;
}>;

/** How often counters are compared with storage: other instances may have used something, too. */
const readEveryMs = 60_000;

/** Counters of this process alone; new ones begin with what is stored. */
export function createMemoryCounters({ loadUsed, now, uptime }: MemoryCountersOptions): Counters {
  const minutes = new Map<string, MinuteWindow>();
  const counters = new Map<string, Counter>();
  let today = '';

  async function find(periods: readonly AccountPeriod[]): Promise<Counter[]> {
    const found = periods.map(getCounter);
    await Promise.all(found.map(({ loaded }) => loaded));
    return found;
  }

  function getCounter(accountPeriod: AccountPeriod): Counter {
    const name = `${accountPeriod.account} ${accountPeriod.period} ${accountPeriod.day}`;
    const known = counters.get(name);
    if (known !== undefined) {
      const isOld = uptime() - known.readAt >= readEveryMs;
      // A database that is away has been logged where usage is written.
      if (isOld) load(known, accountPeriod).catch(() => {});
      return known;
    }
    dropEarlier();
    const counter: Counter = {
      period: accountPeriod,
      tokens: 0,
      nanoUsd: 0,
      reservations: new Map(),
      loaded: Promise.resolve(),
      readAt: uptime(),
    };
    counters.set(name, counter);
    counter.loaded = load(counter, accountPeriod);
    // The next request tries again.
    counter.loaded.catch(() => counters.delete(name));
    return counter;
  }

  async function load(counter: Counter, accountPeriod: AccountPeriod): Promise<void> {
    counter.readAt = uptime();
    const [used] = await loadUsed([accountPeriod]);
    counter.tokens = Math.max(counter.tokens, used?.tokens ?? 0);
    counter.nanoUsd = Math.max(counter.nanoUsd, used?.nanoUsd ?? 0);
  }

  /** Once a day: the counters of earlier periods, except where requests are still running. */
  function dropEarlier(): void {
    const day = toUtcDay(now());
    if (day === today) return;
    today = day;
    for (const [name, { period, reservations }] of counters) {
      const isEarlier = periods[period.period].toFirstDay(day) !== period.day;
      if (isEarlier && reservations.size === 0) counters.delete(name);
    }
  }

  return {
    async countRequest({ id, requestsPerMinute }) {
      const minute = minutes.get(id) ?? createMinuteWindow();
      minutes.set(id, minute);
      const at = uptime();
      const isGranted = minute.count(at) < requestsPerMinute;
      if (isGranted) minute.add(at);
      return {
        isGranted,
        left: requestsPerMinute - minute.count(at),
        resetMs: minute.untilBelow(1, at),
        waitMs: minute.untilBelow(requestsPerMinute, at),
      };
    },
    read: async ({ periods }) => (await find(periods)).map(toUse),
    async reserve({ id, limits, periods }, demand) {
      const found = await find(periods);
      // No await from here on: the check and the reservation are one step.
      const uses = found.map(toUse);
      const decision = decide(demand, limits, uses);
      if (decision.outcome === 'granted') {
        const { promptTokens, outputTokens } = decision;
        const cost = toCost(demand.price, promptTokens, outputTokens);
        const more = promptTokens + outputTokens;
        for (const { reservations } of found) {
          const { tokens, nanoUsd } = reservations.get(id) ?? { tokens: 0, nanoUsd: 0 };
          reservations.set(id, { tokens: tokens + more, nanoUsd: nanoUsd + cost });
        }
      }
      return { decision, uses };
    },
    async settle({ id, periods }, used) {
      for (const period of periods) {
        const counter = getCounter(period);
        counter.reservations.delete(id);
        counter.tokens += used.tokens;
        counter.nanoUsd += used.nanoUsd;
      }
    },
    close() {},
  };
}

function toUse({ tokens, nanoUsd, reservations }: Counter): AccountUse {
  let reservedTokens = 0;
  let reservedNanoUsd = 0;
  for (const reservation of reservations.values()) {
    reservedTokens += reservation.tokens;
    reservedNanoUsd += reservation.nanoUsd;
  }
  return { tokens, nanoUsd, reservedTokens, reservedNanoUsd };
}

/** The current second and the 59 before it: so a wait is never longer than 60 s. */
const seconds = 60;

/**
 * A sliding window: the requests of the last minute, counted by second. (A fixed window would allow twice
 * the limit around the turn of a minute.) Times are ms of a clock that never goes back.
 */
export type MinuteWindow = Readonly<{
  count: (now: number) => number;
  add: (now: number) => void;
  /** ms until fewer than `count` are left, without further requests. */
  untilBelow: (count: number, now: number) => number;
}>;

export function createMinuteWindow(): MinuteWindow {
  const counts = new Uint32Array(seconds);
  let last = 0;
  let total = 0;

  const at = (second: number): number => counts[second % seconds] ?? 0;

  function moveTo(now: number): void {
    const second = Math.floor(now / 1_000);
    const from = Math.max(last + 1, second - seconds + 1);
    for (let expired = from; expired <= second; expired += 1) {
      total -= at(expired);
      counts[expired % seconds] = 0;
    }
    last = second;
  }

  return {
    count(now) {
      moveTo(now);
      return total;
    },
    add(now) {
      moveTo(now);
      counts[last % seconds] = at(last) + 1;
      total += 1;
    },
    untilBelow(count, now) {
      moveTo(now);
      let left = total;
      for (let second = last - seconds + 1; second <= last; second += 1) {
        if (left < count) break;
        left -= at(second);
        if (left < count) return Math.ceil((second + seconds) * 1_000 - now);
      }
      return 0;
    },
  };
}
