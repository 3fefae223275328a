import { type Kysely, sql } from 'kysely';
import { pruneByDay } from '#lib/storage/days.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { createClosedDays } from './closed-days.ts';
import type { RequestFilter } from './request-reader.ts';

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
type DayRejections = RejectionSum & Readonly<{ day: string }>;

/** On a day (`YYYY-MM-DD`, UTC), or from one on. */
type NewestDays = Pick<RequestFilter, 'statuses'> &
  Readonly<{ day?: string; fromDay?: string; limit: number }>;

export type RejectionStore = Readonly<{
  /** Of a key, from a day on, the most frequent first. */
  sum: (fromDay: string, keyId: string) => Promise<RejectionSum[]>;
  /** Of all keys, by day, from a day to today: of the newest 20,000 counts. */
  sumOfSite: (fromDay: string, today: string) => Promise<readonly DayRejections[]>;
  /** The keys with most rejections of a code on a day (`YYYY-MM-DD`, UTC), at most a hundred. */
  findKeys: (filter: Readonly<{ day: string; code: string }>) => Promise<readonly string[]>;
  /** Of a key, a page of them, oldest first. */
  list: (
    keyId: string,
    page: Readonly<{ limit: number; offset: number }>,
  ) => Promise<RejectionCount[]>;
  /** Of several keys, newest first. */
  listNewest: (keyIds: readonly string[], days: NewestDays) => Promise<RejectionCount[]>;
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
    findKeys: ({ day, code }) =>
      readLong(async (db) => {
        const rows = await db
          .selectFrom('marquee_rejections')
          .select(['key_id as keyId', countSum])
          .where('day', '=', day)
          .where('code', '=', code)
          .groupBy('key_id')
          .orderBy('count', 'desc')
          .limit(keysMax)
          .execute();
        return rows.map(({ keyId }) => keyId);
      }),
    list: (keyId, { limit, offset }) =>
      readLong((db) => {
        // In the order of an index.
        const all = selectOf(db, [keyId]).orderBy('day').orderBy('at').orderBy('id');
        return all.limit(limit).offset(offset).execute();
      }),
    listNewest: (keyIds, { day, fromDay, statuses, limit }) =>
      readLong((db) => {
        let query = selectOf(db, keyIds);
        if (day !== undefined) query = query.where('day', '=', day);
        if (fromDay !== undefined) query = query.where('day', '>=', fromDay);
        if (statuses !== undefined) {
          query = query.where('status', '>=', statuses.from).where('status', '<=', statuses.to);
        }
        return query.orderBy('at', 'desc').orderBy('id').limit(limit).execute();
      }),
    prune: (beforeDay) => run((db) => pruneByDay(db, 'marquee_rejections', beforeDay)),
  };
}

function selectOf(db: Kysely<Schema>, keyIds: readonly string[]) {
  return db
    .selectFrom('marquee_rejections')
    .select(['key_id as keyId', 'at', 'status', 'code', 'count'])
    .where('key_id', 'in', keyIds);
}

/** Of `findKeys`. */
const keysMax = 100;
/** Of `sumOfSite`. */
const countsMax = 20_000;

const countSum = sql<number>`sum(count)`.as('count');
