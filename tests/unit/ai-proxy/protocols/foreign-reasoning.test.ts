import { expect, test } from 'vitest';
import { ReasoningCollector, splitCallId } from '#lib/ai-proxy/protocols/chat/reasoning.ts';
import { toChatRequest as fromMessages } from '#lib/ai-proxy/protocols/messages-over-chat/to-chat-request.ts';
import { toMark } from '#lib/ai-proxy/protocols/reasoning-mark.ts';
import { toNativeBody } from '#lib/ai-proxy/protocols/responses/responses-request.ts';
import { createToClientItem } from '#lib/ai-proxy/protocols/responses-over-chat/chat-tools.ts';
import { toChatRequest as fromResponses } from '#lib/ai-proxy/protocols/responses-over-chat/to-chat-request.ts';
import { createMessagesRequest } from '../../../support/upstreams/messages-request.ts';
import { createRequest } from '../../../support/upstreams/responses-request.ts';

/** Two upstreams that serve one model. */
const north = { own: toMark('north'), isWritten: true };
const south = { own: toMark('south'), isWritten: true };

/** What a client of a translated reply of north sends back. */
function collect(mark = north) {
  const collector = new ReasoningCollector(mark);
  collector.add({ text: 'I think.', field: 'reasoning_content', details: [] });
  collector.addCall('a', { extra_content: { s: 1 } });
  return collector;
}

const user = { role: 'user', content: 'Hello' };

function toMessages(token: string, id: string) {
  return createMessagesRequest({
    messages: [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I think.', signature: token },
          { type: 'tool_use', id, name: 'f', input: {} },
        ],
      },
    ],
  });
}

function toResponses(token: string) {
  return createRequest({
    input: [
      user,
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'I think.' }],
        encrypted_content: token,
      },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    ],
  });
}

test('a request says which upstream its translated reasoning is of', () => {
  const token = collect().toToken();
  expect(toMessages(token, 'a').reasoningMark).toBe(north.own);
  expect(toResponses(token).reasoningMark).toBe(north.own);
  expect(toMessages('sig', collect().toMarkedId('a')).reasoningMark).toBe(north.own);
  expect(toMessages(collect({ ...north, isWritten: false }).toToken(), 'a').reasoningMark).toBe(
    null,
  );
});

test.each([
  ['the same', north, true],
  ['another', south, false],
])('translated reasoning goes back to the upstream that it came from: to %s', (_, mark, isOwn) => {
  const token = collect().toToken();
  const messages = [
    fromMessages({ ...toMessages(token, 'a'), reasoning: mark }),
    fromMessages({ ...toMessages('sig', collect().toMarkedId('a')), reasoning: mark }),
    fromResponses({ ...toResponses(token), reasoning: mark }),
  ].map((sent) => (sent.messages as object[])[1]);
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  for (const message of messages) {
    expect(message).toEqual({
      role: 'assistant',
      content: null,
      ...(isOwn && { reasoning_content: 'I think.' }),
      tool_calls: [isOwn ? { ...call, extra_content: { s: 1 } } : call],
    });
  }
});

test('the id of a call is that of its upstream, whatever it carries', () => {
  for (const mark of [north, { ...north, isWritten: false }]) {
    expect(splitCallId(collect(mark).toMarkedId('call_1')).id).toBe('call_1');
  }
});

test('what was compacted goes back only to the upstream that can read it', () => {
  const token = `mq2.${north.own}.gAAAA`;
  const search = { type: 'web_note', encrypted_content: token };
  const input = [{ type: 'compaction', encrypted_content: token }, search, user];
  const send = (reasoning: typeof north) =>
    JSON.parse(
      toNativeBody(createRequest({ input }), {
        model: 'm',
        outputTokensMax: null,
        toolCallsMax: null,
        reasoning,
        sent: { dialect: 'responses' },
        quirks: new Map(),
      }),
    ).input;

  expect(send(north).slice(0, 2)).toEqual([
    { type: 'compaction', encrypted_content: 'gAAAA' },
    { type: 'web_note', encrypted_content: 'gAAAA' },
  ]);
  expect(send(south)).toMatchObject([
    {
      role: 'system',
      content: [{ text: expect.stringContaining('was compacted by another model') }],
    },
    { role: 'user' },
  ]);
});

test('so do the encrypted parts of messages between agents, which the client gets marked', () => {
  const agent = (text: string) => ({
    type: 'agent_message',
    content: [
      { type: 'encrypted_content', encrypted_content: text },
      { type: 'input_text', text: 'and more' },
    ],
  });
  const marked = createToClientItem(createRequest(), north)(agent('gAAAA'));
  expect(marked).toEqual(agent(`mq2.${north.own}.gAAAA`));
  const request = createRequest({ input: [marked, user] });
  expect(request.reasoningMark).toBe(north.own);
  const send = (reasoning: typeof north) =>
    JSON.parse(
      toNativeBody(request, {
        model: 'm',
        outputTokensMax: null,
        toolCallsMax: null,
        reasoning,
        sent: { dialect: 'responses' },
        quirks: new Map(),
      }),
    ).input[0];
  expect(send(north)).toEqual(agent('gAAAA'));
  const unread = 'Another agent has written something here that cannot be read.';
  expect(send(south).content[0]).toEqual({ type: 'input_text', text: unread });
  expect(fromResponses(request).messages).toMatchObject([
    { role: 'user', content: [{ text: unread }, { text: 'and more' }] },
    user,
  ]);
});
