import type { Selectable } from 'kysely';
import { toUtcDay } from '#lib/storage/days.ts';
import type { CostSource, Schema } from '#lib/storage/schema.ts';
import type { Payer } from '../budgets.ts';
import { toNanoUsd } from '../charge.ts';

/** The usage of one request, without its content. */
export type UsageRecord = Payer &
  Readonly<{
    /** Unique, so that a record which is stored twice counts once. */
    id: string;
    /** When the request arrived, Unix ms. It counts for this day (UTC). */
    at: number;
    model: string;
    endpoint: string;
    /** The name of the upstream that was tried last; null if none was. */
    upstream: string | null;
    /** The coding session that it was part of: its client and a hash; null if the client names none. */
    session: string | null;
    /** `x-request-id` of its response. */
    requestId: string | null;
    /** Of the reply, as the client got it; null if there was none. */
    replyId: string | null;
    /** Of the error that the client got; null for none. */
    errorCode: string | null;
    /** What has rejected it, such as `tokens per day of the key`; null where no limit has. */
    reachedLimit: string | null;
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
    /** What the upstream has reported beyond what is possible, which is not charged; null: all of it is. */
    reportedTokens: number | null;
    reportedNanoUsd: number | null;
    /** null: there was no response. */
    firstByteMs: number | null;
    durationMs: number;
  }>;

/** A record as a request leads to it: any numbers and texts. */
export type UsageEntry = Omit<UsageRecord, 'id' | 'costNanoUsd' | 'reportedNanoUsd'> &
  Readonly<{
    /** null: the price of the model is unknown. */
    costUsd: number | null;
    /** See `reportedNanoUsd`. */
    reportedUsd: number | null;
    /** How many times its bound the reply is by what was reported; 1: it is within. */
    outputFactor: number;
    /** The same of what it costs by the list of prices. */
    costFactor: number;
  }>;

const integerMax = 2 ** 31 - 1;
/** However wrong an upstream's report or a model's price is: ten thousand dollars. */
const tokensMax = 1e10;
const textLengthMax = 200;

/** A record that every database accepts: the model’s name comes from the client, the reply’s id from the upstream, and PostgreSQL rejects a NUL. */
export function toUsageRecord(entry: UsageEntry, id: string, now: number): UsageRecord {
  const { costUsd, reportedUsd, outputFactor: _, costFactor: __, ...rest } = entry;
  const costNanoUsd = toNanoUsd(costUsd);
  return {
    ...rest,
    id,
    at: toStorableNumber(Number.isFinite(entry.at) ? entry.at : now, 8.64e15),
    model: toStorableText(entry.model),
    replyId: entry.replyId === null ? null : toStorableText(entry.replyId),
    errorCode: entry.errorCode === null ? null : toStorableText(entry.errorCode),
    status: toStorableNumber(entry.status, 999),
    tokensIn: toStorableNumber(entry.tokensIn, tokensMax),
    tokensOut: toStorableNumber(entry.tokensOut, tokensMax),
    cachedTokens: toStorableNumber(entry.cachedTokens, tokensMax),
    cacheWriteTokens: toStorableNumber(entry.cacheWriteTokens, tokensMax),
    costNanoUsd,
    costSource: costNanoUsd === null ? null : entry.costSource,
    reportedTokens:
      entry.reportedTokens === null ? null : toStorableNumber(entry.reportedTokens, tokensMax),
    reportedNanoUsd: toNanoUsd(reportedUsd),
    firstByteMs:
      entry.firstByteMs === null ? null : toStorableNumber(entry.firstByteMs, integerMax),
    durationMs: toStorableNumber(entry.durationMs, integerMax),
  };
}

function toStorableNumber(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.round(value)), max);
}

function toStorableText(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Creates ids that are unique across instances and ascend with time: sequential inserts cost the database a third of
 * random ones.
 */
export function createUsageIds(now: () => number, instance: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const time = Math.max(0, now()).toString(36).padStart(9, '0');
    return `${time}-${count.toString(36).padStart(7, '0')}-${instance}`;
  };
}

/** A row of `marquee_usage`. */
export type UsageRow = Selectable<Schema['marquee_usage']>;

/** What a request has reserved of all its budgets. */
export type Amounts = Readonly<{ tokens: number; nanoUsd: number }>;

/** The row of a request under way, as it is charged if its lease expires. */
export function toOpenRow(record: UsageRecord, reserved: Amounts, leaseUntil: number): UsageRow {
  return {
    ...toRow(record),
    lease_until: leaseUntil,
    reserved_tokens: reserved.tokens,
    reserved_nano_usd: reserved.nanoUsd,
    is_counted: 0,
  };
}

/** The row of a request that has ended. */
export function toFinalRow(record: UsageRecord): UsageRow {
  return { ...toRow(record), is_final: 1 };
}

/** The row of a request that was rejected: no balance and no sum contains it. */
export function toRejectedRow(record: UsageRecord): UsageRow {
  return { ...toFinalRow(record), is_counted: 0 };
}

/** The row of a request whose lease has expired: it is charged as it stood, until its own end is written. */
export function toClosedRow(row: UsageRow): UsageRow {
  return { ...row, ...counted, is_estimated: 1 };
}

const counted = {
  lease_until: null,
  reserved_tokens: 0,
  reserved_nano_usd: 0,
  is_counted: 1,
} as const;

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
    tokens_cached: record.cachedTokens,
    tokens_cache_written: record.cacheWriteTokens,
    is_estimated: record.isEstimated ? 1 : 0,
    cost_nano_usd: record.costNanoUsd,
    cost_source: record.costSource,
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
    upstream: record.upstream,
    session: record.session,
    member_id: record.memberId,
    group_name: record.groupName,
    request_id: record.requestId,
    reply_id: record.replyId,
    error_code: record.errorCode,
    reached_limit: record.reachedLimit,
    reported_tokens: record.reportedTokens,
    reported_nano_usd: record.reportedNanoUsd,
    is_final: 0,
    ...counted,
  };
}
