import { type Selectable, sql, type Transaction } from 'kysely';
import { pruneByDay } from '#lib/storage/days.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { isStorageError, toErrorCode } from '#lib/storage/storage-error.ts';
import {
  type CountedRow,
  countedColumns,
  countUsage,
  lockBalances,
  toCorrection,
  toCountedUsage,
} from './count-usage.ts';
import { withoutErasedMembers } from './erase-usage.ts';
import { createUsageSums, type UsageSums } from './usage-sums.ts';
import { createUpsert, type UsageRecord } from './usage-upsert.ts';

/** What writing records has led to, to be logged. */
type WriteReport = Readonly<{
  /** Balances that have reached their bound, as `ACCOUNT DAY`. */
  saturated: readonly string[];
  setAside: readonly SetAside[];
}>;

/** A record that cannot be counted, and the code of the error. */
type SetAside = Readonly<{ id: string; reason: string }>;

export type UsageStore = UsageSums &
  Readonly<{
    /**
     * Writes and counts requests that have ended. The first end wins; a request that another instance has closed as
     * it stood is corrected. A record that cannot be counted is set aside, and the others are written.
     */
    insert: (records: readonly UsageRecord[]) => Promise<WriteReport>;
    /** Writes requests under way, as they would be charged if their instance died, or renews their leases. */
    lease: (records: readonly UsageRecord[], until: number) => Promise<void>;
    /** Closes and counts, as they stand, the requests whose lease has expired; returns their number. */
    closeExpired: (now: number) => Promise<number>;
    /** Requests of a key that have ended, by day, from the one after another. At most 1,000. */
    listOfKey: (keyId: string, after: UsagePlace) => Promise<UsageRow[]>;
    /** Records that could not be counted. */
    listSetAside: () => Promise<SetAside[]>;
    /** How many requests under way no instance has renewed before a time. */
    countExpired: (now: number) => Promise<number>;
    /** Forgets to which sessions requests from before a day belonged; returns how many rows. */
    pruneSessions: (beforeDay: string) => Promise<number>;
    /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
    prune: (beforeDay: string) => Promise<number>;
  }>;

/** Before the first one: two empty texts. */
type UsagePlace = Readonly<{ day: string; id: string }>;

export type UsageRow = Selectable<Schema['marquee_usage']>;

/** Of `listOfKey`. */
const listedMax = 1_000;
/** SQLite takes 32,766 parameters in a statement; a record has 24. */
const rowsMax = 500;

export function createUsageStore(run: RunQuery): UsageStore {
  const toUpsert = createUpsert();

  /** Returns the balances that have reached their bound. */
  async function insertBatch(records: readonly UsageRecord[]): Promise<string[]> {
    const ids = records.map(({ id }) => id);
    return run((db) =>
      db.transaction().execute(async (transaction) => {
        await lockBalances(transaction);
        const corrected = await transaction
          .selectFrom('marquee_usage')
          .select(countedColumns)
          .where('id', 'in', ids)
          .where('is_counted', '=', 1)
          .where('is_final', '=', 0)
          .execute();
        const upsert = toUpsert(transaction, records, null);
        const written = (await transaction.executeQuery(upsert)).rows as CountedRow[];
        return countUsage(transaction, [
          ...corrected.map(toCountedUsage).map(toCorrection),
          ...written.map(toCountedUsage),
        ]);
      }),
    );
  }

  async function insert(records: readonly UsageRecord[]): Promise<WriteReport> {
    const saturated: string[] = [];
    const setAside: SetAside[] = [];
    for (const batch of toBatches(await withoutErasedMembers(run, records))) {
      try {
        saturated.push(...(await insertBatch(batch)));
      } catch (error) {
        if (!isOfRecord(error)) throw error;
        const [record] = batch;
        if (batch.length === 1 && record !== undefined) {
          setAside.push(await putAside(record, toErrorCode(error)));
          continue;
        }
        for (const one of batch) {
          const report = await insert([one]);
          saturated.push(...report.saturated);
          setAside.push(...report.setAside);
        }
      }
    }
    return { saturated, setAside };
  }

  async function putAside(record: UsageRecord, reason: string): Promise<SetAside> {
    const { id } = record;
    await run((db) =>
      db
        .insertInto('marquee_usage_set_aside')
        .values({ id, reason, record: JSON.stringify(record) })
        .onConflict((on) => on.doNothing())
        .execute(),
    );
    return { id, reason };
  }

  return {
    ...createUsageSums(run),
    insert,
    async lease(records, until) {
      // Every instance renews its leases all the time, mostly none.
      if (records.length === 0) return;
      await run((db) =>
        db.transaction().execute(async (transaction) => {
          await lockBalances(transaction);
          for (const batch of toBatches(records)) {
            await transaction.executeQuery(toUpsert(transaction, batch, until));
          }
        }),
      );
    },
    async closeExpired(now) {
      let closed = 0;
      for (;;) {
        const rows = await run((db) => db.transaction().execute((one) => closeSome(one, now)));
        closed += rows;
        if (rows < rowsMax) return closed;
      }
    },
    listOfKey: (keyId, { day, id }) =>
      run((db) =>
        db
          .selectFrom('marquee_usage')
          .selectAll()
          .where('key_id', '=', keyId)
          .where('day', '>=', day)
          .where((row) => row.or([row('day', '>', day), row('id', '>', id)]))
          .where('lease_until', 'is', null)
          .orderBy('day')
          .orderBy('id')
          .limit(listedMax)
          .execute(),
      ),
    listSetAside: () =>
      run((db) =>
        db.selectFrom('marquee_usage_set_aside').select(['id', 'reason']).orderBy('id').execute(),
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
    prune: (beforeDay) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('marquee_usage_pruned')
            .set({ before_day: beforeDay })
            .where('before_day', '<', beforeDay)
            .execute();
          // Whole months: each is the sum of its days.
          await transaction
            .deleteFrom('marquee_balances')
            .where('day', '<', `${beforeDay.slice(0, 7)}-01`)
            .execute();
          return pruneByDay(transaction, 'marquee_usage', beforeDay);
        }),
      ),
  };
}

function toBatches(records: readonly UsageRecord[]): (readonly UsageRecord[])[] {
  const batches: (readonly UsageRecord[])[] = [];
  for (let from = 0; from < records.length; from += rowsMax) {
    batches.push(records.slice(from, from + rowsMax));
  }
  return batches;
}

/** Whether a record is at fault, not the database: SQLSTATE classes 22 and 23, SQLite's TOOBIG, CONSTRAINT and MISMATCH. */
function isOfRecord(error: unknown): boolean {
  const cause = isStorageError(error) ? error.cause : error;
  if (cause instanceof RangeError || cause instanceof TypeError) return true;
  return /^(?:2[23]\w{3}|SQLITE_(?:18|19|20)|AMOUNTS)$/.test(toErrorCode(error));
}

async function closeSome(db: Transaction<Schema>, now: number): Promise<number> {
  await lockBalances(db);
  const expired = db
    .selectFrom('marquee_usage')
    .select('id')
    // As in the index: SQLite does not find it with a parameter.
    .where('is_counted', '=', sql.lit(0))
    .where('lease_until', '<', now)
    .limit(rowsMax);
  const rows = await db
    .updateTable('marquee_usage')
    .set({ lease_until: null, is_counted: 1 })
    .where('id', 'in', expired)
    .returning(countedColumns)
    .execute();
  await countUsage(db, rows.map(toCountedUsage));
  return rows.length;
}
