import type { Selectable } from 'kysely';
import { toUtcDay } from '#lib/storage/days.ts';
import type { CostSource, Schema } from '#lib/storage/schema.ts';
import type { Payer } from '../budgets.ts';
import { toNanoUsd } from '../charge.ts';

/** The usage of one request, without its content: any numbers and texts. */
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
    /** null: the price of the model is unknown. */
    costUsd: number | null;
    costSource: CostSource | null;
    /** What the upstream has reported beyond what is possible, which is not charged; null: all of it is. */
    reportedTokens: number | null;
    reportedUsd: number | null;
    /** null: there was no response. */
    firstByteMs: number | null;
    durationMs: number;
    /** How many times its bound the reply is by what was reported; 1: it is within. This and the next are not stored. */
    outputFactor: number;
    /** The same of what it costs by the list of prices. */
    costFactor: number;
  }>;

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

const integerMax = 2 ** 31 - 1;
/** However wrong an upstream's report or a model's price is: ten thousand dollars. */
const tokensMax = 1e10;
const textLengthMax = 200;

/** Every database accepts it: the model’s name comes from the client, the reply’s id from the upstream, and PostgreSQL rejects a NUL. */
function toRow(record: UsageRecord): UsageRow {
  const at = toStorableNumber(record.at, 8.64e15);
  const costNanoUsd = toNanoUsd(record.costUsd);
  return {
    id: record.id,
    key_id: record.keyId,
    at,
    day: toUtcDay(at),
    model: toStorableText(record.model),
    endpoint: record.endpoint,
    is_streamed: record.isStreamed ? 1 : 0,
    status: toStorableNumber(record.status, 999),
    tokens_in: toStorableNumber(record.tokensIn, tokensMax),
    tokens_out: toStorableNumber(record.tokensOut, tokensMax),
    tokens_cached: toStorableNumber(record.cachedTokens, tokensMax),
    tokens_cache_written: toStorableNumber(record.cacheWriteTokens, tokensMax),
    is_estimated: record.isEstimated ? 1 : 0,
    cost_nano_usd: costNanoUsd,
    cost_source: costNanoUsd === null ? null : record.costSource,
    first_byte_ms:
      record.firstByteMs === null ? null : toStorableNumber(record.firstByteMs, integerMax),
    duration_ms: toStorableNumber(record.durationMs, integerMax),
    upstream: record.upstream,
    session: record.session,
    member_id: record.memberId,
    group_name: record.groupName,
    request_id: record.requestId,
    reply_id: record.replyId === null ? null : toStorableText(record.replyId),
    error_code: record.errorCode === null ? null : toStorableText(record.errorCode),
    reached_limit: record.reachedLimit,
    reported_tokens:
      record.reportedTokens === null ? null : toStorableNumber(record.reportedTokens, tokensMax),
    reported_nano_usd: toNanoUsd(record.reportedUsd),
    is_final: 0,
    ...counted,
  };
}

function toStorableNumber(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.round(value)), max);
}

function toStorableText(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}
