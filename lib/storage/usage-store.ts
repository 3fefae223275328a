import { CompiledQuery, type Insertable, type Kysely } from 'kysely';
import type { RunQuery, Schema } from './schema.ts';

/** The usage of one request, without its content. */
export type UsageRecord = Readonly<{
  /** Unique, so that a batch written twice counts once. */
  id: string;
  keyId: string;
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
  /** null: the price of the model is unknown. */
  costUsd: number | null;
  /** null: there was no response. */
  firstByteMs: number | null;
  durationMs: number;
}>;

/** Usage of several requests. */
export type UsageTotals = Readonly<{
  requests: number;
  tokensIn: number;
  tokensOut: number;
  /** null: no request has a known price. */
  costUsd: number | null;
}>;

/** Usage of one model on one day (`YYYY-MM-DD`, UTC). */
export type UsageSum = Readonly<{ day: string; model: string }> & UsageTotals;

type UsageColumn = 'key_id' | 'day' | 'model';
type UsageGroup = Readonly<{ group: string }>;

export type UsageStore = Readonly<{
  insert: (records: readonly UsageRecord[]) => Promise<void>;
  /** Tokens in and out that a key has used on a day (`YYYY-MM-DD`, UTC). */
  tokensOn: (keyId: string, day: string) => Promise<number>;
  /** From a day on, newest first. */
  sumByDayAndModel: (keyId: string, fromDay: string) => Promise<UsageSum[]>;
  /** Of all keys or of one, from a day on. */
  sumBy: (
    column: UsageColumn,
    fromDay: string,
    keyId?: string,
  ) => Promise<(UsageTotals & UsageGroup)[]>;
}>;

/** SQLite takes 32,766 parameters in a statement; a record has 15. */
const rowsMax = 500;
/** Cached SQL texts, about 8 kB each. */
const insertsMax = 120;

/** The day in UTC, `YYYY-MM-DD`, of a time in Unix ms. */
export function toUtcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

type UsageRow = Insertable<Schema['marquee_usage']>;

export function createUsageStore(run: RunQuery): UsageStore {
  // Compiling the SQL of a batch takes longer than running it, and depends only on the number of rows.
  const inserts = new Map<number, string>();

  function toInsert(db: Kysely<Schema>, rows: readonly UsageRow[]): CompiledQuery {
    const known = inserts.get(rows.length);
    if (known !== undefined) return CompiledQuery.raw(known, rows.flatMap(Object.values));
    const query = db
      .insertInto('marquee_usage')
      .values(rows)
      .onConflict((on) => on.column('id').doNothing())
      .compile();
    if (inserts.size >= insertsMax) inserts.clear();
    inserts.set(rows.length, query.sql);
    return query;
  }

  return {
    insert: (records) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          for (let from = 0; from < records.length; from += rowsMax) {
            const rows = records.slice(from, from + rowsMax).map(toRow);
            await transaction.executeQuery(toInsert(transaction, rows));
          }
        }),
      ),
    tokensOn: (keyId, day) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_usage')
          .select(({ fn }) => [
            fn.sum<number | null>('tokens_in').as('tokensIn'),
            fn.sum<number | null>('tokens_out').as('tokensOut'),
          ])
          .where('key_id', '=', keyId)
          .where('day', '=', day)
          .executeTakeFirstOrThrow();
        return (row.tokensIn ?? 0) + (row.tokensOut ?? 0);
      }),
    sumBy: (column, fromDay, keyId) =>
      run((db) => {
        const sums = db
          .selectFrom('marquee_usage')
          .select(({ fn }) => [
            `${column} as group` as const,
            fn.countAll<number>().as('requests'),
            fn.sum<number>('tokens_in').as('tokensIn'),
            fn.sum<number>('tokens_out').as('tokensOut'),
            fn.sum<number | null>('cost_usd').as('costUsd'),
          ])
          .where('day', '>=', fromDay)
          .groupBy(column);
        return (keyId === undefined ? sums : sums.where('key_id', '=', keyId)).execute();
      }),
    sumByDayAndModel: (keyId, fromDay) =>
      run((db) =>
        db
          .selectFrom('marquee_usage')
          .select(({ fn }) => [
            'day',
            'model',
            fn.countAll<number>().as('requests'),
            fn.sum<number>('tokens_in').as('tokensIn'),
            fn.sum<number>('tokens_out').as('tokensOut'),
            fn.sum<number | null>('cost_usd').as('costUsd'),
          ])
          .where('key_id', '=', keyId)
          .where('day', '>=', fromDay)
          .groupBy(['day', 'model'])
          .orderBy('day', 'desc')
          .orderBy('model')
          .execute(),
      ),
  };
}

// Every row has all columns, in this order.
function toRow(record: UsageRecord): UsageRow {
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
    cost_usd: record.costUsd,
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
    upstream: record.upstream,
  };
}
