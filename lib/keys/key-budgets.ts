import { type AccountUse, isOwn, type LimitUse } from '#lib/spend/budgets.ts';
import { periods, toPeriodEnd } from '#lib/spend/periods.ts';
import { findLowest, toShare, warningShare } from '#lib/spend/rate-limits.ts';

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
  const tightest = findLowest(uses, (use) =>
    use.limit.nanoUsd === null || !isOwn(use.limit)
      ? Number.POSITIVE_INFINITY
      : toNanoUsdLeft(use.limit.nanoUsd, use),
  );
  return {
    limit: tightest === null ? null : Number(tightest.limit.nanoUsd) / 1e9,
    limit_remaining: tightest === null ? null : tightest.value / 1e9,
    limit_reset: tightest === null ? null : periods[tightest.limit.period].openRouterName,
  };
}

/** The tightest budget of the day in tokens whose numbers the client may see; null: there is none. */
export function toTokensOfDay(uses: Uses, now: number): object {
  const ofDay = uses.filter(({ limit }) => limit.period === 'day' && isOwn(limit));
  const tightest = findLowest(ofDay, (use) =>
    use.limit.tokens === null ? Number.POSITIVE_INFINITY : toTokensLeft(use.limit.tokens, use),
  );
  return {
    limit: tightest?.limit.tokens ?? null,
    remaining: tightest?.value ?? null,
    resets_at: new Date(toPeriodEnd(now, 'day')).toISOString(),
  };
}

function toTokensLeft(limit: number, { tokens, reservedTokens }: AccountUse): number {
  return Math.max(0, limit - tokens - reservedTokens);
}

function toNanoUsdLeft(limit: number, { nanoUsd, reservedNanoUsd }: AccountUse): number {
  return Math.max(0, limit - nanoUsd - reservedNanoUsd);
}
