import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { createMessagesRelay } from '#lib/ai-proxy/protocols/messages/messages-relay.ts';
import { readMessagesResult } from '#lib/ai-proxy/protocols/messages/messages-result.ts';
import { createMessagesRequest } from '../../../../support/upstreams/messages-request.ts';
import { examineMessagesStream } from '../../../../support/upstreams/messages-stream.ts';
import { replay } from '../../../../support/upstreams/replay.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

const identity = { id: 'msg_own', reasoning: unmarked };
const usage = { input_tokens: 5, output_tokens: 7 };
const block = { type: 'tool_use', id: 'toolu_1', name: 'read' };

test.each([
  ['an object', { path: 'a' }, { path: 'a' }],
  ['JSON text', '{"path":"a"}', { path: 'a' }],
  ['an empty text', '', {}],
])('the input of a call that comes as %s is an object', (_, input, expected) => {
  const reply = { id: 'msg_1', content: [{ ...block, input }], stop_reason: 'tool_use', usage };
  const read = readMessagesResult(JSON.stringify(reply), createMessagesRequest(), identity);
  expect(read).toMatchObject({ result: { content: [{ ...block, input: expected }] } });
});

// nanobot 4473
test('parallel calls with one id have their own', () => {
  const call = { ...block, input: {} };
  const reply = { id: 'msg_1', content: [call, call], stop_reason: 'tool_use', usage };
  const read = readMessagesResult(JSON.stringify(reply), createMessagesRequest(), identity);
  expect(read).toMatchObject({ result: { content: [call, { ...call, id: 'toolu_1_1' }] } });
});

const toStream = (events: readonly Readonly<{ type: string }>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const start = (input: unknown) => ({
  type: 'content_block_start',
  index: 0,
  content_block: { ...block, input },
});
const piece = (partial_json: unknown) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
});

test.each([
  ['as an object', [start({}), piece({ path: 'a' })]],
  // ccrelay PR 119, antseed PR 15, gajae-code PR 1895
  ['whole, where the call begins', [start({ path: 'a' })]],
  ['as text, where the call begins', [start('{"path":"a"}')]],
  [
    'where the call begins, and in pieces',
    [start({ path: 'a' }), piece('{"path":'), piece('"a"}')],
  ],
])('an input that is streamed %s arrives as its JSON text', async (_, call) => {
  const events = [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', content: [], usage } },
    ...call,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
    { type: 'message_stop' },
  ];
  const stream = replay(createMessagesRelay(createMessagesRequest({ stream: true }), identity), [
    toStream(events),
  ]);
  // Agents read deltas alone.
  const { problems, blocks } = examineMessagesStream(stream);
  expect([problems, blocks]).toMatchObject([[], [{ ...block, text: '{"path":"a"}' }]]);
  const client = new Anthropic({
    apiKey: 'sk-none',
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const message = await client.messages
    .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] })
    .finalMessage();
  expect(message.content).toMatchObject([{ ...block, input: { path: 'a' } }]);
});

test('inputs with which calls begin are kept up to the bound of a reply', () => {
  const input = { text: 'x'.repeat(90_000) };
  const relayed = (count: number) =>
    replay(createMessagesRelay(createMessagesRequest({ stream: true }), identity), [
      toStream(Array.from({ length: count }, (_, index) => ({ ...start(input), index }))),
    ]);
  expect(relayed(80)).not.toContain('shorter reply');
  expect(relayed(100)).toContain('shorter reply');
});
