import { expect, test } from 'vitest';
import { estimatePromptTokens } from '#lib/ai-proxy/metering/estimate-tokens.ts';
import {
  readChatUsage,
  readResponsesUsage,
  toChatUsage,
} from '#lib/ai-proxy/metering/token-usage.ts';

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

test('invalid counts are ignored, and a missing count is computed from the total', () => {
  for (const usage of [
    null,
    undefined,
    'x',
    {},
    [],
    { prompt_tokens: -1 },
    { prompt_tokens: '5' },
  ]) {
    expect(readChatUsage(usage)).toBeNull();
  }
  expect(readChatUsage({ prompt_tokens: 5, total_tokens: 9 })?.outputTokens).toBe(4);
  expect(readChatUsage({ prompt_tokens: 5, completion_tokens: null })?.outputTokens).toBe(0);
});

test('other usage fields of the upstream, and its own total, are passed on', () => {
  const given = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 12, cost: 0.1 };
  const usage = readChatUsage(given);
  expect(usage && toChatUsage(usage, given)).toEqual(given);
});

test('an estimate counts texts at any depth, no keys, and each media part once', () => {
  expect(estimatePromptTokens()).toBe(0);
  expect(estimatePromptTokens('x'.repeat(8), [{ a: ['x'.repeat(8)], n: 5, z: null }])).toBe(4);
  expect(estimatePromptTokens('日本日本')).toBe(3);
  const image = { type: 'input_image', image_url: `data:image/png;base64,${'x'.repeat(100_000)}` };
  expect(estimatePromptTokens([{ content: [image, image] }])).toBe(2000);
});
