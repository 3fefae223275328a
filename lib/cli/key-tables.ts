import type { KeyDefaults } from '#lib/ai-proxy/keys/api-key.ts';
import type { KeyRecord } from '#lib/storage/key-store.ts';
import type { UsageSum } from '#lib/storage/usage-store.ts';
import { toTextTable } from './terminal.ts';

/** Formats all keys, one per line. */
export function toKeyTable(keys: readonly KeyRecord[], defaults: KeyDefaults, now: number): string {
  const headings = [
    'name',
    'id',
    'key',
    'state',
    'requests/min',
    'tokens/day',
    'created',
    'expires',
    'models',
  ];
  const toLimit = (own: number | null, fallback: number) =>
    own === null ? `${fallback} (default)` : String(own);
  return toTextTable(
    headings,
    keys.map((key) => [
      key.name,
      key.id,
      key.hint,
      toState(key, now),
      toLimit(key.requestsPerMinute, defaults.requestsPerMinute),
      toLimit(key.tokensPerDay, defaults.tokensPerDay),
      toMinute(key.createdAt),
      key.expiresAt === null ? 'never' : toMinute(key.expiresAt),
      key.models?.join(', ') ?? 'all',
    ]),
  );
}

/** Formats usage by day and model, with a total. */
export function toUsageTable(sums: readonly UsageSum[]): string {
  const headings = ['day', 'model', 'requests', 'tokens in', 'tokens out', 'cost in USD'];
  const total = sums.reduce<Omit<UsageSum, 'day' | 'model'>>(
    (all, sum) => ({
      requests: all.requests + sum.requests,
      tokensIn: all.tokensIn + sum.tokensIn,
      tokensOut: all.tokensOut + sum.tokensOut,
      costUsd: sum.costUsd === null ? all.costUsd : (all.costUsd ?? 0) + sum.costUsd,
    }),
    { requests: 0, tokensIn: 0, tokensOut: 0, costUsd: null },
  );
  const rows = [...sums, { day: 'total', model: '', ...total }];
  return toTextTable(
    headings,
    rows.map(({ day, model, requests, tokensIn, tokensOut, costUsd }) => [
      day,
      // Model names come from clients and may contain terminal escape sequences.
      model.replace(/\p{C}/gu, '\ufffd'),
      ...[requests, tokensIn, tokensOut].map(String),
      costUsd === null ? 'unknown' : costUsd.toFixed(4),
    ]),
  );
}

function toState({ revokedAt, expiresAt }: KeyRecord, now: number): string {
  if (revokedAt !== null) return `revoked ${toMinute(revokedAt)}`;
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

function toMinute(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}
