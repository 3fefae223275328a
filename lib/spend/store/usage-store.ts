import { type Kysely, sql } from 'kysely';
import { pruneByDay } from '#lib/storage/days.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import type { UsageRow } from '../ledger/usage-record.ts';
import { sumUpRecentCosts } from './recent-costs.ts';
import { createRequestReader, type ListRequests } from './request-reader.ts';
import { createUsageSums, type UsageSums } from './usage-sums.ts';

/** A record that cannot be counted, and the code of the error. */
type SetAside = Readonly<{ id: string; reason: string }>;

export type Disbelieved = Readonly<{ upstream: string | null; count: number }>;

export type UsageStore = UsageSums &
  Readonly<{
    listRequests: ListRequests;
    /** The newest request of a key that has ended or was rejected, by the id of its reply or its own. */
    findOfKey: (keyId: string, id: string) => Promise<UsageRow | null>;
    /** Records that could not be counted. */
    listSetAside: () => Promise<SetAside[]>;
    /** How often each upstream has reported more than is possible, from a time on (Unix ms). */
    countDisbelieved: (from: number) => Promise<readonly Disbelieved[]>;
    /** How many requests under way no instance has renewed before a time. */
    countExpired: (now: number) => Promise<number>;
    /** Forgets to which sessions requests from before a day belonged; returns how many rows. */
    pruneSessions: (beforeDay: string) => Promise<number>;
    /** Sums up by what costs lists are sorted. */
    sumUpRecentCosts: (today: string) => Promise<void>;
    /** Deletes a part of what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
    prune: (beforeDay: string) => Promise<number>;
  }>;

/** Few enough for the event loop, on which SQLite writes. */
const rowsMax = 250;

export function createUsageStore(run: RunQuery, readLong: RunQuery): UsageStore {
  return {
    ...createUsageSums(run, readLong),
    listRequests: createRequestReader(readLong),
    findOfKey: (keyId, id) => run((db) => findOfKey(db, keyId, id)),
    listSetAside: () =>
      run((db) =>
        db.selectFrom('marquee_usage_set_aside').select(['id', 'reason']).orderBy('id').execute(),
      ),
    countDisbelieved: (from) =>
      readLong((db) =>
        db
          .selectFrom('marquee_usage')
          .select(({ fn }) => ['upstream', fn.countAll<number>().as('count')])
          .where('at', '>=', from)
          // The condition of an index.
          .where(sql<boolean>`(reported_tokens is not null or reported_nano_usd is not null)`)
          .groupBy('upstream')
          .orderBy('upstream')
          .execute(),
      ),
    countExpired: (now) =>
      run(async (db) => {
        const expired = db.selectFrom('marquee_usage').where('is_counted', '=', sql.lit(0));
        const { count } = await expired
          .where('lease_until', '<', now)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        return count;
      }),
    pruneSessions: (beforeDay) =>
      run(async (db) => {
        const old = db
          .selectFrom('marquee_usage')
          .select('id')
          .where('session', 'is not', null)
          .where('day', '<', beforeDay)
          .limit(rowsMax);
        const { numUpdatedRows } = await db
          .updateTable('marquee_usage')
          .set({ session: null })
          .where('id', 'in', old)
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      }),
    sumUpRecentCosts: (today) => sumUpRecentCosts({ run, readLong }, today),
    prune: (beforeDay) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('marquee_usage_pruned')
            .set({ before_day: beforeDay })
            .where('before_day', '<', beforeDay)
            .execute();
          // Whole months: each is the sum of its days.
          const balances = await pruneBalances(transaction, `${beforeDay.slice(0, 7)}-01`);
          return balances + (await pruneByDay(transaction, 'marquee_usage', beforeDay));
        }),
      ),
  };
}

async function pruneBalances(db: Kysely<Schema>, beforeDay: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from marquee_balances where (account, day) in (
      select account, day from marquee_balances where day < ${beforeDay} limit ${rowsMax})
  `.execute(db);
  return Number(numAffectedRows);
}

async function findOfKey(db: Kysely<Schema>, keyId: string, id: string): Promise<UsageRow | null> {
  for (const column of ['reply_id', 'request_id'] as const) {
    const row = await db
      .selectFrom('marquee_usage')
      .selectAll()
      .where('key_id', '=', keyId)
      .where(column, '=', id)
      .where('lease_until', 'is', null)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return row;
  }
  return null;
}
