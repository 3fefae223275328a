import { randomUUID } from 'node:crypto';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';

/** Creates a stored key. */
export function makeKeyRecord(overrides: Partial<KeyRecord> = {}): KeyRecord {
  const id = `key_${randomUUID()}`;
  return {
    id,
    owner: null,
    name: `Key ${id}`,
    hash: randomUUID(),
    hint: 'mq_0123…',
    pepperId: 'pepper-1',
    models: null,
    requestsPerMinute: null,
    tokensPerDay: null,
    budget: null,
    createdAt: Date.parse('2026-03-10T12:00:00Z'),
    expiresAt: null,
    revokedAt: null,
    usedFrom: null,
    usedAt: null,
    ...overrides,
  };
}

/** Creates the usage record of one request. */
export function makeUsageRecord(overrides: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: randomUUID(),
    keyId: 'key_one',
    memberId: null,
    groupName: null,
    at: Date.parse('2026-03-10T12:00:00Z'),
    model: 'demo/small',
    endpoint: 'chat.completions',
    upstream: 'north',
    session: null,
    requestId: null,
    replyId: null,
    errorCode: null,
    reachedLimit: null,
    isStreamed: true,
    status: 200,
    tokensIn: 10,
    tokensOut: 20,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    isEstimated: false,
    costUsd: 0.25,
    costSource: overrides.costUsd === null ? null : 'price',
    reportedTokens: null,
    reportedUsd: null,
    firstByteMs: 40,
    durationMs: 900,
    outputFactor: 1,
    costFactor: 1,
    ...overrides,
  };
}

/** Of a record that a bug has made: it cannot be counted. */
export const uncountable = { tokensIn: undefined as never };

/** Creates the record of a request that was rejected. */
export function makeRejectedRecord(overrides: Partial<UsageRecord> = {}): UsageRecord {
  return makeUsageRecord({
    upstream: null,
    errorCode: 'rate_limit_exceeded',
    status: 429,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: null,
    firstByteMs: null,
    ...overrides,
  });
}
