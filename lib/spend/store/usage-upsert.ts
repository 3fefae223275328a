import { CompiledQuery, type Insertable, type Kysely, sql } from 'kysely';
import { toUtcDay } from '#lib/storage/days.ts';
import type { CostSource, Schema } from '#lib/storage/schema.ts';
import type { Payer } from '../budgets.ts';
import { countedColumns } from './count-usage.ts';

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
    /** The coding session that it was part of: its client and a hash; null if the client names none. */
    session: string | null;
    isStreamed: boolean;
    /** HTTP status of the response. */
    status: number;
    tokensIn: number;
    tokensOut: number;
    /** Parts of `tokensIn`: read from the upstream's prompt cache, and written to it. */
    cachedTokens: number;
    cacheWriteTokens: number;
    /** The upstream reported no usage: the tokens are an estimate. */
    isEstimated: boolean;
    /** In billionths of a dollar; null: the price of the model is unknown. */
    costNanoUsd: number | null;
    costSource: CostSource | null;
    /** null: there was no response. */
    firstByteMs: number | null;
    durationMs: number;
  }>;

/** Cached SQL texts, about 8 kB each. */
const upsertsMax = 120;

type NewUsageRow = Insertable<Schema['marquee_usage']>;

/**
 * Writes a batch of records: those of requests under way have a lease. Compiling the SQL of a batch takes longer than
 * running it, and depends only on the number of rows.
 */
export function createUpsert() {
  const texts = new Map<string, string>();
  return (db: Kysely<Schema>, records: readonly UsageRecord[], leaseUntil: number | null) => {
    const rows = records.map((record) => toRow(record, leaseUntil));
    const open = leaseUntil === null ? 'is_final' : 'lease_until';
    const name = `${open} ${rows.length}`;
    const text = texts.get(name);
    if (text !== undefined) return CompiledQuery.raw(text, rows.flatMap(Object.values));
    const query = compileUpsert(db, rows, open);
    if (texts.size >= upsertsMax) texts.clear();
    texts.set(name, query.sql);
    return query;
  };
}

/** Says whether a row may be overwritten: by progress while it has a lease, by its end until that is final. */
type OpenColumn = 'lease_until' | 'is_final';

function compileUpsert(
  db: Kysely<Schema>,
  rows: readonly NewUsageRow[],
  open: OpenColumn,
): CompiledQuery {
  const columns = Object.keys(rows[0] ?? {}) as (keyof NewUsageRow)[];
  return db
    .insertInto('marquee_usage')
    .values(rows)
    .onConflict((on) => {
      const update = on
        .column('id')
        .doUpdateSet((set) =>
          Object.fromEntries(columns.map((column) => [column, set.ref(`excluded.${column}`)])),
        );
      return open === 'is_final'
        ? update.where('marquee_usage.is_final', '=', sql.lit(0))
        : update.where('marquee_usage.lease_until', 'is not', null);
    })
    .returning(countedColumns)
    .compile();
}

// Every row has all columns, in this order.
function toRow(record: UsageRecord, leaseUntil: number | null): NewUsageRow {
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
    tokens_cached: record.cachedTokens,
    tokens_cache_written: record.cacheWriteTokens,
    is_estimated: record.isEstimated ? 1 : 0,
    cost_nano_usd: record.costNanoUsd,
    cost_source: record.costSource,
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
    upstream: record.upstream,
    session: record.session,
    lease_until: leaseUntil,
    member_id: record.memberId,
    group_name: record.groupName,
    is_counted: leaseUntil === null ? 1 : 0,
    is_final: leaseUntil === null ? 1 : 0,
  };
}
