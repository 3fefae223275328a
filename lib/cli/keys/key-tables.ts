import { formatBudget } from '#lib/config/budget.ts';
import type { KeyDefaults } from '#lib/keys/api-key.ts';
import { type KeyRecord, toKeyState } from '#lib/keys/store/key-record.ts';
import { toMinute, toTextTable } from '../terminal.ts';
import { type Peppers, toPepperUse } from './key-peppers.ts';

export type KeyTableOptions = Readonly<{ defaults: KeyDefaults; peppers: Peppers; now: number }>;

/** Formats keys, one per line; with the pepper of each if there is a previous one. */
export function toKeyTable(
  keys: readonly KeyRecord[],
  { defaults, peppers, now }: KeyTableOptions,
): string {
  const hasPepper = peppers.previous !== null;
  const headings = [
    'name',
    'id',
    'key',
    'state',
    'requests/min',
    'tokens/day',
    'budget',
    'created',
    'expires',
    'models',
    ...(hasPepper ? ['pepper'] : []),
  ];
  const toLimit = (own: number | null, fallback: number) =>
    own === null ? `${fallback} (default)` : String(own);
  return toTextTable(
    headings,
    keys.map((key) => [
      key.name,
      key.id,
      key.hint,
      key.revokedAt === null ? toKeyState(key, now) : `revoked ${toMinute(key.revokedAt)}`,
      toLimit(key.requestsPerMinute, defaults.requestsPerMinute),
      toLimit(key.tokensPerDay, defaults.tokensPerDay),
      key.budget === null ? 'none' : formatBudget(key.budget),
      toMinute(key.createdAt),
      key.expiresAt === null ? 'never' : toMinute(key.expiresAt),
      key.models?.join(', ') ?? 'all',
      ...(hasPepper ? [toPepperUse(key, peppers)] : []),
    ]),
  );
}

/** A key for programs: without its hash, with times in ISO 8601. */
export function toKeyJson(
  { hash: _, pepperId, owner, budget, ...key }: KeyRecord,
  { peppers, now }: Pick<KeyTableOptions, 'peppers' | 'now'>,
): object {
  return {
    ...key,
    pepper: toPepperUse({ pepperId }, peppers),
    owner: owner?.id ?? null,
    budget: budget === null ? null : formatBudget(budget),
    state: toKeyState(key, now),
    createdAt: toIsoTime(key.createdAt),
    expiresAt: toIsoTime(key.expiresAt),
    revokedAt: toIsoTime(key.revokedAt),
  };
}

function toIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
