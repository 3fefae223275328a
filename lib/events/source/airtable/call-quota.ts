import { toUtcDay } from '#lib/storage/days.ts';
import type { RunQuery } from '#lib/storage/schema.ts';
import { toMonth } from '../../model/dates.ts';
import { formatCount } from '../../words/format-count.ts';
import { toRefreshAge } from '../refresh-age.ts';
import { callEveryMs } from './rate-limiter.ts';

/** How often Airtable was called in a month, `YYYY-MM` in UTC, by all instances. */
export type CallStore = Readonly<{
  add: (month: string, calls: number) => Promise<void>;
  find: (month: string) => Promise<number>;
}>;

export function createCallStore(run: RunQuery): CallStore {
  return {
    add: (month, calls) =>
      run(async (db) => {
        await db
          .insertInto('marquee_airtable_calls')
          .values({ month, calls })
          .onConflict((on) =>
            on.column('month').doUpdateSet((update) => ({
              calls: update('marquee_airtable_calls.calls', '+', calls),
            })),
          )
          .execute();
      }),
    find: (month) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_airtable_calls')
          .select('calls')
          .where('month', '=', month)
          .executeTakeFirst();
        return row?.calls ?? 0;
      }),
  };
}

type CallCounter = Readonly<{
  count: () => void;
  /** Of this month. */
  findUsed: () => Promise<number>;
  close: () => Promise<void>;
}>;

type CounterOptions = Readonly<{ store: CallStore; now: () => number }>;

const flushAfterMs = 1_000;

/** Counts calls, and stores them a second later. */
export function createCallCounter({ store, now }: CounterOptions): CallCounter {
  let pending = 0;
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    timer = null;
    const calls = pending;
    pending = 0;
    if (calls === 0) return;
    try {
      await store.add(toMonth(toUtcDay(now())), calls);
    } catch {
      // They are stored with the next ones.
      pending += calls;
    }
  }

  return {
    count() {
      pending++;
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
    },
    findUsed: async () => (await store.find(toMonth(toUtcDay(now())))) + pending,
    async close() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}

const rowsPerCall = 100;
const monthMs = 30 * 24 * 60 * 60 * 1000;
const warnAtShare = 0.8;

type QuotaOptions = Readonly<{
  used: number;
  rows: number;
  cacheSeconds: number;
  /** Null: unknown. */
  callsMax: number | null;
}>;

export type CallQuota = Readonly<{
  used: number;
  /** In 30 days, if the table is refreshed whenever that is due, and at least what was used. */
  projected: number;
  callsMax: number | null;
  isNearlyUsed: boolean;
}>;

/** The calls of a month beside what the plan allows. */
export function toCallQuota({ used, rows, cacheSeconds, callsMax }: QuotaOptions): CallQuota {
  const calls = Math.max(1, Math.ceil(rows / rowsPerCall));
  const readMs = calls * callEveryMs;
  const readEveryMs = Math.max(readMs, toRefreshAge({ cacheMs: cacheSeconds * 1000, readMs }));
  const reads = monthMs / readEveryMs;
  const projected = Math.max(used, Math.ceil(reads * calls));
  const isNearlyUsed = callsMax !== null && projected >= callsMax * warnAtShare;
  return { used, projected, callsMax, isNearlyUsed };
}

/** For operators: `1,204 calls this month, at most 14,400 in 30 days, of 50,000`. */
export function describeCallQuota({ used, projected, callsMax }: CallQuota): string {
  const limit = callsMax === null ? '' : `, of ${formatCount(callsMax)}`;
  return `${formatCount(used)} calls this month, at most ${formatCount(projected)} in 30 days${limit}`;
}
