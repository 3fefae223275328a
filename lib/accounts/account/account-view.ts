import { formatBudget } from '#lib/config/budget.ts';
import { type KeyRecord, toKeyState } from '#lib/keys/store/key-record.ts';
import { sumTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import type { AccountData } from './account.ts';

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

export function toKeyViews({ keys, usage, today }: AccountData, now: number): KeyView[] {
  const sumOf = (sums: readonly UsageTotals[]) => countTokens(sumTotals(sums));
  return keys.map((key) => {
    const own = usage.filter(({ keyId }) => keyId === key.id);
    return {
      ...pickShown(key),
      isExpired: toKeyState(key, now) === 'expired',
      lastUsedAt: key.usedAt,
      tokensToday: sumOf(own.filter(({ period }) => period === today)),
      budget: key.budget === null ? null : formatBudget(key.budget),
      tokensInDays: sumOf(own),
    };
  });
}

function pickShown({ id, name, hint, models, createdAt, expiresAt, usedFrom }: KeyRecord) {
  return { id, name, hint, models, createdAt, expiresAt, usedFrom };
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
