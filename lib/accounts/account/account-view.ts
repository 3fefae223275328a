import { formatBudget } from '#lib/config/budget.ts';
import { type KeyRecord, toKeyState } from '#lib/keys/store/key-record.ts';
import { listDays } from '#lib/spend/periods.ts';
import type { KeyUsageSum, SessionUsageSum } from '#lib/spend/store/usage-sums.ts';
import { addTotals, noUsage, sumTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import type { AccountData } from './account.ts';
import { isPlaygroundKeyId } from './playground-key.ts';

/** One key as the page shows it. */
export type KeyView = Readonly<{
  id: string;
  name: string;
  hint: string;
  models: readonly string[] | null;
  createdAt: number;
  expiresAt: number | null;
  isExpired: boolean;
  lastUsedAt: number | null;
  usedFrom: string | null;
  tokensToday: number;
  /** As it is written; null: none of its own. */
  budget: string | null;
  tokensInDays: number;
}>;

/** The usage of a model, key or member. */
export type UsageShare = UsageTotals &
  Readonly<{
    name: string;
    /** Where names may stand for several: of members and keys. */
    id?: string;
    /** Its page. */
    href?: string;
  }>;

export type UsageDay = UsageTotals & Readonly<{ day: string }>;

/** What a session of a coding agent has used. */
type SessionUsage = UsageTotals & Readonly<{ session: string; lastAt: number; keyName: string }>;

export type UsageView = Readonly<{
  /** Every day of the period, oldest first, those without usage too. */
  days: readonly UsageDay[];
  today: UsageTotals;
  total: UsageTotals;
  models: readonly UsageShare[];
  keys: readonly UsageShare[];
  /** Of the last 24 hours, the latest first. */
  sessions: readonly SessionUsage[];
}>;

/** More would fill the page. */
const sessionsMax = 20;

export function toKeyViews({ keys, usage, today }: AccountData, now: number): KeyView[] {
  const sumOf = (sums: readonly UsageTotals[]) => countTokens(sumTotals(sums));
  return keys.map((key) => {
    const own = usage.filter(({ keyId }) => keyId === key.id);
    return {
      ...pickShown(key),
      isExpired: toKeyState(key, now) === 'expired',
      lastUsedAt: key.usedAt,
      tokensToday: sumOf(own.filter(({ day }) => day === today)),
      budget: key.budget === null ? null : formatBudget(key.budget),
      tokensInDays: sumOf(own),
    };
  });
}

export function toUsageView({
  keys,
  usage,
  recentSessions,
  today,
  fromDay,
}: AccountData): UsageView {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const toDay = (day: string) => sumTotals(usage.filter((sum) => sum.day === day));
  return {
    days: listDays(fromDay, today).map((day) => ({ day, ...toDay(day) })),
    today: toDay(today),
    total: sumTotals(usage),
    models: toShares(usage, ({ model }) => ({ id: model, name: model || 'No model' })),
    keys: toShares(usage, ({ keyId }) => toKeyRow(keyId, names.get(keyId))),
    sessions: toSessions(recentSessions, (keyId) => toKeyRow(keyId, names.get(keyId)).name),
  };
}

function pickShown({ id, name, hint, models, createdAt, expiresAt, usedFrom }: KeyRecord) {
  return { id, name, hint, models, createdAt, expiresAt, usedFrom };
}

type ShareRow = Omit<UsageShare, keyof UsageTotals> & Readonly<{ id: string }>;

/** Of a key without a name only what it is is known; all that were revoked share a row. */
function toKeyRow(id: string, name: string | undefined): ShareRow {
  if (name !== undefined) return { id, name };
  if (isPlaygroundKeyId(id)) return { id, name: 'Playground', href: '/account/playground' };
  return { id: 'revoked', name: 'Revoked keys' };
}

function toShares(
  usage: readonly KeyUsageSum[],
  toRow: (sum: KeyUsageSum) => ShareRow,
): UsageShare[] {
  const shares = new Map<string, UsageShare>();
  for (const sum of usage) {
    const row = toRow(sum);
    shares.set(row.id, { ...addTotals(shares.get(row.id) ?? noUsage, sum), ...row });
  }
  return [...shares.values()].sort((a, b) => countTokens(b) - countTokens(a));
}

function toSessions(
  usage: readonly SessionUsageSum[],
  toKeyName: (keyId: string) => string,
): SessionUsage[] {
  const sessions = new Map<string, SessionUsage>();
  for (const { session, lastAt, keyId, ...sum } of usage) {
    const before = sessions.get(session);
    sessions.set(session, {
      ...addTotals(before ?? noUsage, sum),
      session,
      lastAt: Math.max(lastAt, before?.lastAt ?? 0),
      keyName: toKeyName(keyId),
    });
  }
  return [...sessions.values()].sort((a, b) => b.lastAt - a.lastAt).slice(0, sessionsMax);
}

/** Input and output. */
export function countTokens({ tokensIn, tokensOut }: UsageTotals): number {
  return tokensIn + tokensOut;
}

/** Which part of the input came from upstreams' prompt caches, such as `40%`; null without any. */
export function formatCachedShare({ tokensIn, cachedTokens }: UsageTotals): string | null {
  if (cachedTokens === 0 || tokensIn === 0) return null;
  const percent = Math.min(100, Math.round((100 * cachedTokens) / tokensIn));
  return percent === 0 ? '< 1%' : `${percent}%`;
}
