import type { UsageRecord } from '#lib/storage/usage-store.ts';

/**
 * What the proxy says of one request that passed authentication. Its moment is the one when its limits were
 * asked; its tokens are as many as the reservation was settled with, in and out together.
 */
export type UsageEntry = Omit<UsageRecord, 'id'>;

const integerMax = 2 ** 31 - 1;
const tokensMax = 1e13;
/** Sums of records stay numbers, whatever a list of models says of prices. */
const costUsdMax = 1e12;
const textLengthMax = 200;

/**
 * A record that every database takes: one that is rejected would block its whole batch. The
 * model's name comes from the client, and PostgreSQL rejects a NUL in it.
 */
export function toUsageRecord(entry: UsageEntry, id: string, now: number): UsageRecord {
  return {
    id,
    keyId: entry.keyId,
    at: toWhole(Number.isFinite(entry.at) ? entry.at : now, 8.64e15),
    model: toStorableText(entry.model),
    endpoint: toStorableText(entry.endpoint),
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
