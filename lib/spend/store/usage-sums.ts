import { type Kysely, sql } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';

/** Usage of several requests. */
export type UsageTotals = Readonly<{
  requests: number;
  tokensIn: number;
  tokensOut: number;
  /** Parts of `tokensIn`: read from the upstream's prompt cache, and written to it. */
  cachedTokens: number;
  cacheWriteTokens: number;
  /** null: no request has a known price. */
  costUsd: number | null;
}>;

export const noUsage: UsageTotals = {
  requests: 0,
  tokensIn: 0,
  tokensOut: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  costUsd: null,
};

/** An unknown cost stays unknown until something is known. */
export function addTotals(one: UsageTotals, other: UsageTotals): UsageTotals {
  const isUnknown = one.costUsd === null && other.costUsd === null;
  return {
    requests: one.requests + other.requests,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    costUsd: isUnknown ? null : (one.costUsd ?? 0) + (other.costUsd ?? 0),
  };
}

export function sumTotals(sums: readonly UsageTotals[]): UsageTotals {
  return sums.reduce<UsageTotals>(addTotals, noUsage);
}

/** Usage of one model on one day (`YYYY-MM-DD`, UTC). */
export type UsageSum = Readonly<{ day: string; model: string }> & UsageTotals;

/** Usage of one key and model on one day. */
export type KeyUsageSum = UsageSum & Readonly<{ keyId: string }>;

/** Usage of one key, model and coding session on one day. */
export type SessionUsageSum = KeyUsageSum &
  Readonly<{
    /** Null: of none, or older than thirty days. */
    session: string | null;
    /** When the last of the requests arrived, Unix ms. */
    lastAt: number;
  }>;

type UsageColumn = 'key_id' | 'day' | 'model';
type UsageGroup = Readonly<{ group: string }>;

/** How many requests had a response with an HTTP status. */
/** `at` is Unix ms. */
export type FailedRequest = Readonly<{ at: number; status: number; model: string; keyId: string }>;

export type StatusCount = Readonly<{ status: number; requests: number }>;

/** Sums of the requests that have ended. */
export type UsageSums = Readonly<{
  /** From a day on, newest first. */
  sumByDayAndModel: (keyId: string, fromDay: string) => Promise<UsageSum[]>;
  /** Of all keys or of one, from a day on. */
  sumBy: (
    column: UsageColumn,
    fromDay: string,
    keyId?: string,
  ) => Promise<(UsageTotals & UsageGroup)[]>;
  /** Of several keys, from a day on, oldest first. */
  sumOfKeys: (keyIds: readonly string[], fromDay: string) => Promise<KeyUsageSum[]>;
  /** The same by coding session. */
  sumOfSessions: (keyIds: readonly string[], fromDay: string) => Promise<SessionUsageSum[]>;
  /** Of all keys, from a day on, the most frequent first. */
  countByStatus: (fromDay: string) => Promise<StatusCount[]>;
  /** The newest requests with a status of 400 or above. */
  lastFailures: (fromDay: string, count: number) => Promise<FailedRequest[]>;
  /** When each of these keys was used last, Unix ms; without those that never were. */
  lastUsed: (keyIds: readonly string[]) => Promise<[keyId: string, at: number][]>;
}>;

export function createUsageSums(run: RunQuery): UsageSums {
  return {
    sumBy: (column, fromDay, keyId) =>
      run((db) => {
        const sums = selectTotals(db)
          .select(`${column} as group` as const)
          .where('day', '>=', fromDay)
          .groupBy(column);
        return (keyId === undefined ? sums : sums.where('key_id', '=', keyId)).execute();
      }),
    sumByDayAndModel: (keyId, fromDay) =>
      run((db) =>
        selectTotals(db)
          .select(['day', 'model'])
          .where('key_id', '=', keyId)
          .where('day', '>=', fromDay)
          .groupBy(['day', 'model'])
          .orderBy('day', 'desc')
          .orderBy('model')
          .execute(),
      ),
    sumOfKeys: (keyIds, fromDay) =>
      run((db) =>
        selectTotals(db)
          .select(['day', 'model', 'key_id as keyId'])
          .where('key_id', 'in', keyIds)
          .where('day', '>=', fromDay)
          .groupBy(['day', 'model', 'key_id'])
          .orderBy('day')
          .orderBy('model')
          .execute(),
      ),
    sumOfSessions: (keyIds, fromDay) =>
      run((db) =>
        selectTotals(db)
          .select(({ fn }) => [
            'day',
            'model',
            'key_id as keyId',
            'session',
            fn.max<number>('at').as('lastAt'),
          ])
          .where('key_id', 'in', keyIds)
          .where('day', '>=', fromDay)
          .groupBy(['day', 'model', 'key_id', 'session'])
          .orderBy('day')
          .orderBy('model')
          .execute(),
      ),
    countByStatus: (fromDay) =>
      run((db) =>
        selectEnded(db)
          .select(({ fn }) => ['status', fn.countAll<number>().as('requests')])
          .where('day', '>=', fromDay)
          .groupBy('status')
          .orderBy('requests', 'desc')
          .execute(),
      ),
    lastFailures: (fromDay, count) =>
      run((db) =>
        selectEnded(db)
          .select(['at', 'status', 'model', 'key_id as keyId'])
          .where('day', '>=', fromDay)
          .where('status', '>=', 400)
          .orderBy('at', 'desc')
          .limit(count)
          .execute(),
      ),
    lastUsed: (keyIds) =>
      run(async (db) => {
        const rows = await selectEnded(db)
          .select(({ fn }) => ['key_id as keyId', fn.max<number>('at').as('at')])
          .where('key_id', 'in', keyIds)
          .groupBy('key_id')
          .execute();
        return rows.map(({ keyId, at }) => [keyId, at]);
      }),
  };
}

function selectEnded(db: Kysely<Schema>) {
  return db.selectFrom('marquee_usage').where('lease_until', 'is', null);
}

function selectTotals(db: Kysely<Schema>) {
  return selectEnded(db).select(({ fn }) => [
    fn.countAll<number>().as('requests'),
    sumOf('tokens_in').as('tokensIn'),
    sumOf('tokens_out').as('tokensOut'),
    sumOf('tokens_cached').as('cachedTokens'),
    sumOf('tokens_cache_written').as('cacheWriteTokens'),
    sql<number | null>`${sumOf('cost_nano_usd')} / 1e9`.as('costUsd'),
  ]);
}

type AmountColumn =
  | 'tokens_in'
  | 'tokens_out'
  | 'tokens_cached'
  | 'tokens_cache_written'
  | 'cost_nano_usd'
  | 'tokens'
  | 'nano_usd'
  | 'reserved_tokens'
  | 'reserved_nano_usd';

/** As a floating-point number, which never overflows and is exact up to 2^53. */
export function sumOf(column: AmountColumn) {
  return sql<number>`sum(cast(${sql.ref(column)} as double precision))`;
}
