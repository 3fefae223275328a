import { CompiledQuery, type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { pruneByDay } from '#lib/storage/prune-by-day.ts';
import type { CostSource, RunQuery, Schema } from '#lib/storage/schema.ts';
import type { Payer } from '../budgets/accounts.ts';
import { toUtcDay } from '../budgets/periods.ts';
import { countedColumns, countUsage, lockBalances } from './count-usage.ts';
import { createUsageSums, type UsageSums } from './usage-sums.ts';

/** The usage of one request, without its content. */
export type UsageRecord = Payer &
  Readonly<{
    /** Unique, so that a batch written twice counts once. */
    id: string;
    /** When the request arrived, Unix ms. It counts for this day (UTC). */
    at: number;
    model: string;
    endpoint: string;
    /** The name of the upstream that was tried last; null if none was. */
    upstream: string | null;
    isStreamed: boolean;
    /** HTTP status of the response. */
    status: number;
    tokensIn: number;
    tokensOut: number;
    /** The upstream reported no usage: the tokens are an estimate. */
    isEstimated: boolean;
    /** In billionths of a dollar; null: the price of the model is unknown. */
    costNanoUsd: number | null;
    costSource: CostSource | null;
    /** null: there was no response. */
    firstByteMs: number | null;
    durationMs: number;
  }>;

export type UsageStore = UsageSums &
  Readonly<{
    /** Writes and counts requests that have ended. One that was closed before stays as it is. */
    insert: (records: readonly UsageRecord[]) => Promise<void>;
    /** Writes requests under way, as they would be charged if their instance died, or renews their leases. */
    lease: (records: readonly UsageRecord[], until: number) => Promise<void>;
    /** Closes and counts, as they stand, the requests whose lease has expired; returns their number. */
    closeExpired: (now: number) => Promise<number>;
    /** Deletes what is older than a day (`YYYY-MM-DD`, UTC); returns how many rows. */
    prune: (beforeDay: string) => Promise<number>;
  }>;

/** SQLite takes 32,766 parameters in a statement; a record has 20. */
const rowsMax = 500;
/** Cached SQL texts, about 8 kB each. */
const insertsMax = 120;

type UsageRow = Insertable<Schema['marquee_usage']>;
type CountedRow = Parameters<typeof countUsage>[1][number];

export function createUsageStore(run: RunQuery): UsageStore {
  // Compiling the SQL of a batch takes longer than running it, and depends only on the number of rows.
  const inserts = new Map<number, string>();

  function toUpsert(db: Kysely<Schema>, rows: readonly UsageRow[]): CompiledQuery {
    const known = inserts.get(rows.length);
    if (known !== undefined) return CompiledQuery.raw(known, rows.flatMap(Object.values));
    const query = compileUpsert(db, rows);
    if (inserts.size >= insertsMax) inserts.clear();
    inserts.set(rows.length, query.sql);
    return query;
  }

  async function write(records: readonly UsageRecord[], leaseUntil: number | null): Promise<void> {
    // Every instance renews its leases all the time, mostly none.
    if (records.length === 0) return;
    await run((db) =>
      db.transaction().execute(async (transaction) => {
        await lockBalances(transaction);
        for (let from = 0; from < records.length; from += rowsMax) {
          const batch = records.slice(from, from + rowsMax);
          const rows = batch.map((record) => toRow(record, leaseUntil));
          const written = await transaction.executeQuery(toUpsert(transaction, rows));
          // Only those that were not closed before.
          if (leaseUntil === null) await countUsage(transaction, written.rows as CountedRow[]);
        }
      }),
    );
  }

  return {
    ...createUsageSums(run),
    insert: (records) => write(records, null),
    lease: write,
    async closeExpired(now) {
      let closed = 0;
      for (;;) {
        const rows = await run((db) => db.transaction().execute((one) => closeSome(one, now)));
        closed += rows;
        if (rows < rowsMax) return closed;
      }
    },
    prune: (beforeDay) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('marquee_usage_pruned')
            .set({ before_day: beforeDay })
            .where('before_day', '<', beforeDay)
            .execute();
          // Whole months, so that a month is the sum of its days.
          await transaction
            .deleteFrom('marquee_balances')
            .where('period', '<', beforeDay.slice(0, 7))
            .execute();
          return pruneByDay(transaction, 'marquee_usage', beforeDay);
        }),
      ),
  };
}

/** Also what an instance of the previous version has closed, which does not count. */
async function closeSome(db: Transaction<Schema>, now: number): Promise<number> {
  await lockBalances(db);
  const expired = db
    .selectFrom('marquee_usage')
    .select('id')
    // As in the index: SQLite does not find it with a parameter.
    .where('is_counted', '=', sql.lit(0))
    .where((value) => value.or([value('lease_until', '<', now), value('lease_until', 'is', null)]))
    .limit(rowsMax);
  const rows = await db
    .updateTable('marquee_usage')
    .set({ lease_until: null, is_counted: 1 })
    .where('id', 'in', expired)
    .returning(countedColumns)
    .execute();
  await countUsage(db, rows);
  return rows.length;
}

/** From open to closed, never back: the first close wins. */
function compileUpsert(db: Kysely<Schema>, rows: readonly UsageRow[]): CompiledQuery {
  const columns = Object.keys(rows[0] ?? {}) as (keyof UsageRow)[];
  return db
    .insertInto('marquee_usage')
    .values(rows)
    .onConflict((on) =>
      on
        .column('id')
        .doUpdateSet((update) =>
          Object.fromEntries(columns.map((column) => [column, update.ref(`excluded.${column}`)])),
        )
        .where('marquee_usage.lease_until', 'is not', null),
    )
    .returning(countedColumns)
    .compile();
}

// Every row has all columns, in this order.
function toRow(record: UsageRecord, leaseUntil: number | null): UsageRow {
  return {
    id: record.id,
    key_id: record.keyId,
    at: record.at,
    day: toUtcDay(record.at),
    model: record.model,
    endpoint: record.endpoint,
    is_streamed: record.isStreamed ? 1 : 0,
    status: record.status,
    tokens_in: record.tokensIn,
    tokens_out: record.tokensOut,
    is_estimated: record.isEstimated ? 1 : 0,
    cost_nano_usd: record.costNanoUsd,
    cost_source: record.costSource,
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
    upstream: record.upstream,
    lease_until: leaseUntil,
    // Queues that the previous version has left behind lack both.
    member_id: record.memberId ?? null,
    group_name: record.groupName ?? null,
    is_counted: leaseUntil === null ? 1 : 0,
  };
}
