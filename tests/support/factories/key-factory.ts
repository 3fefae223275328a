import { randomUUID } from 'node:crypto';
import type { KeyRecord } from '#lib/storage/key-store.ts';
import type { UsageRecord } from '#lib/storage/usage-store.ts';

/** Creates a stored key. */
export function makeKeyRecord(overrides: Partial<KeyRecord> = {}): KeyRecord {
  const id = `key_${randomUUID()}`;
  return {
    id,
    name: `Key ${id}`,
    hash: randomUUID(),
    hint: 'mq_0123…',
    models: null,
    requestsPerMinute: null,
    tokensPerDay: null,
    mayUseMessages: null,
    createdAt: Date.parse('2026-03-10T12:00:00Z'),
    expiresAt: null,
    revokedAt: null,
    ...overrides,
  };
}

/** Creates the usage record of one request. */
export function makeUsageRecord(overrides: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: randomUUID(),
    keyId: 'key_one',
    at: Date.parse('2026-03-10T12:00:00Z'),
    model: 'demo/small',
    endpoint: 'chat.completions',
    upstream: 'north',
    isStreamed: true,
    status: 200,
    tokensIn: 10,
    tokensOut: 20,
    isEstimated: false,
    costUsd: 0.25,
    firstByteMs: 40,
    durationMs: 900,
    ...overrides,
  };
}
