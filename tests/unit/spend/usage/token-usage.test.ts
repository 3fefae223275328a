import { expect, test } from 'vitest';
import { readChatUsage, readResponsesUsage, toChatUsage } from '#lib/spend/usage/token-usage.ts';

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
