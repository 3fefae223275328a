import { type AccountUse, isOwn, type LimitUse } from '#lib/spend/budgets.ts';
import { periods, toPeriodEnd } from '#lib/spend/periods.ts';
import { toShare, warningShare } from '#lib/spend/rate-limits.ts';

type Uses = readonly LimitUse[];

/**
 * The budgets that a key's requests are charged to, for programs; those of groups and of the site have no numbers.
 */
export function toBudgetFields(uses: Uses, now: number): object[] {
  return uses.map((use) => {
    const { limit } = use;
    const share = toShare(use);
    const view = {
      of: limit.owner === 'all' ? 'site' : limit.owner,
      period: limit.period,
      state: share >= 1 ? 'used_up' : share >= warningShare ? 'low' : 'ok',
      resets_at: new Date(toPeriodEnd(now, limit.period)).toISOString(),
    };
    if (!isOwn(limit)) return view;
    const { tokens, nanoUsd } = limit;
    return {
      ...view,
      ...(tokens !== null && {
        tokens: { limit: tokens, used: use.tokens, remaining: toTokensLeft(tokens, use) },
      }),
      ...(nanoUsd !== null && {
        usd: {
          limit: nanoUsd / 1e9,
          used: use.nanoUsd / 1e9,
          remaining: toNanoUsdLeft(nanoUsd, use) / 1e9,
        },
      }),
    };
  });
}

/** OpenRouter's fields: the tightest budget in dollars whose numbers the client may see. */
export function toDollarLimit(uses: Uses): object {
  let tightest = { limit: null, limit_remaining: null, limit_reset: null } as Readonly<{
    limit: number | null;
    limit_remaining: number | null;
    limit_reset: string | null;
  }>;
  for (const { limit, ...use } of uses) {
    if (limit.nanoUsd === null || !isOwn(limit)) continue;
    const left = toNanoUsdLeft(limit.nanoUsd, use) / 1e9;
    if (left >= (tightest.limit_remaining ?? Number.POSITIVE_INFINITY)) continue;
    tightest = {
      limit: limit.nanoUsd / 1e9,
      limit_remaining: left,
      limit_reset: periods[limit.period].openRouterName,
    };
  }
  return tightest;
}

/** The tightest budget of the day in tokens whose numbers the client may see; null: there is none. */
export function toTokensOfDay(uses: Uses, now: number): object {
  let tightest: Readonly<{ limit: number | null; remaining: number | null }> = {
    limit: null,
    remaining: null,
  };
  for (const { limit, ...use } of uses) {
    if (limit.tokens === null || limit.period !== 'day') continue;
    const left = toTokensLeft(limit.tokens, use);
    if (!isOwn(limit) || left >= (tightest.remaining ?? Number.POSITIVE_INFINITY)) continue;
    tightest = { limit: limit.tokens, remaining: left };
  }
  return { ...tightest, resets_at: new Date(toPeriodEnd(now, 'day')).toISOString() };
}

function toTokensLeft(limit: number, { tokens, reservedTokens }: AccountUse): number {
  return Math.max(0, limit - tokens - reservedTokens);
}

function toNanoUsdLeft(limit: number, { nanoUsd, reservedNanoUsd }: AccountUse): number {
  return Math.max(0, limit - nanoUsd - reservedNanoUsd);
}
