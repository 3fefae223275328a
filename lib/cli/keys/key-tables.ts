import { formatBudget } from '#lib/config/budget.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import type { KeyDefaults } from '#lib/keys/api-key.ts';
import { type KeyRecord, toKeyState } from '#lib/keys/store/key-record.ts';
import { toMinute, toSafeText, toTextTable } from '../command.ts';

export type KeyTableOptions = Readonly<{
  defaults: KeyDefaults;
  /** The ids of KEY_PEPPER, or of its file, and of KEY_PEPPER_PREVIOUS. */
  peppers: Readonly<{ current: string; previous: string | null }>;
  now: number;
}>;

/** Formats keys, one per line; with the pepper of each if there is a previous one. @param costs in USD, by id. */
export function toKeyTable(
  keys: readonly KeyRecord[],
  { defaults, peppers, now }: KeyTableOptions,
  costs?: ReadonlyMap<string, number | null>,
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
    'owner',
    'last used',
    ...(costs === undefined ? [] : ['USD, 30 days']),
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
      key.owner === null ? 'operator' : toSafeText(key.owner.email ?? key.owner.id),
      key.usedAt === null ? 'never' : toMinute(key.usedAt),
      ...(costs === undefined ? [] : [costs.get(key.id)?.toFixed(4) ?? '-']),
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
    createdAt: formatTime(key.createdAt),
    expiresAt: formatTime(key.expiresAt),
    revokedAt: formatTime(key.revokedAt),
    usedAt: formatTime(key.usedAt),
  };
}

/** Whether KEY_PEPPER_PREVIOUS may be removed. @param count of the keys that work with it */
export function toPepperAdvice(count: number): string {
  if (count === 0) return 'No key needs KEY_PEPPER_PREVIOUS any more: remove it.';
  const keysNeed = formatCountOf(count, 'key needs', 'keys need');
  return `${keysNeed} KEY_PEPPER_PREVIOUS: rotate them before you remove it.`;
}

function toPepperUse(
  { pepperId }: Pick<KeyRecord, 'pepperId'>,
  { current, previous }: KeyTableOptions['peppers'],
): 'current' | 'previous' | 'unknown' {
  if (pepperId === current) return 'current';
  return pepperId !== null && pepperId === previous ? 'previous' : 'unknown';
}

function formatTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
