import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/http/json-value.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import type { Api } from '../../support/upstreams/billed-replies.ts';
import { toPricing } from '../../support/upstreams/billing-upstream.ts';

type Service = Readonly<{
  /** Beside a prompt of 1000 tokens, a reply of 10, and their sum. */
  fields: JsonObject;
  nanoUsd: number;
  /** It contradicts itself. */
  isDisputed?: true;
}>;

/** Chat replies as services report them, and what they cost: $1, $10, cached $0.10, written $1.25 a million. */
const services: Readonly<Record<string, Service>> = {
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
  // Its total has what the cache had, and its prompt does not: Portkey 1211, livekit/agents 6663.
  bedrock: {
    fields: { prompt_tokens: 100, total_tokens: 1010, cache_read_input_tokens: 900 },
    nanoUsd: 290_000,
  },
  'bedrock, which writes': {
    fields: { prompt_tokens: 100, total_tokens: 1010, cache_creation_input_tokens: 900 },
    nanoUsd: 1_325_000,
  },
  'bedrock, which reads and writes': {
    fields: {
      prompt_tokens: 100,
      total_tokens: 1010,
      cache_read_input_tokens: 400,
      cache_creation_input_tokens: 500,
    },
    nanoUsd: 865_000,
  },
  // Its replies do not have their reasoning, which only the total has: inspect_ai 5528, crewAI 5699.
  'xai, which reasons': {
    fields: { total_tokens: 1060, completion_tokens_details: { reasoning_tokens: 50 } },
    nanoUsd: 1_600_000,
  },
  'gemini, which reasons': { fields: { total_tokens: 1060 }, nanoUsd: 1_600_000 },
  'reasoning as much as was cached': {
    fields: {
      total_tokens: 1060,
      cached_tokens: 50,
      completion_tokens_details: { reasoning_tokens: 50 },
    },
    nanoUsd: 1_555_000,
  },
  // What neither prompt, reply nor reasoning has: the pages of a search. new-api 2935, vercel/ai PR 16400.
  'gemini, which searches': {
    fields: { total_tokens: 2060, completion_tokens_details: { reasoning_tokens: 50 } },
    nanoUsd: 2_600_000,
  },
  // PageSpace PR 1561, cline PR 9053: a cost that has that of the provider was added to it.
  'openrouter, whose cost has all': {
    fields: { cost: 0.0012, cost_details: { upstream_inference_cost: 0.0012 } },
    nanoUsd: 1_200_000,
  },
  'openrouter, whose cost is a fee': {
    fields: { cost: 0.0001, cost_details: { upstream_inference_cost: 0.0012 } },
    nanoUsd: 1_300_000,
  },
  // bifrost PR 6500.
  bifrost: {
    fields: { prompt_tokens_details: { cached_read_tokens: 400, cached_write_tokens: 500 } },
    nanoUsd: 865_000,
  },
  // hermes-agent PR 14823.
  'hermes-agent': {
    fields: { cache_read_tokens: 400, cache_write_tokens: 500 },
    nanoUsd: 865_000,
  },
  // workbuddy-manager 39.
  codebuddy: {
    fields: { prompt_cache_hit_tokens: 400, prompt_cache_write_tokens: 500 },
    nanoUsd: 865_000,
  },
  'the rest of a cache': {
    fields: { non_cached_tokens: 100, uncached_tokens: 100, prompt_cache_miss_tokens: 100 },
    nanoUsd: 1_100_000,
  },
  // litellm 18750.
  'pictures that a cache had': {
    fields: { prompt_tokens_details: { text_tokens: -800, cached_tokens: 900 } },
    nanoUsd: 290_000,
  },
  'names of Responses': {
    fields: {
      prompt_tokens: undefined,
      prompt_tokens_details: undefined,
      completion_tokens: undefined,
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 900 },
      output_tokens: 10,
    },
    nanoUsd: 290_000,
  },
  // vercel-labs/ai-python 159, genkit 5412: some add what a cache had, some do not, and gateways do it twice.
  'a cache that is added twice': {
    fields: { prompt_tokens: 1900, cached_tokens: 900 },
    nanoUsd: 290_000,
    isDisputed: true,
  },
  // promptfoo 9908, axonhub 607, langsmith-sdk 1858: costs became negative.
  'more cached than sent': {
    fields: { cached_tokens: 1200, total_tokens: undefined },
    nanoUsd: 200_000,
    isDisputed: true,
  },
  'more cached than sent, beside a total': {
    fields: { cached_tokens: 1200 },
    nanoUsd: 200_000,
    isDisputed: true,
  },
  'a reply beyond the total': {
    fields: { completion_tokens: 500 },
    nanoUsd: 1_100_000,
    isDisputed: true,
  },
  'a prompt beyond the total': {
    fields: { prompt_tokens: 9000 },
    nanoUsd: 1_100_000,
    isDisputed: true,
  },
  'more reasoning than the total has': {
    fields: { completion_tokens_details: { reasoning_tokens: 800 } },
    nanoUsd: 1_100_000,
    isDisputed: true,
  },
  // openscience 121.
  'a negative reply': {
    fields: { completion_tokens: -10 },
    nanoUsd: 1_100_000,
    isDisputed: true,
  },
  'two costs': {
    fields: { cost: 0.002, cost_in_usd_ticks: 30_000_000 },
    nanoUsd: 2_000_000,
    isDisputed: true,
  },
};

const cachePrices = { input_cache_read: '0.0000001', input_cache_write: '0.00000125' };

const messages = [{ role: 'user', content: 'Hello' }];
const requests = [
  ['chat', chatPath, { messages }],
  ['Responses', responsesPath, { input: 'Hello' }],
  ['Messages', messagesPath, { max_tokens: 100, messages }],
] as const;

/** An upstream and a model of each. */
const names = Object.keys(services).map((_, at) => `service-${at}`);
const fieldsOf = new Map(
  Object.values(services).map(({ fields }, at) => [`${names[at]}/one`, fields]),
);
const billed = forTests(() =>
  startBilledProxy({
    models: Object.fromEntries(
      [...fieldsOf.keys()].map((id) => [id, { pricing: toPricing(1, 10, cachePrices) }]),
    ),
    toScript: ({ model }) => ({
      reply: {
        counts: { input: 1000, output: 10 },
        report: (usage) => ({ ...usage, ...fieldsOf.get(model) }),
      },
    }),
    toFile: (origin) => ({
      upstreams: names.map((name) => ({
        name,
        url: `${origin}/${name}/v1`,
        keyEnv: 'UPSTREAM_KEY',
        protocols: ['chat'],
      })),
    }),
  }),
);

describe.each(
  Object.entries(services).map(([service, expected], at) => ({
    service,
    name: names[at] ?? '',
    ...expected,
  })),
)('a reply of $service', ({ name, nanoUsd, isDisputed = false }) => {
  test.each(requests)('costs a client of %s the same, streamed or not', async (_, path, body) => {
    for (const stream of [false, true]) {
      const cost = await billed.costOf(path, { model: `${name}/one`, stream, ...body });
      expect(cost).toEqual({ status: 200, nanoUsd });
    }
    // Told once, whatever is sent, and shown on /admin/upstreams.
    const line = new RegExp(`reason: 'contradictory_usage',\\s+upstream: '${name}'`, 'g');
    expect(billed.proxy.logText().match(line)?.length ?? 0).toBe(isDisputed ? 1 : 0);
    const shown = await billed.proxy.database.usage.countDisbelieved(0);
    expect(shown.some(({ upstream }) => upstream === name)).toBe(isDisputed);
  });
});

/** The same of Responses and Messages. */
test.each<[string, Api, JsonObject, number]>([
  // codebuddy2api PR 115.
  [
    'with the names of chat',
    'responses',
    {
      input_tokens: undefined,
      input_tokens_details: undefined,
      output_tokens: undefined,
      prompt_tokens: 1000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 900 },
    },
    290_000,
  ],
  [
    'with the names of chat',
    'messages',
    {
      input_tokens: undefined,
      output_tokens: undefined,
      prompt_tokens: 1000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 900 },
    },
    290_000,
  ],
  // bifrost PR 6500.
  [
    'of bifrost',
    'responses',
    { input_tokens_details: { cached_read_tokens: 400, cached_write_tokens: 500 } },
    865_000,
  ],
  // pydantic-ai 5065.
  [
    'with the call that has summarized the conversation',
    'messages',
    {
      iterations: [
        { type: 'compaction', input_tokens: 500, cache_read_input_tokens: 1000, output_tokens: 20 },
        { type: 'message', input_tokens: 1000, output_tokens: 10 },
      ],
    },
    1_900_000,
  ],
  // tau PR 553, pi 5603.
  [
    'with tokens that are cached for an hour',
    'messages',
    {
      input_tokens: 0,
      cache_creation_input_tokens: 1000,
      cache_creation: { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 400 },
    },
    1_650_000,
  ],
])('a native reply %s is charged as it is: %s', async (_, api, fields, nanoUsd) => {
  await using billed = await startBilledProxy({
    models: { one: { pricing: toPricing(1, 10, cachePrices) } },
    toScript: () => ({
      reply: {
        counts: { input: 1000, output: 10 },
        report: (usage) => ({ ...usage, ...fields }),
      },
    }),
    settings: { protocols: [api] },
  });
  const [, path, body] = api === 'responses' ? requests[1] : requests[2];
  for (const stream of [false, true]) {
    const cost = await billed.costOf(path, { model: 'one', stream, ...body });
    expect(cost).toEqual({ status: 200, nanoUsd });
  }
});

test('no prompt is smaller than its estimate where the total contradicts it', async () => {
  const counts = { input: 1000, output: 10 };
  await using billed = await startBilledProxy({
    models: { one: { pricing: toPricing(1, 10) } },
    toScript: () => ({ reply: { counts, report: (usage) => ({ ...usage, total_tokens: 20 }) } }),
  });
  const content = 'abcd'.repeat(500);
  const body = { model: 'one', messages: [{ role: 'user', content }] };
  const { nanoUsd } = await billed.costOf(chatPath, body);
  // 500 tokens and the names of fields, not 1000, and not 10.
  expect(nanoUsd).toBeGreaterThanOrEqual(600_000);
  expect(nanoUsd).toBeLessThan(620_000);
});
