import { type AccountLimit, isOwn, type LimitUse } from '../budgets.ts';
import type { Rate } from '../charge.ts';
import type { Amounts } from './usage-record.ts';

/** What a request needs. */
export type Demand = Readonly<{
  /** Tokens of the prompt, as estimated. */
  promptTokens: number;
  /** As the owner's requests have really needed for such an estimate, at least `promptTokens`. */
  promptTokensExpected: number;
  /** Of all replies together: the fewest that are of use. */
  outputTokensMin: number;
  /** Of all replies together: the most that are reserved at first. */
  outputTokensMax: number;
  /** In billionths of a dollar, which need not be whole; all 0 where no price applies. */
  price: Rate;
  /** The most that it may cost besides, in billionths of a dollar, where nobody knows what it costs; else left out. */
  unknownNanoUsd?: number;
}>;

/** The outcome of a demand. */
type Decision = Granted | Rejected;

export type Granted = Readonly<{
  outcome: 'granted';
  /** Less than expected only where nothing else of the budget was running. */
  promptTokens: number;
  outputTokens: number;
  /** How many more would fit; `Infinity` without any budget. */
  outputTokensLeft: number;
  /** Of `unknownNanoUsd`. */
  unknownNanoUsd: number;
}>;

export type Rejected = Readonly<{
  /** `spent`: too little is unused. `reserved`: running requests have reserved what is unused. */
  outcome: 'spent' | 'reserved';
  limit: AccountLimit;
  unit: 'tokens' | 'nanoUsd';
  unspent: number;
  /** What the request needs at least. */
  needed: number;
}>;

/** One number that may not be passed: the tokens or the dollars of a limit. */
type Bound = Readonly<{
  limit: AccountLimit;
  unit: Rejected['unit'];
  price: Rate;
  /** Not used. */
  unspent: number;
  /** Neither used nor reserved. */
  free: number;
}>;

/** In tokens, each costs one. */
const tokenPrice: Rate = { fixed: 0, perPromptToken: 1, perOutputToken: 1 };

/**
 * The tightest limit counts. A prompt needs what is expected of it; where nothing else of a budget is running, the plain
 * estimate suffices, and the reply comes first: everything is reserved, so that only this request can pass the budget. One of an unknown cost waits until nothing else
 * of its owner's budgets is running, for the same reason; of those that are shared it leaves half to others.
 * @param uses before the demand
 */
export function decide(demand: Demand, uses: readonly LimitUse[]): Decision {
  const { promptTokens, promptTokensExpected, outputTokensMin, outputTokensMax } = demand;
  const bounds = toBounds(demand.price, uses);
  const spent = bounds.find(
    ({ price, unspent }) =>
      unspent <= 0 || toOutputFitting(price, promptTokens, unspent) < outputTokensMin,
  );
  if (spent !== undefined) return toRejected('spent', spent, demand);

  const toFitting = ({ price, unspent, free }: Bound) =>
    toOutputFitting(price, free === unspent ? promptTokens : promptTokensExpected, free);
  const reserved = bounds.find((bound) => toFitting(bound) < outputTokensMin);
  if (reserved !== undefined) return toRejected('reserved', reserved, demand);

  const unknown = demand.unknownNanoUsd ?? 0;
  const inDollars = unknown === 0 ? [] : bounds.filter(({ unit }) => unit === 'nanoUsd');
  const busy = inDollars.find(
    ({ limit, unspent, free }) => free < unspent && (isOwn(limit) || free < unknown),
  );
  if (busy !== undefined) return toRejected('reserved', busy, demand);
  const unknownNanoUsd = toLeast(unknown, inDollars, ({ limit, free }) =>
    isOwn(limit) || free >= unknown ? free : Math.max(1, Math.floor(free / 2)),
  );

  const outputTokens = toLeast(outputTokensMax, bounds, toFitting);
  const promptFitting = toLeast(promptTokensExpected, bounds, ({ price, free }) =>
    toFit(free - price.fixed - price.perOutputToken * outputTokens, price.perPromptToken),
  );
  const prompt = Math.max(promptTokens, promptFitting);
  const outputFitting = toLeast(Number.POSITIVE_INFINITY, bounds, ({ price, free }) =>
    toOutputFitting(price, prompt, free),
  );
  return {
    outcome: 'granted',
    promptTokens: prompt,
    outputTokens,
    outputTokensLeft: Math.max(0, outputFitting - outputTokens),
    unknownNanoUsd,
  };
}

function toLeast(
  most: number,
  bounds: readonly Bound[],
  toAmount: (bound: Bound) => number,
): number {
  return bounds.reduce((least, bound) => Math.min(least, toAmount(bound)), most);
}

/** What a demand that is granted has reserved. */
export function toReservedAmounts(
  { promptTokens, outputTokens, unknownNanoUsd }: Granted,
  { price }: Demand,
): Amounts {
  return {
    tokens: promptTokens + outputTokens,
    nanoUsd: toCost(price, promptTokens, outputTokens) + unknownNanoUsd,
  };
}

/** The cost of tokens, in whole billionths of a dollar. */
export function toCost(price: Rate, promptTokens: number, outputTokens: number): number {
  const cost =
    price.fixed + price.perPromptToken * promptTokens + price.perOutputToken * outputTokens;
  // A rounding error does not cost a nanodollar.
  return Math.max(0, Math.ceil(cost - 0.001));
}

/** A demand in whole tokens. @throws RangeError for NaN */
export function toWholeDemand({ price, ...demand }: Demand): Demand {
  const promptTokens = toWhole(demand.promptTokens);
  const outputTokensMax = toWhole(demand.outputTokensMax);
  return {
    promptTokens,
    promptTokensExpected: Math.max(promptTokens, toWhole(demand.promptTokensExpected)),
    outputTokensMin: Math.min(outputTokensMax, toWhole(demand.outputTokensMin)),
    outputTokensMax,
    price,
    unknownNanoUsd: toWhole(demand.unknownNanoUsd ?? 0),
  };
}

/** Rounds up, within bounds that add up safely. @throws RangeError for NaN */
export function toWhole(amount: number): number {
  if (Number.isNaN(amount)) throw new RangeError('An amount is not a number.');
  return Math.min(Math.max(0, Math.ceil(amount)), 1e13);
}

function toBounds(price: Rate, uses: readonly LimitUse[]): Bound[] {
  const bounds: Bound[] = [];
  for (const use of uses) {
    const { limit } = use;
    if (limit.tokens !== null) {
      const unspent = limit.tokens - use.tokens;
      const free = unspent - use.reservedTokens;
      bounds.push({ limit, unit: 'tokens', price: tokenPrice, unspent, free });
    }
    if (limit.nanoUsd !== null) {
      const unspent = limit.nanoUsd - use.nanoUsd;
      bounds.push({ limit, unit: 'nanoUsd', price, unspent, free: unspent - use.reservedNanoUsd });
    }
  }
  return bounds;
}

/** How many tokens of a reply fit beside the prompt. */
function toOutputFitting(price: Rate, promptTokens: number, left: number): number {
  return toFit(left - price.fixed - price.perPromptToken * promptTokens, price.perOutputToken);
}

function toFit(left: number, perToken: number): number {
  if (perToken > 0) return Math.floor(left / perToken);
  return left >= 0 ? Number.POSITIVE_INFINITY : -1;
}

function toRejected(
  outcome: Rejected['outcome'],
  { limit, unit, price, unspent }: Bound,
  { promptTokens, outputTokensMin }: Demand,
): Rejected {
  return { outcome, limit, unit, unspent, needed: toCost(price, promptTokens, outputTokensMin) };
}
