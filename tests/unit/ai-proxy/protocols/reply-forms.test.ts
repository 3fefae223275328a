import { expect, test } from 'vitest';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { readMessagesResult } from '#lib/ai-proxy/protocols/messages/messages-result.ts';
import { toCompleteJson } from '#lib/ai-proxy/protocols/reply-forms.ts';
import { readResponsesResult } from '#lib/ai-proxy/protocols/responses/response-object.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import {
  chatChunk,
  toChatStream,
  toolCallDeltas,
  usageChunk,
} from '../../../support/upstreams/chat-stream.ts';
import { createMessagesRequest } from '../../../support/upstreams/messages-request.ts';
import { createRequest } from '../../../support/upstreams/responses-request.ts';
import { unmarked } from '../../../support/upstreams/unmarked.ts';

const toStream = (events: readonly Readonly<{ type: string }>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const readChat = async (stream: string) =>
  readChatResult(await toCompleteJson(stream), {
    promptTokensEstimate: 5,
    id: 'chatcmpl-own',
    created: 1,
    model: 'requested/model',
    newCallId: () => 'call_own',
  });
const readMessage = async (stream: string) =>
  readMessagesResult(await toCompleteJson(stream), createMessagesRequest(), {
    id: 'msg_own',
    reasoning: unmarked,
  });
const readResponse = async (stream: string) =>
  readResponsesResult(await toCompleteJson(stream), createRequest(), {
    id: 'resp_own',
    createdAt: 1,
    toClientItem: toJsonObject,
  });

const chat = [
  chatChunk({ role: 'assistant', reasoning_content: 'Hm. ' }),
  chatChunk({ reasoning_content: 'Both.' }),
  chatChunk({ content: 'Hé' }),
  chatChunk({ content: '😀' }),
  ...toolCallDeltas(0, { id: 'call_a', name: 'read', pieces: ['{"path":', '"a"}'] }).map((delta) =>
    chatChunk(delta),
  ),
  chatChunk({}, 'tool_calls'),
];

// 9router 3492
test('JSON that ends like a stream is JSON', async () => {
  const reply = '{"choices":[{"message":{"content":"data: [DONE]"}}]}';
  for (const end of ['data: [DONE]\n\n', '\n\ndata:[DONE]\n', '']) {
    expect((await toCompleteJson(reply + end)).trim()).toBe(reply);
  }
});

test('a chat stream in place of JSON is one completion', async () => {
  expect(await readChat(toChatStream([...chat, usageChunk]))).toMatchObject({
    usage: { inputTokens: 11, outputTokens: 7, isEstimated: false },
    result: {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            reasoning_content: 'Hm. Both.',
            content: 'Hé😀',
            tool_calls: [
              {
                id: 'call_a',
                type: 'function',
                function: { name: 'read', arguments: '{"path":"a"}' },
              },
            ],
          },
        },
      ],
    },
  });
});

const usage = { input_tokens: 5, output_tokens: 7 };

test('a Messages stream in place of JSON is one message', async () => {
  const stream = toStream([
    {
      type: 'message_start',
      message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 5 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hé' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '😀' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"path":' },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '"a"}' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ] as { type: string }[]);
  expect(await readMessage(stream)).toMatchObject({
    usage: { inputTokens: 5, outputTokens: 7, isEstimated: false },
    result: {
      id: 'msg_1',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Hé😀' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
      ],
    },
  });
});

test('a Responses stream in place of JSON is one response, though its end may not repeat the items', async () => {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_a',
    name: 'read',
    arguments: '{}',
  };
  const created = { type: 'response.created', response: { id: 'resp_1' } };
  const done = { type: 'response.output_item.done', output_index: 0, item };
  for (const output of [[item], []]) {
    const response = { id: 'resp_1', status: 'completed', output, usage };
    const stream = toStream([
      created,
      done,
      { type: 'response.completed', response } as { type: string },
    ]);
    expect(await readResponse(stream)).toMatchObject({
      usage: { inputTokens: 5, outputTokens: 7 },
      result: { id: 'resp_1', status: 'completed', output: [item] },
    });
  }
});

test.each([
  ['a chat stream', () => readChat(toChatStream(chat.slice(0, -1), { done: false }))],
  ['a Messages stream', () => readMessage(toStream([{ type: 'message_start' }]))],
  ['a Responses stream', () => readResponse(toStream([{ type: 'response.created' }]))],
  ['no stream', () => readChat('<html>Bad gateway</html>')],
])('%s that was cut is an error of the upstream', async (_, read) => {
  expect(await read()).toMatchObject({ error: { status: 502, code: 'upstream_error' } });
});

test('a chat stream that says that it is done is complete, without a reason, too', async () => {
  const withoutReason = [...chat.slice(0, -1), usageChunk];
  expect(await readChat(toChatStream(withoutReason))).toMatchObject({
    usage: { outputTokens: 7 },
    result: { choices: [{ finish_reason: 'tool_calls', message: { content: 'Hé😀' } }] },
  });
});

test('an error in such a stream is the error', async () => {
  const stream = toChatStream(
    [chat[0], { error: { code: 429, message: 'acct_7' } }].filter(Boolean) as object[],
  );
  expect(await readChat(stream)).toMatchObject({ error: { status: 429 } });
});

test('a long stream is read in steps, and one that is too long not at all', async () => {
  const piece = toChatStream([chatChunk({ content: 'word '.repeat(100) })], { done: false });
  const end = toChatStream([chatChunk({}, 'stop'), usageChunk]);
  let turns = 0;
  const turn = setInterval(() => turns++, 0);
  const read = readChat(piece.repeat(4000) + end);
  expect(turns).toBe(0);
  expect(await read).toMatchObject({ usage: { outputTokens: 7 } });
  clearInterval(turn);
  expect(turns).toBeGreaterThan(3);
  await expect(readChat(piece.repeat(20_000) + end)).rejects.toMatchObject({
    status: 502,
    reason: 'too_long',
    isBillable: true,
  });
});
