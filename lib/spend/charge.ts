import type { CostSource } from '#lib/storage/schema.ts';
import { type Prices, toFlatPrices } from './prices.ts';
import type { TokenUsage } from './usage/token-usage.ts';

/** What operators charge for extras, by their names: US dollars for each call, or a factor on all of the cost. */
export type ExtraPrices = Readonly<
  Record<string, Readonly<{ perCall?: number | undefined; factor?: number | undefined }>>
>;

/** Uses of an extra that are charged one by one: of a hosted tool, or of a plugin. */
export type PricedCalls = Readonly<{
  /** As in `toolCalls` of a usage. */
  name: string;
  /** US dollars. */
  perCall: number;
  /** The most that there may be; null: nothing bounds them. */
  callsMax: number | null;
  /** The reply shows each: where it shows none, there were none. */
  isShown: boolean;
}>;

/** What a request costs beyond its tokens. */
export type Surcharge = Readonly<{
  /** Pictures of the prompt, which some models charge for one by one. */
  images: number;
  /** Sound is part of the prompt. */
  hasAudio: boolean;
  /** Of the extras that it asks for: plugins, hosted tools, a faster service. `fixedUsd`: the most that `calls` cost. */
  calls: readonly PricedCalls[];
  fixedUsd: number;
  factor: number;
  /** The service tier and the speed that are requested, which count where the reply names none, but lower no price then, and their prices. */
  tier: Readonly<{ requested: string; speed: string; prices: ExtraPrices }>;
  /** Some of the extras have no price here: they cost what is reported for them. */
  hasUnpriced: boolean;
}>;

export const noSurcharge: Surcharge = {
  images: 0,
  hasAudio: false,
  calls: [],
  fixedUsd: 0,
  factor: 1,
  tier: { requested: '', speed: '', prices: {} },
  hasUnpriced: false,
};

/** How the upstream that served a request charges. */
export type Tariff = Readonly<{
  /** Null: unknown. */
  prices: Prices | null;
  surcharge: Surcharge;
  /** The highest cost of a reply that is believed where no price is known, it is zero, or extras have none. */
  maxCostUsd: number;
  /** A reported cost far below the list is believed, too. */
  trustsLowCost: boolean;
  /** What replies that are listed as free have cost, US dollars: one whose cost does not become known costs as much. */
  shownUsd: number;
}>;

export type Charge = Readonly<{
  /** Null: the price is unknown. */
  costUsd: number | null;
  source: CostSource | null;
  /** The upstream reported a cost that is not believed. */
  isImplausible: boolean;
}>;

/** A reported cost is believed between a twentieth of what the tokens cost by the list, and twenty times that. */
const plausibleFactor = 20;

/** What a reply costs: as reported, if that is plausible, else its tokens by the list of prices. */
export function toCharge(usage: TokenUsage, tariff: Tariff): Charge {
  const { prices, surcharge, maxCostUsd } = tariff;
  const byPrices = prices === null ? null : toSurcharged(usage, prices, surcharge);
  const listed = byPrices === 0 && usage.isEstimated ? tariff.shownUsd : byPrices;
  const isCounted = surcharge.calls.every((calls) => countCalls(usage, calls) !== null);
  const source = usage.isEstimated || !isCounted ? 'estimate' : 'price';
  const byList = { costUsd: listed, source: listed === null ? null : source } as const;
  if (usage.costUsd === undefined) return { ...byList, isImplausible: false };
  // It is of a part of the reply only.
  if (usage.isEstimated && usage.costUsd < (listed ?? 0))
    return { ...byList, isImplausible: false };
  const isPlausible =
    usage.costUsd >= toLeastPlausible(usage, tariff) &&
    usage.costUsd <= toMostPlausible(listed, tariff);
  if (isPlausible) return { costUsd: usage.costUsd, source: 'reported', isImplausible: false };
  return listed === null
    ? { costUsd: maxCostUsd, source: 'estimate', isImplausible: true }
    : { ...byList, isImplausible: true };
}

/** Lists often leave out what cached tokens cost, which may be next to nothing. */
function toLeastPlausible(usage: TokenUsage, { prices, surcharge, trustsLowCost }: Tariff): number {
  if (prices === null || trustsLowCost) return 0;
  const flat = toFlatPrices(prices, usage.inputTokens);
  const uncached = { ...flat, cacheRead: 0, audioCacheRead: 0 };
  const listed = toListPrice(usage, uncached, surcharge.images);
  // A fee of exactly a twentieth, as OpenRouter has for an own account, is believed.
  return (listed / plausibleFactor) * (1 - 1e-9);
}

function toMostPlausible(listed: number | null, { surcharge, maxCostUsd }: Tariff): number {
  if (!listed) return maxCostUsd;
  const most = listed * plausibleFactor + surcharge.fixedUsd;
  return surcharge.hasUnpriced ? Math.max(most, maxCostUsd) : most;
}

function toSurcharged(usage: TokenUsage, prices: Prices, surcharge: Surcharge): number {
  const { images, calls, factor, tier } = surcharge;
  // A server that ignores the tier charges the list's price: only one that names it lowers the price.
  const toFactor = (served: string | undefined, requested: string) =>
    served === undefined
      ? Math.max(1, toTierFactor(requested, tier.prices))
      : toTierFactor(served, tier.prices);
  const ofTier = toFactor(usage.serviceTier, tier.requested) * toFactor(usage.speed, tier.speed);
  return toListPrice(usage, prices, images) * factor * ofTier + toCallsPrice(usage, prices, calls);
}

/** What was done costs, and where nothing tells what that was, all that may have been. */
function toCallsPrice(usage: TokenUsage, prices: Prices, calls: readonly PricedCalls[]): number {
  const listed = calls.some(({ name }) => name === webSearch) ? 0 : prices.webSearch;
  const costs = calls.map((priced) => {
    const count = countCalls(usage, priced) ?? priced.callsMax ?? 0;
    return Math.min(count, priced.callsMax ?? count) * priced.perCall;
  });
  return costs.reduce((sum, cost) => sum + cost, (usage.toolCalls?.get(webSearch) ?? 0) * listed);
}

/** Its name in reports. */
const webSearch = 'web_search';

/** Null: nothing tells. */
function countCalls({ toolCalls }: TokenUsage, { name, isShown }: PricedCalls): number | null {
  return toolCalls?.get(name) ?? (isShown ? 0 : null);
}

/** The most that they may cost, as far as they are bounded. */
export function toMostCallsUsd(calls: readonly PricedCalls[]): number {
  return calls.reduce((sum, { perCall, callsMax }) => sum + perCall * (callsMax ?? 0), 0);
}

/** Tiers without a price cost what the list says. */
export function toTierFactor(name: string, prices: ExtraPrices): number {
  return (Object.hasOwn(prices, name) ? prices[name]?.factor : undefined) ?? 1;
}

/** The most that tokens cost, whatever a cache does with them: `fixed + prompt × … + output × …`, US dollars. */
export type Rate = Readonly<{ fixed: number; perPromptToken: number; perOutputToken: number }>;

export function toRate(
  prices: Prices,
  { images, hasAudio, fixedUsd, factor }: Surcharge,
  promptTokens: number,
): Rate {
  const flat = toFlatPrices(prices, promptTokens);
  const { output, reasoning, audioOutput, imageOutput } = flat;
  return {
    fixed: (flat.request + images * flat.image) * factor + fixedUsd,
    perPromptToken: toDearestInput(flat, hasAudio) * factor,
    perOutputToken: Math.max(output, reasoning, audioOutput, imageOutput) * factor,
  };
}

const costNanoUsdMax = 1e13;

/** Rounded up once, without the noise of binary fractions: 0.0003 dollars are 300,000, not 300,001. */
export function toNanoUsd(usd: number | null): number | null {
  if (usd === null || !Number.isFinite(usd)) return null;
  const nanos = Math.ceil(usd * 1e9 * (1 - 1e-13));
  return Math.min(Math.max(0, nanos), costNanoUsdMax);
}

/** A cost as it is recorded, to a billionth of a dollar; null: unknown. */
export function toRecordedUsd(usd: number | null): number | null {
  const nanos = toNanoUsd(usd);
  return nanos === null ? null : nanos / 1e9;
}

/** The highest price of a token of the prompt, whatever a cache does with it. */
function toDearestInput(prices: Prices, hasAudio: boolean): number {
  const { input, cacheRead, cacheWrite, cacheWriteHour, imageToken } = prices;
  const ofText = Math.max(input, cacheRead, cacheWrite, cacheWriteHour, imageToken);
  return hasAudio ? Math.max(ofText, prices.audio, prices.audioCacheRead) : ofText;
}

/** What a usage costs by its tokens. @param images pictures in the request */
function toListPrice(usage: TokenUsage, prices: Prices, images: number): number {
  const flat = toFlatPrices(prices, usage.inputTokens);
  return (
    toInputPrice(usage, flat) + toOutputPrice(usage, flat) + images * flat.image + flat.request
  );
}

/** Where nothing says what the cache had, it was text first: most of the prompt is. */
function toInputPrice(usage: TokenUsage, prices: Prices): number {
  const { inputTokens, cachedInputTokens: read, cacheWriteTokens: written = 0 } = usage;
  const { audioTokens = 0, cachedAudioTokens = 0, imageTokens = 0 } = usage;
  const hour = Math.min(usage.cacheWriteHourTokens ?? 0, written);
  const uncached = Math.max(0, inputTokens - read - written);
  const cachedAudio = Math.min(read, Math.max(cachedAudioTokens, audioTokens - uncached));
  const audio = Math.min(uncached, audioTokens - cachedAudio);
  const image = Math.min(uncached - audio, imageTokens);
  return (
    (uncached - audio - image) * prices.input +
    audio * prices.audio +
    image * prices.imageToken +
    (read - cachedAudio) * prices.cacheRead +
    cachedAudio * prices.audioCacheRead +
    (written - hour) * prices.cacheWrite +
    hour * prices.cacheWriteHour
  );
}

function toOutputPrice(usage: TokenUsage, prices: Prices): number {
  const { outputTokens, audioOutputTokens = 0, imageOutputTokens = 0, reasoningTokens } = usage;
  const image = Math.min(imageOutputTokens, outputTokens);
  const audio = Math.min(audioOutputTokens, outputTokens - image);
  const reasoning = Math.min(reasoningTokens, outputTokens - image - audio);
  return (
    (outputTokens - image - audio - reasoning) * prices.output +
    image * prices.imageOutput +
    audio * prices.audioOutput +
    reasoning * prices.reasoning
  );
}
