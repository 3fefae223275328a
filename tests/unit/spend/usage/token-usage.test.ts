import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as usages from '#lib/spend/usage/read-usage.ts';
import { mergeUsage } from '#lib/spend/usage/token-usage.ts';
import { toChatUsage, toMessagesUsage } from '#lib/spend/usage/write-usage.ts';

const readChatUsage = (usage: unknown) => usages.readChatUsage({ usage });
const readEmbeddingsUsage = (usage: unknown) => usages.readEmbeddingsUsage({ usage });
const readResponsesUsage = (usage: unknown) => usages.readResponsesUsage({ usage });
const readMessagesUsage = (usage: unknown) => usages.readMessagesUsage({ usage });

const plain = { cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false };

test('usage is read in either spelling', () => {
  const expected = {
    inputTokens: 5,
    outputTokens: 3,
    cachedInputTokens: 2,
    reasoningTokens: 1,
    isEstimated: false,
  };
  expect(
    readChatUsage({
      prompt_tokens: 5,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1 },
    }),
  ).toEqual(expected);
  expect(
    readResponsesUsage({
      input_tokens: 5,
      output_tokens: 3,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 1 },
    }),
  ).toEqual(expected);
});

test('invalid and absurd counts are ignored', () => {
  for (const usage of [
    null,
    undefined,
    'x',
    {},
    [],
    { prompt_tokens: -1 },
    { prompt_tokens: '' },
    { prompt_tokens: 'many' },
    { prompt_tokens: '-5' },
    { prompt_tokens: true },
    { prompt_tokens: [5] },
    { prompt_tokens: Number.NaN },
    { prompt_tokens: Number.POSITIVE_INFINITY },
    { prompt_tokens: 2 ** 53 },
    { prompt_tokens: '1e300', cost: -1 },
  ]) {
    expect(readChatUsage(usage)).toBeNull();
  }
});

test('counts of zero are no report', () => {
  expect(readChatUsage({ prompt_tokens: 0, completion_tokens: 0, cost: 0 })).toBeNull();
  expect(readResponsesUsage({ input_tokens: 0, output_tokens: 0, total_tokens: 0 })).toBeNull();
  expect(readMessagesUsage({ input_tokens: 0, output_tokens: 0 })).toBeNull();
});

test('numbers may be text or have fractions, which are rounded up', () => {
  expect(
    readChatUsage({
      prompt_tokens: '5',
      completion_tokens: 3.2,
      prompt_tokens_details: { cached_tokens: '1.5' },
      cost: '0.25',
    }),
  ).toEqual({ ...plain, inputTokens: 5, outputTokens: 4, cachedInputTokens: 2, costUsd: 0.25 });
});

test('a report of one side has nothing of the other', () => {
  expect(readChatUsage({ prompt_tokens: 5, completion_tokens: null })).toMatchObject({
    inputTokens: 5,
    outputTokens: 0,
  });
  expect(readMessagesUsage({ output_tokens: 9 })).toMatchObject({
    inputTokens: 0,
    outputTokens: 9,
  });
});

test('what stands only in the total is reasoning, and output', () => {
  expect(readChatUsage({ prompt_tokens: 5, total_tokens: 9 })?.outputTokens).toBe(4);
  expect(
    readChatUsage({ prompt_tokens: 5, completion_tokens: 3, total_tokens: 108 }),
  ).toMatchObject({ outputTokens: 103, reasoningTokens: 100 });
  expect(
    readChatUsage({
      prompt_tokens: 5,
      completion_tokens: 3,
      total_tokens: 108,
      completion_tokens_details: { reasoning_tokens: 100 },
    }),
  ).toMatchObject({ outputTokens: 103, reasoningTokens: 100 });
});

test.each<[string, object, number]>([
  ['both', { prompt_tokens: 9, total_tokens: 9 }, 9],
  ['a total alone, as of Voyage', { total_tokens: 9 }, 9],
  ['a total in text', { total_tokens: '9' }, 9],
  ['a prompt alone', { prompt_tokens: 9 }, 9],
  ['a total without a prompt', { prompt_tokens: 0, total_tokens: 9 }, 9],
])('usage of embeddings is a prompt: %s', (_, usage, inputTokens) => {
  expect(readEmbeddingsUsage(usage)).toEqual({ ...plain, inputTokens, outputTokens: 0 });
});

test('of a negative prompt of embeddings the total counts, and it is told', () => {
  expect(readEmbeddingsUsage({ prompt_tokens: -1, total_tokens: 9 })).toMatchObject({
    inputTokens: 9,
    disputedTokens: 9,
  });
});

test('embeddings without a count report nothing', () => {
  for (const usage of [null, {}, [], 'x', { total_tokens: -1 }, { total_tokens: {} }]) {
    expect(readEmbeddingsUsage(usage)).toBeNull();
  }
});

test('cached tokens are read from every protocol', () => {
  const expected = {
    inputTokens: 100,
    cachedInputTokens: 60,
    cacheWriteTokens: 30,
    cacheWriteHourTokens: 20,
  };
  const creation = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
  const details = { cached_tokens: 60, cache_write_tokens: 30 };
  const flat = { cache_read_input_tokens: 60, cache_creation_input_tokens: 30 };
  expect(
    readChatUsage({
      prompt_tokens: 100,
      prompt_tokens_details: details,
      cache_creation: creation,
    }),
  ).toMatchObject(expected);
  expect(
    readResponsesUsage({
      input_tokens: 100,
      input_tokens_details: details,
      cache_creation: creation,
    }),
  ).toMatchObject(expected);
  // Of Messages, `input_tokens` are those that no cache had.
  expect(readMessagesUsage({ input_tokens: 10, ...flat, cache_creation: creation })).toMatchObject(
    expected,
  );
  // As gateways name them in chat.
  expect(readChatUsage({ prompt_tokens: 100, ...flat })).toMatchObject({
    cachedInputTokens: 60,
    cacheWriteTokens: 30,
  });
  // Where only the parts are there.
  expect(readMessagesUsage({ input_tokens: 70, cache_creation: creation })).toMatchObject({
    inputTokens: 100,
    cacheWriteTokens: 30,
    cacheWriteHourTokens: 20,
  });
});

test.each<[string, object, number]>([
  ['of OpenAI', { prompt_tokens_details: { cached_tokens: 900 } }, 900],
  ['of Anthropic', { cache_read_input_tokens: 900 }, 900],
  ['of DeepSeek', { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 }, 900],
  ['of Kimi', { cached_tokens: 900 }, 900],
  ['of Mistral', { num_cached_tokens: 900 }, 900],
  ['of Mistral, in its details', { prompt_token_details: { cached_tokens: 900 } }, 900],
  [
    'of two services, which are the same',
    { cached_tokens: 900, prompt_cache_hit_tokens: 900 },
    900,
  ],
  ['in text', { cached_tokens: '900' }, 900],
  ['beyond the prompt', { prompt_cache_hit_tokens: 5000 }, 1000],
  ['that are negative', { prompt_cache_hit_tokens: -1 }, 0],
  ['in an object', { cached_tokens: { count: 900 } }, 0],
])('cached tokens of a chat reply: the name %s', (_, fields, cachedInputTokens) => {
  expect(readChatUsage({ prompt_tokens: 1000, completion_tokens: 10, ...fields })).toMatchObject({
    inputTokens: 1000,
    outputTokens: 10,
    cachedInputTokens,
  });
});

test.each<[string, object]>([
  ['of OpenAI', { prompt_tokens_details: { cache_write_tokens: 900 } }],
  ['of Anthropic', { cache_creation_input_tokens: 900 }],
  ['of Qwen', { prompt_tokens_details: { cache_creation_input_tokens: 900 } }],
  ['of LiteLLM', { prompt_tokens_details: { cache_creation_tokens: 900 } }],
  ['of Envoy', { prompt_tokens_details: { cached_write_tokens: 900 } }],
])('tokens that a cache took, in a chat reply: the name %s', (_, fields) => {
  expect(readChatUsage({ prompt_tokens: 1000, completion_tokens: 10, ...fields })).toMatchObject({
    inputTokens: 1000,
    cachedInputTokens: 0,
    cacheWriteTokens: 900,
  });
});

test('the service tier that has served is read from every protocol', () => {
  const counts = { prompt_tokens: 1, input_tokens: 1 };
  const usage = { ...counts, service_tier: 'standard' };
  const reply = { usage, service_tier: 'default' };
  expect(usages.readChatUsage(reply)?.serviceTier).toBe('default');
  expect(usages.readResponsesUsage(reply)?.serviceTier).toBe('default');
  // As gateways pass it on, and Messages has it.
  expect(usages.readChatUsage({ usage })?.serviceTier).toBe('standard');
  expect(usages.readMessagesUsage(reply)?.serviceTier).toBe('standard');
  for (const service_tier of [null, '', 1, {}, ['priority']]) {
    expect(usages.readChatUsage({ usage: counts, service_tier })).not.toHaveProperty('serviceTier');
  }
});

test('searches of the web are counted', () => {
  const server_tool_use = { web_search_requests: 2 };
  expect(readChatUsage({ prompt_tokens: 1, server_tool_use })?.toolCalls).toEqual(
    new Map([['web_search', 2]]),
  );
  expect(readMessagesUsage({ input_tokens: 1, server_tool_use })?.toolCalls).toEqual(
    new Map([['web_search', 2]]),
  );
});

test('parts never exceed the whole', () => {
  const count = fc.oneof(fc.nat(50), fc.constantFrom('7', -1, null, 2.5));
  fc.assert(
    fc.property(fc.array(fc.tuple(count, count, count, count, count, count)), (reports) => {
      const usages = reports.map(([prompt, completion, total, read, written, hour]) =>
        readChatUsage({
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: total,
          prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
          cache_creation: { ephemeral_1h_input_tokens: hour },
          completion_tokens_details: { reasoning_tokens: read },
        }),
      );
      const usage = usages.reduce(mergeUsage, null);
      if (usage === null) return;
      const { cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = usage;
      expect(usage.cachedInputTokens + cacheWriteTokens).toBeLessThanOrEqual(usage.inputTokens);
      expect(cacheWriteHourTokens).toBeLessThanOrEqual(cacheWriteTokens);
      expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.outputTokens);
    }),
  );
});

test.each<[string, object, number | undefined]>([
  ['a cost', { cost: 0.1 }, 0.1],
  ['a cost of nothing', { cost: 0 }, 0],
  [
    'the price of an own account beside the fee',
    { cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 10 } },
    10.5,
  ],
  ['that price alone', { cost_details: { upstream_inference_cost: '10' } }, 10],
  [
    'that price where nothing says whose account it is',
    { cost: 0, cost_details: { upstream_inference_cost: 10 } },
    10,
  ],
  [
    'the same cost twice, of an account that is not our own',
    { cost: 0.1, is_byok: false, cost_details: { upstream_inference_cost: 0.1 } },
    0.1,
  ],
  ['of Perplexity, an object', { cost: { request_cost: 0.006, total_cost: 0.0071 } }, 0.0071],
  ['of xAI, in ticks', { cost_in_usd_ticks: 71_000_000 }, 0.0071],
  ['the smaller one of two', { cost: 0.1, cost_in_usd_ticks: 2_000_000_000 }, 0.1],
  ['an object without a total', { cost: { request_cost: 0.006 } }, undefined],
  ['an object with a negative total', { cost: { total_cost: -1 } }, undefined],
  ['negative ticks', { cost_in_usd_ticks: -1 }, undefined],
  ['a null price', { cost: 0.1, cost_details: { upstream_inference_cost: null } }, 0.1],
  ['an infinite one', { cost: Number.POSITIVE_INFINITY }, undefined],
  ['a negative one', { cost: -0.1 }, undefined],
])('the reported cost: %s', (_, fields, costUsd) => {
  expect(readChatUsage({ prompt_tokens: 5, ...fields })?.costUsd).toBe(costUsd);
  expect(readResponsesUsage({ input_tokens: 5, ...fields })?.costUsd).toBe(costUsd);
  expect(readMessagesUsage({ input_tokens: 5, ...fields })?.costUsd).toBe(costUsd);
});

test('of several reports the highest of each field counts, but the last prompt', () => {
  const early = readChatUsage({ prompt_tokens: 9, completion_tokens: 1, cost: 0.5 });
  const late = readChatUsage({
    prompt_tokens: 5,
    completion_tokens: 7,
    cost: 0.25,
    prompt_tokens_details: { cache_write_tokens: 2 },
  });
  expect(mergeUsage(early, late)).toEqual({
    ...plain,
    inputTokens: 5,
    outputTokens: 7,
    cacheWriteTokens: 2,
    costUsd: 0.5,
  });
  // It may know nothing of it.
  const last = readChatUsage({ completion_tokens: 8 });
  expect(mergeUsage(early, last)).toMatchObject({ inputTokens: 9, outputTokens: 8 });
  expect(mergeUsage(null, late)).toEqual(late);
  expect(mergeUsage(late, null)).toEqual(late);
});

test('other usage fields of the upstream, and its own total, are passed on', () => {
  const given = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, cost: 0.1 };
  const usage = readChatUsage(given);
  expect(usage && toChatUsage(usage, given)).toEqual(given);
});

test('a client sees the count that includes hidden reasoning', () => {
  const given = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 12 };
  const usage = readChatUsage(given);
  expect(usage && toChatUsage(usage, given)).toEqual({ ...given, completion_tokens: 7 });
});

test('usage as Messages shows it has the parts of the cache beside the input', () => {
  const given = {
    input_tokens: 10,
    cache_read_input_tokens: 60,
    cache_creation_input_tokens: 30,
    output_tokens: 4,
  };
  const usage = readMessagesUsage(given);
  expect(usage && toMessagesUsage(usage)).toEqual(given);
});
