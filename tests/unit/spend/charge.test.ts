import { expect, test } from 'vitest';
import { noSurcharge, toCharge } from '#lib/spend/charge.ts';
import { toPrices } from '#lib/spend/prices.ts';

/** 100 and 60 tokens cost 0.00022 dollars. */
const prices = toPrices({ input: 1e-6, output: 2e-6 });
const counts = { inputTokens: 100, outputTokens: 60, cachedInputTokens: 0, reasoningTokens: 0 };

test.for([
  { trustsLowCost: false, costUsd: 0.000011, charged: 0.000011 },
  { trustsLowCost: false, costUsd: 0.0000109, charged: 0.00022 },
  { trustsLowCost: false, costUsd: 0, charged: 0.00022 },
  { trustsLowCost: true, costUsd: 0.0000109, charged: 0.0000109 },
  { trustsLowCost: true, costUsd: 0, charged: 0 },
])(
  'a cost of $costUsd is believed down to a twentieth of the list, or if the operator says so: $trustsLowCost',
  ({ trustsLowCost, costUsd, charged }) => {
    const usage = { ...counts, costUsd, isEstimated: false };
    const tariff = {
      prices,
      surcharge: noSurcharge,
      maxCostUsd: 10,
      trustsLowCost,
      shownUsd: 0,
    };
    const charge = toCharge(usage, tariff);
    expect(charge.costUsd).toBeCloseTo(charged, 12);
    expect(charge.isImplausible).toBe(charged !== costUsd);
  },
);
