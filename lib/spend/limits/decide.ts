import type { AccountLimit } from '../budgets/accounts.ts';
import { type AccountUse, type LimitsDemand, type TokenPrice, toWhole } from './limits.ts';

/** A demand in whole tokens. */
export type WholeDemand = Readonly<{ tokens: number; tokensMin: number; price: TokenPrice }>;

/** The outcome of a demand: the tightest limit counts. */
export type Decision =
  /** `tokensLeft`: how many more fit. */
  Readonly<{ outcome: 'granted'; tokens: number; tokensLeft: number }> | Rejected;

export type Rejected = Readonly<{
  /**
   * `reserved`: running requests have reserved what it needs. `spent`: too little is left, even if they cost
   * nothing.
   */
  outcome: 'reserved' | 'spent';
  limit: AccountLimit;
  unit: 'tokens' | 'nanoUsd';
  /** Neither used nor, unless all is spent, reserved. */
  unspent: number;
  /** What the request needs at least. */
  needed: number;
}>;

const free: TokenPrice = { fixed: 0, perToken: 0 };

export function toWholeDemand({
  tokens,
  tokensMin = tokens,
  price = free,
}: LimitsDemand): WholeDemand {
  return { tokens: toWhole(tokens), tokensMin: toWhole(Math.min(tokensMin, tokens)), price };
}

/** The cost of tokens, in whole billionths of a dollar. */
export function toCost({ fixed, perToken }: TokenPrice, tokens: number): number {
  return Math.max(0, Math.ceil(fixed + tokens * perToken));
}

/** How many tokens an amount of money pays for. */
function toAffordable({ fixed, perToken }: TokenPrice, nanoUsd: number): number {
  if (perToken > 0) return Math.floor((nanoUsd - fixed) / perToken);
  return fixed <= nanoUsd ? Number.POSITIVE_INFINITY : -1;
}

/** How many tokens fit into what is neither used nor reserved of any limit. The Redis script does the same. */
export function toFitting(
  price: TokenPrice,
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
): number {
  let fitting = Number.POSITIVE_INFINITY;
  for (let index = 0; index < limits.length; index += 1) {
    const [limit, use] = [limits[index], uses[index]];
    if (limit === undefined || use === undefined) continue;
    if (limit.tokens !== null) {
      fitting = Math.min(fitting, limit.tokens - use.tokens - use.reservedTokens);
    }
    if (limit.nanoUsd !== null) {
      const left = limit.nanoUsd - use.nanoUsd - use.reservedNanoUsd;
      fitting = Math.min(fitting, toAffordable(price, left));
    }
  }
  return fitting;
}

/** @param uses of each limit, before the demand */
export function decide(
  demand: WholeDemand,
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
): Decision {
  const spent = findBlocking('spent', demand, limits, uses);
  if (spent !== null) return spent;
  const fitting = toFitting(demand.price, limits, uses);
  const reserved =
    demand.tokensMin > fitting ? findBlocking('reserved', demand, limits, uses) : null;
  if (reserved !== null) return reserved;
  const tokens = Math.min(demand.tokens, fitting);
  return { outcome: 'granted', tokens, tokensLeft: fitting - tokens };
}

/** The first limit that has too little left. */
function findBlocking(
  outcome: Rejected['outcome'],
  { tokensMin, price }: WholeDemand,
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
): Rejected | null {
  const isSpent = outcome === 'spent';
  for (let index = 0; index < limits.length; index += 1) {
    const [limit, use] = [limits[index], uses[index]];
    if (limit === undefined || use === undefined) continue;
    if (limit.tokens !== null) {
      const left = limit.tokens - use.tokens - (isSpent ? 0 : use.reservedTokens);
      if (tokensMin > left || (isSpent && left <= 0)) {
        return { outcome, limit, unit: 'tokens', unspent: left, needed: tokensMin };
      }
    }
    if (limit.nanoUsd !== null) {
      const left = limit.nanoUsd - use.nanoUsd - (isSpent ? 0 : use.reservedNanoUsd);
      if (tokensMin > toAffordable(price, left) || (isSpent && left <= 0)) {
        const needed = toCost(price, tokensMin);
        return { outcome, limit, unit: 'nanoUsd', unspent: left, needed };
      }
    }
  }
  return null;
}
