import { describe, expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { toPricing } from '../../support/upstreams/billing-upstream.ts';

/** A model whose long prompts cost more, all of a request (opik 6982, litellm 9807, genai-prices 442). */
/** One has its prices from the operator, the other from its upstream’s list. */
const [model, listedModel] = ['long', 'listed'];
const prices = {
  inputPerMillion: 1,
  outputPerMillion: 10,
  cacheReadPerMillion: 0.1,
  above: {
    promptTokens: 1000,
    inputPerMillion: 2,
    outputPerMillion: 15,
    cacheReadPerMillion: 0.2,
  },
};

const listed = toPricing(1, 10, {
  input_cache_read: '0.0000001',
  overrides: [
    {
      min_prompt_tokens: 1000,
      prompt: '0.000002',
      completion: '0.000015',
      input_cache_read: '0.0000002',
    },
  ],
});

let counts = { input: 0, output: 0, cached: 0 };

const billed = forTests(() =>
  startBilledProxy({
    models: { [model]: {}, [listedModel]: { pricing: listed } },
    toScript: () => ({ reply: { counts } }),
    toFile: (origin) => ({
      upstreams: [{ name: 'u', url: `${origin}/v1`, keyEnv: 'UPSTREAM_KEY', protocols: ['chat'] }],
      models: [{ id: model, targets: [{ upstream: 'u' }], prices }],
    }),
  }),
);

const toRequests = (text: string) => {
  const messages = [{ role: 'user', content: text }];
  return [
    [chatPath, { messages, max_tokens: 50 }],
    [responsesPath, { input: text, max_output_tokens: 50 }],
    [messagesPath, { messages, max_tokens: 50 }],
  ] as const;
};

describe.each([
  { input: 1000, cached: 0, nanoUsd: 1_100_000 },
  { input: 1000, cached: 900, nanoUsd: 290_000 },
  // Each token costs more, and those of the reply do, too.
  { input: 1001, cached: 0, nanoUsd: 2_152_000 },
  { input: 1001, cached: 900, nanoUsd: 532_000 },
])('a prompt of $input tokens, $cached of them cached', ({ input, cached, nanoUsd }) => {
  test.each(toRequests('abc '.repeat(1000)))('%s, streamed or not', async (path, body) => {
    counts = { input, output: 10, cached };
    for (const name of [model, listedModel]) {
      for (const stream of [false, true]) {
        const cost = await billed.costOf(path, { model: name, stream, ...body });
        expect(cost).toEqual({ status: 200, nanoUsd });
      }
    }
  });
});

test.each([
  // 50 tokens at 10 dollars, and 200 at 2, what it costs to keep them for an hour: 0.0009 and some more.
  { tokens: 200, budget: '0.0016 USD/day', status: 200 },
  // From half of the bound on at 15 and 4: 0.00355, not 0.0019.
  { tokens: 700, budget: '0.0022 USD/day', status: 402 },
  { tokens: 700, budget: '0.01 USD/day', status: 200 },
])('a prompt of $tokens tokens under $budget: $status', async ({ tokens, budget, status }) => {
  counts = { input: tokens, output: 10, cached: 0 };
  const [[path, body]] = toRequests('abc '.repeat(tokens));
  for (const name of [model, listedModel]) {
    const key = await billed.proxy.makeKey({ budget: parseBudget(budget) });
    const response = await billed.proxy.post(path, key.text, { model: name, ...body });
    await response.bytes();
    expect(response.status).toBe(status);
  }
});
