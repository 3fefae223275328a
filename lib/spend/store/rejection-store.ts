import { sql } from 'kysely';
import { pruneByDay } from '#lib/storage/days.ts';
import type { RunQuery } from '#lib/storage/schema.ts';
import { createClosedDays } from './closed-days.ts';

/** The rejected requests of a key in one minute, with one status and code. */
export type RejectionCount = Readonly<{
  keyId: string;
  /** The minute's start, Unix ms. */
  at: number;
  status: number;
  code: string;
  count: number;
}>;

export type RejectionSum = Readonly<{ status: number; code: string; count: number }>;

/** On one day (`YYYY-MM-DD`, UTC). */
export type DayRejections = RejectionSum & Readonly<{ day: string }>;

export type RejectionStore = Readonly<{
  /** Of a key, from a day on, the most frequent first. */
  sum: (fromDay: string, keyId: string) => Promise<RejectionSum[]>;
  /** Of all keys, by day, from a day to today: of the newest 20,000 counts. */
  sumOfSite: (fromDay: string, today: string) => Promise<readonly DayRejections[]>;
  /** Of several keys, oldest first. */
  list: (keyIds: readonly string[]) => Promise<RejectionCount[]>;
  /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
  prune: (beforeDay: string) => Promise<number>;
}>;

export function createRejectionStore(run: RunQuery, readLong: RunQuery): RejectionStore {
  return {
    sum: (fromDay, keyId) =>
      readLong((db) =>
        db
          .selectFrom('marquee_rejections')
          .select(['status', 'code', countSum])
          .where('key_id', '=', keyId)
          .where('day', '>=', fromDay)
          .groupBy(['status', 'code'])
          .orderBy('count', 'desc')
          .execute(),
      ),
    sumOfSite: createClosedDays((fromDay) =>
      readLong((db) => {
        const newest = db
          .selectFrom('marquee_rejections')
          .select(['day', 'status', 'code', 'count'])
          .where('day', '>=', fromDay)
          .orderBy('day', 'desc')
          .limit(countsMax)
          .as('newest');
        return db
          .selectFrom(newest)
          .select(['day', 'status', 'code', countSum])
          .groupBy(['day', 'status', 'code'])
          .execute();
      }),
    ),
    list: (keyIds) =>
      run((db) =>
        db
          .selectFrom('marquee_rejections')
          .select(['key_id as keyId', 'at', 'status', 'code', 'count'])
          .where('key_id', 'in', keyIds)
          .orderBy('at')
          .execute(),
      ),
    prune: (beforeDay) => run((db) => pruneByDay(db, 'marquee_rejections', beforeDay)),
  };
}

/** Of `sumOfSite`. */
const countsMax = 20_000;

const countSum = sql<number>`sum(count)`.as('count');
