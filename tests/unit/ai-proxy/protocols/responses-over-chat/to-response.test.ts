import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { toResponse } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import { anyScript, chatHead, chatUsage } from '../../../../support/upstreams/chat-stream.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';
import { findResponseProblems, summarise } from '../../../../support/upstreams/responses-stream.ts';
import { resultOf } from '../../../../support/upstreams/result-of.ts';

function translate(message: object, finishReason = 'stop', more: object = { usage: chatUsage }) {
  const body = {
    ...chatHead,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...more,
  };
  let calls = 0;
  const options = {
    promptTokensEstimate: 5,
    id: 'chatcmpl-own',
    created: 1,
    newCallId: () => `call_${++calls}`,
    model: 'requested/model',
  };
  const { result } = resultOf(
    toResponse(readChatResult(JSON.stringify(body), options), createRequest(), createTranslation()),
  );
  expect(findResponseProblems(result)).toEqual([]);
  return result;
}

const call = (id: string, text: string) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
});

test('a text is one message', () => {
  expect(translate({ role: 'assistant', content: 'Hi' })).toMatchObject({
    id: 'resp_1',
    model: 'maker/model-1',
    status: 'completed',
    completed_at: 1_760_000_009,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
      },
    ],
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  });
});

test('calls follow the text; without a text there is no message', () => {
  const calls = [call('a', '{"x":1}'), call('b', '')];
  const both = translate({ content: 'Hi', tool_calls: calls }, 'tool_calls');
  expect(both).toMatchObject({
    status: 'completed',
    output: [{ type: 'message' }, { type: 'function_call' }, {}],
  });
  expect(translate({ content: null, tool_calls: calls }, 'tool_calls').output).toEqual([
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'a',
      name: 'f',
      arguments: '{"x":1}',
      status: 'completed',
    },
    {
      type: 'function_call',
      id: 'fc_2',
      call_id: 'b',
      name: 'f',
      arguments: '{}',
      status: 'completed',
    },
  ]);
});

test('calls without ids stay apart', () => {
  const calls = ['f', 'g'].map((name) => ({ function: { name, arguments: '{}' } }));
  expect(translate({ content: null, tool_calls: calls }, 'tool_calls').output).toMatchObject([
    { name: 'f', arguments: '{}', call_id: 'call_1' },
    { name: 'g', arguments: '{}', call_id: 'call_2' },
  ]);
});

test('after reasoning alone there is an empty message', () => {
  expect(translate({ content: null, reasoning: 'Hm.' }).output).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'Hm.' }] },
    { type: 'message', content: [{ text: '' }] },
  ]);
});

test('a refusal is a content part; an empty reply is an empty message', () => {
  expect(translate({ content: null, refusal: 'No.' }).output).toMatchObject([
    { content: [{ type: 'refusal', refusal: 'No.' }] },
  ]);
  expect(translate({ content: null }).output).toMatchObject([
    { content: [{ type: 'output_text', text: '' }] },
  ]);
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
])('finish reason %s makes the response incomplete', (finish, reason) => {
  expect(translate({ content: 'Hi' }, finish)).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason },
    completed_at: null,
    output: [{ status: 'incomplete' }],
  });
});

test('missing usage is estimated', () => {
  expect(translate({ content: 'x'.repeat(40) }, 'stop', {}).usage).toMatchObject({
    input_tokens: 5,
    output_tokens: 10,
    total_tokens: 15,
  });
});

test('any reply keeps its text and calls', () => {
  fc.assert(
    fc.property(anyScript, ({ text, refusal, toolCalls }) => {
      const calls = toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      }));
      const { output } = translate({ content: text, refusal, tool_calls: calls });
      expect(summarise(Array.isArray(output) ? output : [])).toEqual({ text, refusal, toolCalls });
    }),
  );
});
