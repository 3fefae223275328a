import { pruneByDay, toUtcDay } from '#lib/storage/days.ts';
import type { RunQuery } from '#lib/storage/schema.ts';

/** The rejected requests of a key in one minute, with one status and code, as one instance has counted them. */
export type RejectionCount = Readonly<{
  /** Of instance, key, minute and code. */
  id: string;
  keyId: string;
  /** The minute's start, Unix ms. */
  at: number;
  status: number;
  code: string;
  count: number;
}>;

export type RejectionSum = Readonly<{ keyId: string; status: number; code: string; count: number }>;

export type RejectionStore = Readonly<{
  /** Counts only grow: writing one twice changes nothing. */
  write: (counts: readonly RejectionCount[]) => Promise<void>;
  /** Of all keys or of one, from a day on, the most frequent first. */
  sum: (fromDay: string, keyId?: string) => Promise<RejectionSum[]>;
  /** Of several keys, oldest first. */
  list: (keyIds: readonly string[]) => Promise<Omit<RejectionCount, 'id'>[]>;
  /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
  prune: (beforeDay: string) => Promise<number>;
}>;

/** SQLite takes 32,766 parameters in a statement; a count has 7. */
const rowsMax = 500;

export function createRejectionStore(run: RunQuery): RejectionStore {
  return {
    write: (counts) =>
      run(async (db) => {
        for (let from = 0; from < counts.length; from += rowsMax) {
          const rows = counts.slice(from, from + rowsMax).map(({ keyId, ...count }) => ({
            ...count,
            key_id: keyId,
            day: toUtcDay(count.at),
          }));
          await db
            .insertInto('marquee_rejections')
            .values(rows)
            .onConflict((on) =>
              on
                .column('id')
                .doUpdateSet((update) => ({ count: update.ref('excluded.count') }))
                .whereRef('marquee_rejections.count', '<', 'excluded.count'),
            )
            .execute();
        }
      }),
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
