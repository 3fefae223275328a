import type { LimitUse } from './budgets.ts';
import { type Rate, type Surcharge, toRate } from './charge.ts';
import { type Demand, type Granted, toReservedAmounts, toWhole } from './ledger/decide.ts';
import type { Prices } from './prices.ts';
import type { MediaCount } from './usage/estimate-tokens.ts';
import { toExpectedTokens } from './usage/prompt-factors.ts';

/** What a request may need, before it is sent. Token counts of replies are those of all its choices together. */
export type Need = Readonly<{
  promptTokensEstimate: number;
  /** Files have any number of tokens: nothing is learned from them, nor for them. */
  hasFiles: boolean;
  media: Pick<MediaCount, 'audioTokens' | 'cached'>;
  outputTokensMin: number;
  /** Reserved at first. */
  outputTokensMax: number;
  /** Prompt and reply together; null: unknown. */
  contextTokens: number | null;
  /** The dearest of those that may serve; null: no price is known, or no budget is in dollars. */
  prices: Prices | null;
  /** The most that it may cost beyond these prices, US dollars, where it is listed as free; 0 where that is known. */
  unknownUsd: number;
  surcharge: Surcharge;
}>;

/**
 * What is to be reserved.
 * @param factor how many tokens prompts of the same owner have really had for each that was estimated; null: unknown
 */
export function toDemand(need: Need, factor: number | null): Demand {
  const { promptTokensEstimate, contextTokens, prices, surcharge } = need;
  const expected = toExpectedTokens(promptTokensEstimate, factor);
  const inContext = Math.min(expected, contextTokens ?? Number.POSITIVE_INFINITY);
  const promptTokensExpected = Math.max(promptTokensEstimate, inContext);
  // A prompt may have more tokens than expected: from half of the bound on, the prices above it are reserved.
  const longest = 2 * promptTokensExpected;
  return {
    promptTokens: promptTokensEstimate,
    promptTokensExpected,
    outputTokensMin: need.outputTokensMin,
    outputTokensMax: need.outputTokensMax,
    price: toNanoRate(prices === null ? free : toRate(prices, surcharge, longest)),
    unknownNanoUsd: need.unknownUsd * 1e9,
  };
}

/** More tokens of the reply. */
export function toExtensionDemand(outputTokens: number, { perOutputToken }: Rate): Demand {
  return {
    promptTokens: 0,
    promptTokensExpected: 0,
    outputTokensMin: 0,
    outputTokensMax: toWhole(outputTokens),
    price: { fixed: 0, perPromptToken: 0, perOutputToken },
  };
}

/** The use of accounts, once this demand is granted. */
export function addReserved(
  uses: readonly LimitUse[],
  granted: Granted,
  demand: Demand,
): LimitUse[] {
  const { tokens, nanoUsd } = toReservedAmounts(granted, demand);
  return uses.map((use) => ({
    ...use,
    reservedTokens: use.reservedTokens + tokens,
    reservedNanoUsd: use.reservedNanoUsd + nanoUsd,
  }));
}

const free: Rate = { fixed: 0, perPromptToken: 0, perOutputToken: 0 };

function toNanoRate({ fixed, perPromptToken, perOutputToken }: Rate): Rate {
  return {
    fixed: fixed * 1e9,
    perPromptToken: perPromptToken * 1e9,
    perOutputToken: perOutputToken * 1e9,
  };
}
