import { expect, test } from 'vitest';
import { createChatRelay } from '#lib/ai-proxy/protocols/chat/chat-relay.ts';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { createMessagesRelay } from '#lib/ai-proxy/protocols/messages/messages-relay.ts';
import { readMessagesResult } from '#lib/ai-proxy/protocols/messages/messages-result.ts';
import {
  createMessagesTranslator,
  toMessage,
} from '#lib/ai-proxy/protocols/messages-over-chat/translator.ts';
import { readResponsesResult } from '#lib/ai-proxy/protocols/responses/response-object.ts';
import { createResponsesRelay } from '#lib/ai-proxy/protocols/responses/responses-relay.ts';
import {
  createResponsesTranslator,
  toResponse,
} from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/stream-relay.ts';
import { createCutFailure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import { chatChunk, chatHead, hello, role, stop } from '../../../support/upstreams/chat-stream.ts';
import {
  createMessageIds,
  createMessagesRequest,
} from '../../../support/upstreams/messages-request.ts';
import { createRequest, createTranslation } from '../../../support/upstreams/responses-request.ts';
import { failureOf, resultOf } from '../../../support/upstreams/result-of.ts';
import { unmarked } from '../../../support/upstreams/unmarked.ts';

const long = chatChunk({ content: 'x'.repeat(400) });
const identity = {
  id: 'own',
  created: 1,
  createdAt: 1,
  model: 'requested/model',
  newCallId: () => 'call_own',
};
const createNativeResponses = () =>
  createResponsesRelay(createRequest({ stream: true }), identity, toJsonObject);
const createNativeMessages = () =>
  createMessagesRelay(createMessagesRequest(), { id: 'msg_own', reasoning: unmarked });

const prompt = { promptTokensEstimate: 2 };

/** All that read a chat stream. */
const chatRelays: [string, () => StreamRelay][] = [
  ['chat', () => createChatRelay({ ...identity, includeUsage: false, ...prompt })],
  [
    'Responses',
    () => createResponsesTranslator({ ...createRequest(), ...prompt }, createTranslation()),
  ],
  [
    'Messages',
    () => createMessagesTranslator({ ...createMessagesRequest(), ...prompt }, createMessageIds()),
  ],
];

function push(relay: StreamRelay, ...events: readonly object[]): StreamRelay {
  for (const event of events) relay.push({ data: JSON.stringify(event) });
  return relay;
}

const usageOf = (prompt: unknown, completion: unknown, more: object = {}) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, ...more },
});
const usageChunk = (prompt: unknown, completion: unknown, more: object = {}) => ({
  ...chatHead,
  choices: [],
  ...usageOf(prompt, completion, more),
});

test.each(chatRelays)('%s over chat: a report after the end is all that counts', (_, create) => {
  const relay = push(create(), role, long, stop, usageChunk(11, 7));
  relay.push({ data: '[DONE]' });
  expect(relay).toMatchObject({
    isDone: true,
    failure: null,
    usage: { inputTokens: 11, outputTokens: 7, isEstimated: false },
    reported: { inputTokens: 11, outputTokens: 7 },
  });
});

test.each(chatRelays)('%s over chat: an early report does not end the estimate', (_, create) => {
  const early = chatChunk({ content: 'Hé' }, null, usageOf(11, 1));
  const relay = push(create(), early, long);
  const running = { inputTokens: 11, outputTokens: 101, isEstimated: true };
  expect(relay.usage).toMatchObject(running);
  expect(relay.reported).toMatchObject({ outputTokens: 1, isEstimated: false });
  relay.fail(createCutFailure());
  expect(relay.usage).toMatchObject(running);
});

test.each(chatRelays)('%s over chat: a cut stream costs no less than its report', (_, create) => {
  const relay = push(create(), hello, usageChunk(11, 70));
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 70, isEstimated: false });
});

const kimiEnd = (index: number, prompt: number, completion: number) => ({
  ...chatHead,
  choices: [{ index, delta: {}, finish_reason: 'stop', ...usageOf(prompt, completion) }],
});

test.each(chatRelays)(
  '%s over chat: a report in the last choice counts, as of Kimi',
  (_, create) => {
    const relay = push(create(), role, long, kimiEnd(0, 11, 7));
    relay.push({ data: '[DONE]' });
    expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
  },
);

test('of several choices that report their own usage all that was seen counts', () => {
  const [[, create] = missing()] = chatRelays;
  const second = { ...chatHead, choices: [{ index: 1, delta: { content: 'x'.repeat(400) } }] };
  const relay = push(create(), long, second, kimiEnd(0, 11, 100), kimiEnd(1, 11, 100));
  relay.push({ data: '[DONE]' });
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 200 });
});

test.each([null, 'x', [7], { prompt_tokens: -1 }, { prompt_tokens: {} }])(
  'usage in a choice that is %j is none',
  (usage) => {
    for (const [, create] of chatRelays) {
      const choices = [{ index: 0, delta: {}, finish_reason: 'stop', usage }];
      const relay = push(create(), long, { ...chatHead, choices });
      relay.push({ data: '[DONE]' });
      expect(relay.failure).toBeNull();
      expect(relay.usage).toMatchObject({ outputTokens: 100, isEstimated: true });
    }
  },
);

test('usage in the choice of a chat result counts, and is shown', () => {
  const choices = [{ message: { content: 'Hi' }, ...usageOf(11, 7) }];
  const { usage, result } = resultOf(
    readChatResult(JSON.stringify({ choices }), { ...identity, ...prompt }),
  );
  expect(usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
  expect(result.usage).toEqual({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
});

test.each(chatRelays)('%s over chat: the tier that has served is known', (_, create) => {
  const relay = push(create(), role, long, stop, { ...usageChunk(11, 7), service_tier: 'default' });
  relay.push({ data: '[DONE]' });
  expect(relay.usage.serviceTier).toBe('default');
});

test('the tier that has served a response or a message is known', () => {
  const completed = { output: [], ...native(11, 7), service_tier: 'default' };
  const response = push(createNativeResponses(), opened, delta, {
    type: 'response.completed',
    response: completed,
  });
  expect(response.usage.serviceTier).toBe('default');
  const usage = { input_tokens: 11, output_tokens: 1, service_tier: 'standard' };
  expect(push(createNativeMessages(), start(usage)).usage.serviceTier).toBe('standard');
  const text = JSON.stringify({ choices: [{ message: {} }], ...usageOf(11, 7) });
  const chat = readChatResult(text.replace('{', '{"service_tier":"flex",'), {
    ...identity,
    ...prompt,
  });
  expect(resultOf(chat).usage.serviceTier).toBe('flex');
});

test('text that follows the end and its report is estimated', () => {
  const [[, create] = missing()] = chatRelays;
  const finish = chatChunk({ content: 'a' }, 'stop', usageOf(11, 1));
  expect(push(create(), finish).usage).toMatchObject({ outputTokens: 1, isEstimated: false });
  expect(push(create(), finish, long).usage).toMatchObject({
    outputTokens: 101,
    isEstimated: true,
  });
});

test.each(chatRelays)(
  '%s over chat: of several reports the highest reply counts, and the last prompt',
  (_, create) => {
    const finish = chatChunk({}, 'stop', usageOf(11, 5));
    const relay = push(create(), hello, finish, usageChunk(9, 7, { cost: 0.5 }));
    relay.push({ data: '[DONE]' });
    expect(relay.usage).toMatchObject({ inputTokens: 9, outputTokens: 7, costUsd: 0.5 });
  },
);

test.each(chatRelays)('%s over chat: zeros beside a reply are estimated', (_, create) => {
  const relay = push(create(), long, stop, usageChunk(0, 0));
  relay.push({ data: '[DONE]' });
  expect(relay.usage).toMatchObject({ inputTokens: 2, outputTokens: 100, isEstimated: true });
});

test.each(chatRelays)('%s over chat: a report without the prompt', (_, create) => {
  const relay = push(create(), long, stop, usageChunk(undefined, 7));
  relay.push({ data: '[DONE]' });
  expect(relay.usage).toMatchObject({ inputTokens: 2, outputTokens: 7, isEstimated: true });
});

test.each<[string, readonly object[]]>([
  ['before an error', [usageChunk(11, 7), { error: { message: 'acct_7' } }]],
  ['beside an error', [{ ...usageChunk(11, 7), error: { message: 'acct_7' } }]],
  ['beside the finish reason error', [chatChunk({}, 'error', usageOf(11, 7))]],
])('usage %s in a chat stream counts', (_, events) => {
  for (const [, create] of chatRelays) {
    const relay = push(create(), ...events);
    expect(relay.failure).not.toBeNull();
    expect(relay.reported).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
  }
});

test('the old form of function calls is part of a reply', () => {
  const call = { name: 'look', arguments: 'x'.repeat(396) };
  const [[, create] = missing()] = chatRelays;
  expect(push(create(), chatChunk({ function_call: call })).usage.outputTokens).toBe(100);
});

function missing(): never {
  throw new Error('There is none.');
}

const native = (input: number, output: number) => ({
  usage: { input_tokens: input, output_tokens: output },
});
const item = { type: 'message', role: 'assistant', content: [] };
const opened = { type: 'response.output_item.added', output_index: 0, item };
const delta = {
  type: 'response.output_text.delta',
  item_id: 'm',
  output_index: 0,
  content_index: 0,
  delta: 'x'.repeat(400),
};

test.each([
  ['response.completed', {}],
  ['response.incomplete', {}],
  ['response.failed', { error: { code: 'server_error', message: 'acct_7' } }],
])('the usage of %s counts alone', (type, fields) => {
  const relay = push(createNativeResponses(), opened, delta);
  expect(relay.usage).toMatchObject({ outputTokens: 100, isEstimated: true });
  push(relay, { type, response: { output: [], ...fields, ...native(11, 7) } });
  expect(relay.isDone).toBe(true);
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
});

test('the usage of response.failed counts where its error event never comes', () => {
  const relay = push(createNativeResponses(), opened, delta);
  push(relay, { type: 'response.failed', response: { output: [], ...native(11, 7) } });
  expect(relay.isDone).toBe(false);
  relay.end();
  expect(relay.failure).not.toBeNull();
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
});

test('usage in the first event of a response does not end the estimate', () => {
  const created = { type: 'response.created', response: { id: 'resp_1', ...native(11, 1) } };
  const relay = push(createNativeResponses(), created, opened, delta);
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 100, isEstimated: true });
});

test('usage in an error event counts', () => {
  const error = { message: 'acct_7' };
  for (const create of [createNativeResponses, createNativeMessages]) {
    const relay = push(create(), { type: 'error', error, ...native(11, 7) });
    expect(relay.failure).not.toBeNull();
    expect(relay.reported).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  }
});

test('usage that comes with the failed response after an error event counts', () => {
  const relay = push(createNativeResponses(), opened, delta, { type: 'error', message: 'acct_7' });
  expect(relay.reported).toBeNull();
  const failed = { type: 'response.failed', response: { status: 'failed', ...native(11, 170) } };
  expect(relay.push({ data: JSON.stringify(failed) })).toBe('');
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 170, isEstimated: false });
});

test('usage after an error counts in chat streams and messages', () => {
  const error = { error: { message: 'acct_7' } };
  for (const [, create] of chatRelays) {
    const relay = push(create(), hello, error, usageChunk(11, 70));
    relay.push({ data: '[DONE]' });
    relay.push({ data: 'no JSON' });
    expect(relay.reported).toMatchObject({ inputTokens: 11, outputTokens: 70 });
  }
  const usage = { type: 'message_delta', delta: {}, ...native(11, 70) };
  const relay = push(createNativeMessages(), { type: 'error', ...error }, usage);
  expect(relay.reported).toMatchObject({ inputTokens: 11, outputTokens: 70 });
});

test('an item that came without deltas is estimated', () => {
  const call = { type: 'function_call', name: 'f', arguments: 'x'.repeat(400) };
  const done = { type: 'response.output_item.done', output_index: 0, item: call };
  expect(push(createNativeResponses(), done).usage.outputTokens).toBeGreaterThanOrEqual(100);
  const content = [{ type: 'output_text', text: 'x'.repeat(400) }];
  const completed = {
    type: 'response.completed',
    response: { output: [{ type: 'message', content }] },
  };
  expect(push(createNativeResponses(), completed).usage.outputTokens).toBeGreaterThanOrEqual(100);
});

const start = (usage: object) => ({
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage },
});
const piece = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});

test('a client that leaves after message_start pays what it reports', () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 60,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_1h_input_tokens: 20 },
    output_tokens: 1,
  };
  const relay = push(createNativeMessages(), start(usage));
  expect(relay.usage).toMatchObject({
    inputTokens: 100,
    cachedInputTokens: 60,
    cacheWriteTokens: 30,
    cacheWriteHourTokens: 20,
    outputTokens: 1,
    isEstimated: false,
  });
  push(relay, piece('x'.repeat(400)));
  expect(relay.usage).toMatchObject({ inputTokens: 100, outputTokens: 100, isEstimated: true });
});

test('usage before an error event of Messages counts', () => {
  const events = [start({ input_tokens: 11, output_tokens: 3 }), { type: 'error', error: {} }];
  const relay = push(createNativeMessages(), ...events);
  expect(relay.reported).toMatchObject({ inputTokens: 11, outputTokens: 3 });
});

test('of the reports of a message the highest of each field counts', () => {
  const relay = push(
    createNativeMessages(),
    start({ input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 1 }),
    piece('x'.repeat(400)),
    // The whole prompt came from the cache after all.
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: {
        input_tokens: 2,
        cache_read_input_tokens: 8,
        output_tokens: 7,
        server_tool_use: { web_search_requests: 2 },
      },
    },
    { type: 'message_stop' },
  );
  expect(relay.usage).toMatchObject({
    inputTokens: 10,
    cachedInputTokens: 8,
    outputTokens: 7,
    toolCalls: new Map([['web_search', 2]]),
    isEstimated: false,
  });
});

test('counts of a message that come as text count', () => {
  const relay = push(
    createNativeMessages(),
    start({ input_tokens: '11' }),
    piece('x'.repeat(400)),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: '7' } },
    { type: 'message_stop' },
  );
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
});

test.each<[string, object]>([
  ['an error', { error: { message: 'acct_7' } }],
  ['no choices', { choices: [] }],
  ['choices that are none', { choices: [{}] }],
  ['a choice that failed', { choices: [{ message: {}, finish_reason: 'error' }] }],
])('the usage of a chat result counts beside %s', (_, fields) => {
  const options = { ...identity, ...prompt };
  const chat = readChatResult(JSON.stringify({ ...fields, ...usageOf(11, 7) }), options);
  const read = [
    chat,
    toResponse(chat, createRequest(), createTranslation()),
    toMessage(chat, createMessagesRequest(), createMessageIds()),
  ];
  for (const result of read) {
    expect(failureOf(result)).toMatchObject({
      usage: { inputTokens: 11, outputTokens: 7, isEstimated: false },
      error: { status: 502 },
    });
  }
});

test('a chat result that failed within its text costs an estimate, without a text nothing', () => {
  const read = (content: string) => {
    const choices = [{ message: { content }, finish_reason: 'error' }];
    return failureOf(readChatResult(JSON.stringify({ choices }), { ...identity, ...prompt }));
  };
  expect(read('x'.repeat(400)).usage).toMatchObject({ outputTokens: 100, isEstimated: true });
  expect(read('').usage).toBeNull();
});

test('the usage of a failed response and of an error of Messages counts', () => {
  const failed = { status: 'failed', error: { message: 'acct_7' }, output: [], ...native(11, 7) };
  const error = { type: 'error', error: { type: 'api_error' }, ...native(11, 7) };
  const read = [
    readResponsesResult(JSON.stringify(failed), createRequest(), {
      ...identity,
      toClientItem: toJsonObject,
    }),
    readMessagesResult(JSON.stringify(error), createMessagesRequest(), {
      id: 'msg_own',
      reasoning: unmarked,
    }),
  ];
  for (const result of read) {
    expect(failureOf(result).usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  }
});

test('zeros beside a result are estimated, and shown as such', () => {
  const message = { content: 'x'.repeat(400) };
  const text = JSON.stringify({ choices: [{ message }], ...usageOf(0, 0, { total_tokens: 0 }) });
  const { usage, result } = resultOf(readChatResult(text, { ...identity, ...prompt }));
  expect(usage).toMatchObject({ inputTokens: 2, outputTokens: 100, isEstimated: true });
  expect(result.usage).toEqual({ prompt_tokens: 2, completion_tokens: 100, total_tokens: 102 });
});

test('a result that is nested too deep to be written again is garbage', () => {
  const text = `{"choices":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  expect(failureOf(readChatResult(text, { ...identity, ...prompt }))).toMatchObject({
    usage: null,
    error: { status: 502 },
  });
});
