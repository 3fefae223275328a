import type { UsageRecord } from '../store/usage-store.ts';

/**
 * The usage of one request. Its time is that of the limits check; its tokens, input and output together, are
 * those that the reservation was settled with.
 */
export type UsageEntry = Omit<UsageRecord, 'id' | 'costNanoUsd'> &
  Readonly<{
    /** null: the price of the model is unknown. */
    costUsd: number | null;
    cachedTokens: number;
    cacheWriteTokens: number;
  }>;

const integerMax = 2 ** 31 - 1;
/** However wrong an upstream's report or a model's price is: ten thousand dollars. */
const tokensMax = 1e10;
const costNanoUsdMax = 1e13;
const textLengthMax = 200;

/**
 * A record that every database accepts: one that is rejected would block its whole batch. The
 * model's name comes from the client, and PostgreSQL rejects a NUL in it.
 */
export function toUsageRecord(entry: UsageEntry, id: string, now: number): UsageRecord {
  const costNanoUsd = toNanoUsd(entry.costUsd);
  return {
    id,
    keyId: entry.keyId,
    memberId: entry.memberId,
    groupName: entry.groupName,
    at: toWhole(Number.isFinite(entry.at) ? entry.at : now, 8.64e15),
    model: toStorableText(entry.model),
    endpoint: toStorableText(entry.endpoint),
    upstream: entry.upstream,
    isStreamed: entry.isStreamed,
    status: toWhole(entry.status, 999),
    tokensIn: toWhole(entry.tokensIn, tokensMax),
    tokensOut: toWhole(entry.tokensOut, tokensMax),
    cachedTokens: toWhole(entry.cachedTokens, tokensMax),
    cacheWriteTokens: toWhole(entry.cacheWriteTokens, tokensMax),
    isEstimated: entry.isEstimated,
    costNanoUsd,
    costSource: costNanoUsd === null ? null : entry.costSource,
    firstByteMs: entry.firstByteMs === null ? null : toWhole(entry.firstByteMs, integerMax),
    durationMs: toWhole(entry.durationMs, integerMax),
  };
}

function toWhole(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.round(value)), max);
}

/** Rounded up once, without the noise of binary fractions: 0.0003 dollars are 300,000, not 300,001. */
export function toNanoUsd(usd: number | null): number | null {
  if (usd === null || !Number.isFinite(usd)) return null;
  const nanos = Math.ceil(usd * 1e9 * (1 - 1e-13));
  return Math.min(Math.max(0, nanos), costNanoUsdMax);
}

function toStorableText(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Creates ids that are unique across instances and ascend with time: sequential inserts cost the
 * database a third of random ones.
 */
export function createUsageIds(now: () => number, instance: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const time = Math.max(0, now()).toString(36).padStart(9, '0');
    return `${time}-${count.toString(36).padStart(7, '0')}-${instance}`;
  };
}
