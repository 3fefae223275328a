import type { CostSource } from '#lib/storage/schema.ts';
import { type Prices, toDearestInput, toListPrice } from './prices.ts';
import type { TokenUsage } from './usage/token-usage.ts';

/** What a request costs beyond its tokens. */
export type Surcharge = Readonly<{
  /** Pictures of the prompt, which some models charge for one by one. */
  images: number;
  /** Of the extras that it asks for: plugins, hosted tools, a faster service. */
  fixedUsd: number;
  factor: number;
}>;

export const noSurcharge: Surcharge = { images: 0, fixedUsd: 0, factor: 1 };

/** How the upstream that served a request charges. */
export type Tariff = Readonly<{
  /** Null: unknown. */
  prices: Prices | null;
  surcharge: Surcharge;
  /** The highest cost of a reply that is believed where no price is known, or it is zero. */
  maxCostUsd: number;
}>;

export type Charge = Readonly<{
  /** Null: the price is unknown. */
  costUsd: number | null;
  source: CostSource | null;
  /** The upstream reported a cost that is not believed. */
  isImplausible: boolean;
}>;

/** A reported cost is believed up to this many times what the tokens cost by the list. */
const plausibleFactor = 20;

/** What a reply costs: as reported, if that is plausible, else its tokens by the list of prices. */
export function toCharge(usage: TokenUsage, { prices, surcharge, maxCostUsd }: Tariff): Charge {
  const listed = prices === null ? null : toSurcharged(usage, prices, surcharge);
  // Extras are charged as often as they may have been used.
  const source = usage.isEstimated || surcharge.fixedUsd > 0 ? 'estimate' : 'price';
  const byList = { costUsd: listed, source: listed === null ? null : source } as const;
  if (usage.costUsd === undefined) return { ...byList, isImplausible: false };
  // It is of a part of the reply only.
  if (usage.isEstimated && usage.costUsd < (listed ?? 0))
    return { ...byList, isImplausible: false };
  const most = listed ? listed * plausibleFactor + surcharge.fixedUsd : maxCostUsd;
  if (usage.costUsd <= most) {
    return { costUsd: usage.costUsd, source: 'reported', isImplausible: false };
  }
  return listed === null
    ? { costUsd: maxCostUsd, source: 'estimate', isImplausible: true }
    : { ...byList, isImplausible: true };
}

function toSurcharged(usage: TokenUsage, prices: Prices, surcharge: Surcharge): number {
  const { images, fixedUsd, factor } = surcharge;
  return toListPrice(usage, prices, images) * factor + fixedUsd;
}

/** The most that tokens cost, whatever a cache does with them: `fixed + prompt × … + output × …`, US dollars. */
export type Rate = Readonly<{ fixed: number; perPromptToken: number; perOutputToken: number }>;

export function toRate(prices: Prices, { images, fixedUsd, factor }: Surcharge): Rate {
  return {
    fixed: (prices.request + images * prices.image) * factor + fixedUsd,
    perPromptToken: toDearestInput(prices) * factor,
    perOutputToken: Math.max(prices.output, prices.reasoning) * factor,
  };
}
