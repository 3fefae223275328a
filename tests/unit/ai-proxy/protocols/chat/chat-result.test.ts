import { expect, test } from 'vitest';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { chatUsage } from '../../../../support/upstreams/chat-stream.ts';
import { failureOf, resultOf } from '../../../../support/upstreams/result-of.ts';

const options = {
  promptTokensEstimate: 50,
  id: 'chatcmpl-own',
  created: 1_760_000_111,
  newCallId: () => 'call_own',
  model: 'requested/model',
};
const read = (value: unknown) =>
  readChatResult(typeof value === 'string' ? value : JSON.stringify(value), options);
const readWell = (value: unknown) => resultOf(read(value));

const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'maker/model-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage,
  system_fingerprint: 'fp',
};

test('a complete result is unchanged', () => {
  expect(readWell(whole)).toEqual({
    result: whole,
    usage: {
      inputTokens: 11,
      outputTokens: 7,
      cachedInputTokens: 3,
      reasoningTokens: 2,
      seenOutputTokens: 2,
      isEstimated: false,
    },
  });
});

// agent-framework 6978, vercel/ai 17784, litellm 16272, prism 862
test('of what Mistral’s models think and say in parts, a client of chat gets texts', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'A greeting.' }], closed: true },
    { type: 'text', text: 'Hel' },
    { type: 'reference', reference_ids: [1] },
    { type: 'text', text: 'lo' },
  ];
  const toReply = (message: object) => ({ ...whole, choices: [{ index: 0, message }] });
  const readPlain = (message: object) => {
    const text = JSON.stringify(toReply({ role: 'assistant', ...message }));
    return resultOf(readChatResult(text, { ...options, isPlain: true })).result;
  };
  expect(readPlain({ content })).toMatchObject(
    toReply({ content: 'Hello', reasoning_content: 'A greeting.' }),
  );
  // neon-pkgs 308, chatlas 392: Databricks
  const summary = [{ type: 'summary_text', text: 'A greeting.', signature: 'c2ln' }];
  expect(
    readPlain({ content: [{ type: 'reasoning', summary }, ...content.slice(1)] }),
  ).toMatchObject(toReply({ content: 'Hello', reasoning_content: 'A greeting.' }));
  // What is no text stays as it came.
  const picture = [...content, { type: 'image_url', image_url: { url: 'https://example.com' } }];
  expect(readPlain({ content: picture })).toMatchObject(toReply({ content: picture }));
});

test('missing fields are added, empty ones left out, and unknown values replaced by known ones', () => {
  const { result, usage } = readWell({
    error: null,
    choices: [
      { message: { content: 'x'.repeat(40), tool_calls: [] }, finish_reason: 'end_turn' },
      { message: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] } },
    ],
  });
  expect(result).toEqual({
    system_fingerprint: null,
    id: 'chatcmpl-own',
    object: 'chat.completion',
    created: 1_760_000_111,
    model: 'requested/model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'x'.repeat(40), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
      {
        index: 1,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 50, completion_tokens: 11, total_tokens: 61 },
  });
  expect(usage.isEstimated).toBe(true);
});

// home-llm PR 348, nanobot PR 3943, litellm 21932
test('calls and logprobs of other forms are as documented', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };
  const shownOf = (tool_calls: unknown) => {
    const { result } = readWell({ choices: [{ message: { tool_calls }, finish_reason: 'stop' }] });
    return result.choices;
  };
  for (const calls of [[null, call], call, [{ id: 'a', name: 'f', arguments: { x: 1 } }]]) {
    expect(shownOf(calls)).toMatchObject([{ message: { tool_calls: [call] } }]);
  }
  const repeated = [call, { ...call, id: 'call_own' }];
  expect(shownOf([call, call])).toMatchObject([{ message: { tool_calls: repeated } }]);
  const logprobs = { content: [{ token: 'Hi', logprob: -0.1, top_logprobs: null }] };
  expect(readWell({ choices: [{ message: { content: 'Hi' }, logprobs }] }).result).toMatchObject({
    choices: [{ logprobs: { content: [{ token: 'Hi', bytes: null, top_logprobs: [] }] } }],
  });
});

test.each([
  ['<html>Bad gateway</html>', 502],
  ['', 502],
  ['[]', 502],
  ['{}', 502],
  ['{"choices":[]}', 502],
  ['{"choices":[{}]}', 502],
  ['{"error":{"message":"acct_7 is out of credit","code":402}}', 502],
  ['{"error":"acct_7"}', 502],
  ['{"choices":[{"message":{},"finish_reason":"error","error":{"message":"acct_7"}}]}', 502],
  ['{"choices":[{"message":{},"finish_reason":"stop","error":{"message":"acct_7"}}]}', 502],
  ['{"error":{"message":"acct_7","code":429}}', 429],
])('%s in a 200 response is an error with status %i and our own message', (text, status) => {
  const error = failureOf(read(text)).error;
  expect(error.status).toBe(status);
  expect(error.message).not.toContain('acct_7');
});
