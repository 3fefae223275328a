import { expect, test } from 'vitest';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { toChatRequest } from '#lib/ai-proxy/protocols/messages-over-chat/to-chat-request.ts';
import { toMessage } from '#lib/ai-proxy/protocols/messages-over-chat/translator.ts';
import { chatUsage } from '../../../../support/upstreams/chat-stream.ts';
import {
  createMessageIds,
  createMessagesRequest,
} from '../../../../support/upstreams/messages-request.ts';
import { resultOf } from '../../../../support/upstreams/result-of.ts';

const identity = {
  id: 'msg_1',
  created: 1,
  model: 'requested/model',
  promptTokensEstimate: 4,
  newCallId: () => 'toolu_own',
};

function translate(message: object, finish = 'stop', fields: object = {}) {
  const choices = [{ index: 0, message, finish_reason: finish }];
  const text = JSON.stringify({ model: 'maker/model-1', choices, usage: chatUsage });
  const request = createMessagesRequest(fields);
  return resultOf(toMessage(readChatResult(text, identity), request, createMessageIds())).result;
}

test('a text becomes a message with all documented fields', () => {
  expect(translate({ role: 'assistant', content: 'Hé' })).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'maker/model-1',
    content: [{ type: 'text', text: 'Hé' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 8,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 3,
      output_tokens: 7,
    },
  });
});

test('a call of a tool that Anthropic defines has its name', () => {
  const tools = [{ type: 'bash_20250124', name: 'bash' }];
  const tool_calls = [{ id: 'a', function: { name: 'bash', arguments: '{"command":"ls"}' } }];
  expect(translate({ content: null, tool_calls }, 'tool_calls', { tools })).toMatchObject({
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } }],
  });
});

test('calls become blocks, and their cut arguments an empty input', () => {
  const tool_calls = [
    { id: 'a', function: { name: 'look', arguments: '{"at":"sky"}' } },
    { id: 'b', function: { name: 'look', arguments: '{"at":' } },
  ];
  expect(translate({ content: null, tool_calls }, 'length')).toMatchObject({
    stop_reason: 'max_tokens',
    content: [
      { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } },
      { type: 'tool_use', id: 'b', name: 'look', input: {} },
    ],
  });
});

test('thinking comes back to the upstream in the field that it came from', () => {
  const details = [{ type: 'reasoning.encrypted', data: 'secret', index: 0 }];
  for (const fields of [
    { reasoning_content: 'Hm.' },
    { reasoning: 'Hm.' },
    { reasoning_details: details },
  ]) {
    const reply = translate({ content: 'Hé', ...fields }, 'stop', {
      thinking: { type: 'adaptive' },
    });
    const next = createMessagesRequest({
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: reply.content },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(toChatRequest(next).messages).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hé', ...fields },
      { role: 'user', content: 'And?' },
    ]);
  }
});

test('thinking is left out for clients that turned it off', () => {
  const fields = { thinking: { type: 'disabled' } };
  expect(translate({ content: 'Hé', reasoning: 'Hm.' }, 'stop', fields).content).toEqual([
    { type: 'text', text: 'Hé' },
  ]);
});
