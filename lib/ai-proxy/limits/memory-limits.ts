import type { AccountLimit } from '#lib/budgets/accounts.ts';
import { toPeriod, toUtcDay } from '#lib/budgets/periods.ts';
import { decide, toCost, toFitting, toWholeDemand, type WholeDemand } from './decide.ts';
import { type Limits, type LoadUsed, type Reservation, requireUsed, toWhole } from './limits.ts';
import { createMinuteWindow, type MinuteWindow } from './minute-window.ts';
import {
  requireGranted,
  requireRequest,
  toRequestHeaders,
  toReservationHeaders,
} from './require-granted.ts';

export type MemoryLimitsOptions = Readonly<{ loadUsed: LoadUsed; now: () => number }>;

/** What one account has used in one period. */
type Counter = {
  readonly period: string;
  tokens: number;
  nanoUsd: number;
  reservedTokens: number;
  reservedNanoUsd: number;
  /** When it was compared with storage. */
  readAt: number;
};

/** How often counters are compared with storage: other instances may have used something, too. */
const readEveryMs = 60_000;

/** Limits of this process alone. */
export function createMemoryLimits({ loadUsed, now }: MemoryLimitsOptions): Limits {
  const minutes = new Map<string, MinuteWindow>();
  /** The current period of each account, by `day ` or `month ` and its name. */
  const counters = new Map<string, Counter>();
  const loading = new Map<string, Promise<void>>();

  /** Requests that began in an earlier period keep its counter, and settle on it. */
  function find(limits: readonly AccountLimit[], day: string): Counter[] | null {
    const found: Counter[] = [];
    for (const { account, period } of limits) {
      const counter = counters.get(toName(account, period));
      if (counter === undefined || counter.period !== toPeriod(day, period)) return null;
      found.push(counter);
    }
    return found;
  }

  async function load(limits: readonly AccountLimit[], day: string): Promise<void> {
    const wanted = limits.map(({ account, period }) => ({
      account,
      period: toPeriod(day, period),
    }));
    const readAt = now();
    const used = await requireUsed(loadUsed, wanted);
    for (const [index, { account, period }] of limits.entries()) {
      const { tokens, nanoUsd } = used[index] ?? { tokens: 0, nanoUsd: 0 };
      const name = toName(account, period);
      const known = counters.get(name);
      if (known === undefined || known.period !== toPeriod(day, period)) {
        const nothing = { reservedTokens: 0, reservedNanoUsd: 0 };
        counters.set(name, { period: toPeriod(day, period), tokens, nanoUsd, ...nothing, readAt });
      } else {
        known.tokens = Math.max(known.tokens, tokens);
        known.nanoUsd = Math.max(known.nanoUsd, nanoUsd);
      }
    }
  }

  /** Concurrent requests share one read of each counter. */
  async function loadOnce(limits: readonly AccountLimit[], day: string): Promise<void> {
    const names = limits.map(({ account, period }) => toName(account, period));
    const missing = limits.filter((_, index) => !loading.has(names[index] ?? ''));
    if (missing.length > 0) {
      const started = load(missing, day).finally(() => {
        for (const { account, period } of missing) loading.delete(toName(account, period));
      });
      for (const { account, period } of missing) loading.set(toName(account, period), started);
    }
    await Promise.all(names.map((name) => loading.get(name)));
  }

  async function waitForCounters(limits: readonly AccountLimit[]): Promise<Counter[]> {
    for (;;) {
      const day = toUtcDay(now());
      const found = find(limits, day);
      if (found !== null) return found;
      await loadOnce(limits, day);
    }
  }

  function readAgain(limits: readonly AccountLimit[], found: readonly Counter[]): void {
    const at = now();
    // The absolute difference: a clock that is set back must not end the comparison.
    const ageOf = (index: number) => Math.abs(at - (found[index]?.readAt ?? at));
    const old = limits.filter((_, index) => ageOf(index) >= readEveryMs);
    if (old.length === 0) return;
    for (const counter of found) counter.readAt = at;
    // A database that is away has been logged where usage is written.
    loadOnce(old, toUtcDay(at)).catch(() => {});
  }

  return {
    async countRequest(key) {
      const minute = minutes.get(key.id) ?? createMinuteWindow();
      minutes.set(key.id, minute);
      const at = now();
      const isGranted = minute.count(at) < key.requestsPerMinute;
      if (isGranted) minute.add(at);
      const decision = {
        isGranted,
        left: key.requestsPerMinute - minute.count(at),
        resetMs: minute.untilBelow(1, at),
        waitMs: minute.untilBelow(key.requestsPerMinute, at),
      };
      requireRequest(key, decision);
      return toRequestHeaders(key, decision);
    },
    async reserve({ limits }, given) {
      const demand = toWholeDemand(given);
      const found = find(limits, toUtcDay(now())) ?? (await waitForCounters(limits));
      // No await from here on: the check and the reservation are one step.
      const decision = requireGranted(decide(demand, limits, found), limits, found, now());
      const reservation = createReservation(limits, found, demand.price);
      reservation.add(decision.tokens);
      readAgain(limits, found);
      return {
        headers: toReservationHeaders(limits, found, now()),
        ...{ tokens: decision.tokens, tokensLeft: decision.tokensLeft },
        ...reservation.controls,
      };
    },
    read: ({ limits }) => waitForCounters(limits),
    async close() {},
  };
}

function toName(account: string, period: AccountLimit['period']): string {
  return `${period} ${account}`;
}

function createReservation(
  limits: readonly AccountLimit[],
  counters: readonly Counter[],
  price: WholeDemand['price'],
): Readonly<{
  add: (tokens: number) => void;
  controls: Pick<Reservation, 'extend' | 'settle' | 'release'>;
}> {
  let tokens = 0;
  let nanoUsd = 0;
  let isSettled = false;

  function add(more: number): void {
    const cost = toCost(price, tokens + more) - nanoUsd;
    for (const counter of counters) {
      counter.reservedTokens += more;
      counter.reservedNanoUsd += cost;
    }
    tokens += more;
    nanoUsd += cost;
  }

  function settle(usedTokens: number, usedNanoUsd: number): void {
    if (isSettled) return;
    isSettled = true;
    for (const counter of counters) {
      counter.reservedTokens -= tokens;
      counter.reservedNanoUsd -= nanoUsd;
      counter.tokens += usedTokens;
      counter.nanoUsd += usedNanoUsd;
    }
  }

  return {
    add,
    controls: {
      async extend(more) {
        if (isSettled) return 0;
        // What is reserved already is paid: only the rest is.
        const rest = {
          fixed: price.fixed + tokens * price.perToken - nanoUsd,
          perToken: price.perToken,
        };
        const granted = Math.max(0, Math.min(toWhole(more), toFitting(rest, limits, counters)));
        add(granted);
        return granted;
      },
      settle: (used) => settle(toWhole(used.tokens), toWhole(used.nanoUsd)),
      release: () => settle(0, 0),
    },
  };
}
