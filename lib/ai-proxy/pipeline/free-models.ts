import { LRUCache } from 'lru-cache';
import type { UsageEntry } from '#lib/spend/ledger/usage-record.ts';
import { isFree, type Prices } from '#lib/spend/prices.ts';
import type { Target } from '../upstreams/select-targets.ts';

type PricedTarget = Pick<Target, 'name' | 'circuit' | 'prices'>;

/** Models that are listed as free, and what their replies cost all the same: for each target, in this process. */
export type FreeModels = Readonly<{
  /** The prices to reserve with: a reply of a free model as the dearest that was reported within the hour. */
  toReservedPrices: (target: PricedTarget) => Prices | null;
  /** Call it with what a call of one of these targets has cost. */
  learn: (targets: readonly PricedTarget[], call: LearnedCall) => void;
}>;

type LearnedCall = Pick<UsageEntry, 'upstream' | 'costUsd' | 'costSource'>;

const learnedMs = 3_600_000;

export function createFreeModels(): FreeModels {
  const costs = new LRUCache<string, number>({ max: 1000, ttl: learnedMs });
  const toName = ({ name, circuit }: PricedTarget) => `${name} ${circuit}`;
  return {
    toReservedPrices(target) {
      const { prices } = target;
      if (prices === null || !isFree(prices)) return prices;
      return { ...prices, request: costs.get(toName(target)) ?? 0 };
    },
    learn(targets, { upstream, costUsd, costSource }) {
      if (costSource !== 'reported' || !costUsd) return;
      for (const target of targets) {
        if (target.name !== upstream || target.prices === null || !isFree(target.prices)) continue;
        const name = toName(target);
        costs.set(name, Math.max(costUsd, costs.get(name) ?? 0));
      }
    },
  };
}
