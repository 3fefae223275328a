import type { UsageRecord } from '#lib/storage/usage-store.ts';

/**
 * The usage record of one authenticated request. Its time is that of the limits check; its tokens,
 * input and output together, are those that the reservation was settled with.
 */
export type UsageEntry = Omit<UsageRecord, 'id'>;

const integerMax = 2 ** 31 - 1;
const tokensMax = 1e13;
/** Keeps sums finite, whatever a model list contains as prices. */
const costUsdMax = 1e12;
const textLengthMax = 200;

/**
 * A record that every database accepts: one that is rejected would block its whole batch. The
 * model's name comes from the client, and PostgreSQL rejects a NUL in it.
 */
export function toUsageRecord(entry: UsageEntry, id: string, now: number): UsageRecord {
  return {
    id,
    keyId: entry.keyId,
    at: toWhole(Number.isFinite(entry.at) ? entry.at : now, 8.64e15),
    model: toStorableText(entry.model),
    endpoint: toStorableText(entry.endpoint),
    upstream: entry.upstream,
    isStreamed: entry.isStreamed,
    status: toWhole(entry.status, 999),
    tokensIn: toWhole(entry.tokensIn, tokensMax),
    tokensOut: toWhole(entry.tokensOut, tokensMax),
    isEstimated: entry.isEstimated,
    costUsd: toCost(entry.costUsd),
    firstByteMs: entry.firstByteMs === null ? null : toWhole(entry.firstByteMs, integerMax),
    durationMs: toWhole(entry.durationMs, integerMax),
  };
}

function toWhole(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.round(value)), max);
}

function toCost(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.min(Math.max(0, value), costUsdMax);
}

function toStorableText(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}
