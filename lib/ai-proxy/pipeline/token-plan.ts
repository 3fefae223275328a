import type { LimitsDemand, Reservation, TokenPrice } from '#lib/spend/limits/limits.ts';
import type { Model, ModelPrices } from '../models/model.ts';
import type { Generation } from './generation.ts';

type Sizes = Pick<Generation, 'promptTokensEstimate' | 'outputTokensMax' | 'choices' | 'isStream'>;

/** The shortest reply that is worth a call; some upstreams accept no smaller bound. */
const replyTokensMin = 16;
/** A reply that the client did not bound: more than can be generated within the usual time-outs. */
const replyTokensMax = 32_768;
/** A stream reserves more while it runs. */
const streamTokens = 8192;

/** The longest reply that any of these models can give; null if one of them is unknown. */
export function toModelTokensMax(models: readonly (Model | null)[]): number | null {
  const longest = models.map((model) => model?.listed.top_provider?.max_completion_tokens ?? null);
  return longest.includes(null) ? null : Math.max(...longest.map(Number));
}

/**
 * The tokens to reserve for a request. A small remaining budget serves small requests, so the least
 * that is of use is far below the most. @param modelTokensMax the longest reply of the model, if known
 * @param prices null: no budget is in dollars
 */
export function toDemand(
  sizes: Sizes,
  modelTokensMax: number | null,
  prices: ModelPrices | null,
): LimitsDemand {
  const { promptTokensEstimate, outputTokensMax, choices, isStream } = sizes;
  const most = outputTokensMax ?? toLongestReply(modelTokensMax);
  const atFirst = isStream ? Math.min(most, streamTokens) : most;
  const least = Math.min(most, replyTokensMin);
  return {
    tokens: promptTokensEstimate + choices * atFirst,
    tokensMin: promptTokensEstimate + choices * least,
    ...(prices !== null && { price: toTokenPrice(prices, promptTokensEstimate) }),
  };
}

/** Every token costs as much as one of the reply, except for those of the prompt. */
function toTokenPrice(
  { prompt, completion, request }: ModelPrices,
  promptTokensEstimate: number,
): TokenPrice {
  const fixed = request + (prompt - completion) * promptTokensEstimate;
  return { fixed: fixed * 1e9, perToken: completion * 1e9 };
}

/** The highest prices among these models; null if one of them is unknown. */
export function toHighestPrices(models: readonly (Model | null)[]): ModelPrices | null {
  const prices = models.map((model) => model?.prices ?? null).filter((one) => one !== null);
  if (prices.length < models.length) return null;
  const highest = (field: keyof ModelPrices) => Math.max(...prices.map((one) => one[field]));
  return {
    prompt: highest('prompt'),
    completion: highest('completion'),
    request: highest('request'),
  };
}

/**
 * The bound of each choice that the upstream gets: what is left of the budget, where that is less than
 * the client's own bound. Null: the client's bound holds, or the model's. (A bound beyond what a model
 * can generate is an error for many upstreams, so none is added where enough is left.)
 */
export function toOutputTokensMax(
  sizes: Sizes,
  modelTokensMax: number | null,
  { tokens, tokensLeft }: Pick<Reservation, 'tokens' | 'tokensLeft'>,
): number | null {
  const { promptTokensEstimate, outputTokensMax, choices, isStream } = sizes;
  const left = tokens + (isStream ? tokensLeft : 0) - promptTokensEstimate;
  const ofEach = Math.max(1, Math.floor(left / choices));
  return ofEach < (outputTokensMax ?? toLongestReply(modelTokensMax)) ? ofEach : null;
}

function toLongestReply(modelTokensMax: number | null): number {
  return Math.min(modelTokensMax ?? replyTokensMax, replyTokensMax);
}
