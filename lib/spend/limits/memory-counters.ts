import type { AccountLimit } from '../budgets/accounts.ts';
import { toPeriod, toUtcDay } from '../budgets/periods.ts';
import { type LoadUsed, requireUsed } from './limits.ts';

/** What one account has used in one period. */
export type Counter = {
  readonly period: string;
  tokens: number;
  nanoUsd: number;
  reservedTokens: number;
  reservedNanoUsd: number;
  /** When it was compared with storage. */
  readAt: number;
};

export type Counters = Readonly<{
  /** Those of the current day and month, in the order of the limits; new ones begin with what is stored. */
  find: (limits: readonly AccountLimit[]) => Promise<Counter[]>;
  /** Compares old ones with storage, without waiting for it. */
  refresh: (limits: readonly AccountLimit[], found: readonly Counter[]) => void;
}>;

/** How often counters are compared with storage: other instances may have used something, too. */
const readEveryMs = 60_000;

export function createCounters(loadUsed: LoadUsed, now: () => number): Counters {
  /** The current period of each account, by `day ` or `month ` and its name. */
  const counters = new Map<string, Counter>();
  const loading = new Map<string, Promise<void>>();

  /** Requests that began in an earlier period keep its counter, and settle on it. */
  function findKnown(limits: readonly AccountLimit[], day: string): Counter[] | null {
    const found: Counter[] = [];
    for (const limit of limits) {
      const counter = counters.get(toName(limit));
      if (counter === undefined || counter.period !== toPeriod(day, limit.period)) return null;
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
    for (const [index, limit] of limits.entries()) {
      const { tokens, nanoUsd } = used[index] ?? { tokens: 0, nanoUsd: 0 };
      const period = toPeriod(day, limit.period);
      const known = counters.get(toName(limit));
      if (known?.period === period) {
        known.tokens = Math.max(known.tokens, tokens);
        known.nanoUsd = Math.max(known.nanoUsd, nanoUsd);
      } else {
        const nothing = { reservedTokens: 0, reservedNanoUsd: 0 };
        counters.set(toName(limit), { period, tokens, nanoUsd, ...nothing, readAt });
      }
    }
  }

  /** Concurrent requests share one read of each counter. */
  async function loadOnce(limits: readonly AccountLimit[], day: string): Promise<void> {
    const missing = limits.filter((limit) => !loading.has(toName(limit)));
    if (missing.length > 0) {
      const started = load(missing, day).finally(() => {
        for (const limit of missing) loading.delete(toName(limit));
      });
      for (const limit of missing) loading.set(toName(limit), started);
    }
    await Promise.all(limits.map((limit) => loading.get(toName(limit))));
  }

  return {
    async find(limits) {
      for (;;) {
        const day = toUtcDay(now());
        const found = findKnown(limits, day);
        if (found !== null) return found;
        await loadOnce(limits, day);
      }
    },
    refresh(limits, found) {
      const at = now();
      const old = limits.filter((_, index) => {
        const counter = found[index];
        // The absolute difference: a clock that is set back must not end the comparison.
        if (counter === undefined || Math.abs(at - counter.readAt) < readEveryMs) return false;
        counter.readAt = at;
        return true;
      });
      // A database that is away has been logged where usage is written.
      if (old.length > 0) loadOnce(old, toUtcDay(at)).catch(() => {});
    },
  };
}

function toName({ account, period }: AccountLimit): string {
  return `${period} ${account}`;
}
