import { pruneByDay } from '#lib/storage/days.ts';
import type { RunQuery } from '#lib/storage/schema.ts';

/** The rejected requests of a key in one minute, with one status and code. */
export type RejectionCount = Readonly<{
  keyId: string;
  /** The minute's start, Unix ms. */
  at: number;
  status: number;
  code: string;
  count: number;
}>;

export type RejectionSum = Readonly<{ keyId: string; status: number; code: string; count: number }>;

export type RejectionStore = Readonly<{
  /** Of all keys or of one, from a day on, the most frequent first. */
  sum: (fromDay: string, keyId?: string) => Promise<RejectionSum[]>;
  /** Of several keys, oldest first. */
  list: (keyIds: readonly string[]) => Promise<RejectionCount[]>;
  /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
  prune: (beforeDay: string) => Promise<number>;
}>;

export function createRejectionStore(run: RunQuery): RejectionStore {
  return {
    sum: (fromDay, keyId) =>
      run((db) => {
        const sums = db
          .selectFrom('marquee_rejections')
          .select(({ fn }) => [
            'key_id as keyId',
            'status',
            'code',
            fn.sum<number>('count').as('count'),
          ])
          .where('day', '>=', fromDay)
          .groupBy(['key_id', 'status', 'code'])
          .orderBy('count', 'desc');
        return (keyId === undefined ? sums : sums.where('key_id', '=', keyId)).execute();
      }),
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
