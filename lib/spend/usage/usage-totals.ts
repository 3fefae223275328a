/** Usage of several requests. */
export type UsageTotals = Readonly<{
  requests: number;
  tokensIn: number;
  tokensOut: number;
  /** Parts of `tokensIn`: read from the upstream's prompt cache, and written to it. */
  cachedTokens: number;
  cacheWriteTokens: number;
  /** null: no request has a known price. */
  costUsd: number | null;
}>;

export const noUsage: UsageTotals = {
  requests: 0,
  tokensIn: 0,
  tokensOut: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  costUsd: null,
};

/** An unknown cost stays unknown until something is known. */
export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  const isUnknown = a.costUsd === null && b.costUsd === null;
  return {
    requests: a.requests + b.requests,
    tokensIn: a.tokensIn + b.tokensIn,
    tokensOut: a.tokensOut + b.tokensOut,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costUsd: isUnknown ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  };
}

export function sumTotals(sums: readonly UsageTotals[]): UsageTotals {
  return sums.reduce<UsageTotals>(addTotals, noUsage);
}
