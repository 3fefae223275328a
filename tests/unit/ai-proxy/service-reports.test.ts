import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/http/json-value.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { toPricing } from '../../support/upstreams/billing-upstream.ts';

/** Chat replies of 1000 tokens in and 10 out, as services report them: $1, $10, cached $0.10, written $1.25 a million. */
const services: Readonly<Record<string, { fields: JsonObject; nanoUsd: number }>> = {
  openai: { fields: {}, nanoUsd: 1_100_000 },
  perplexity: { fields: { cost: { request_cost: 0.006, total_cost: 0.0071 } }, nanoUsd: 7_100_000 },
  xai: { fields: { cost_in_usd_ticks: 71_000_000 }, nanoUsd: 7_100_000 },
  deepseek: {
    fields: { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 },
    nanoUsd: 290_000,
  },
  kimi: { fields: { cached_tokens: 900 }, nanoUsd: 290_000 },
  mistral: { fields: { num_cached_tokens: 900 }, nanoUsd: 290_000 },
  qwen: {
    fields: { prompt_tokens_details: { cache_creation_input_tokens: 900 } },
    nanoUsd: 1_325_000,
  },
};

const cachePrices = { input_cache_read: '0.0000001', input_cache_write: '0.00000125' };

const messages = [{ role: 'user', content: 'Hello' }];
const requests = [
  ['chat', chatPath, { messages }],
  ['Responses', responsesPath, { input: 'Hello' }],
  ['Messages', messagesPath, { max_tokens: 50, messages }],
] as const;

describe.each(Object.entries(services))('a reply of %s', (model, { fields, nanoUsd }) => {
  const billed = forTests(() =>
    startBilledProxy({
      models: { [model]: { pricing: toPricing(1, 10, cachePrices) } },
      toScript: () => ({
        reply: {
          counts: { input: 1000, output: 10 },
          report: (usage) => ({ ...usage, ...fields }),
        },
      }),
      settings: { protocols: ['chat'] },
    }),
  );

  test.each(requests)('costs a client of %s the same, streamed or not', async (_, path, body) => {
    for (const stream of [false, true]) {
      const key = await billed.proxy.makeKey({});
      const response = await billed.proxy.post(path, key.text, { model, stream, ...body });
      await response.bytes();
      expect(response.status).toBe(200);
      expect((await billed.chargeOf(key)).nanoUsd).toBe(nanoUsd);
    }
  });
});
