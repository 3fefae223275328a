import { describe, expect, test } from 'vitest';
import { chatPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';
import { accumulateChat, accumulateResponse } from '../../support/upstreams/python-helpers.ts';

/** What openai-python’s helpers make of streams as upstreams send them. */

const addModel = setUpModels();

type Json = Readonly<Record<string, unknown>>;

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const toChat = (deltas: readonly Json[], finish: string | null = 'tool_calls') =>
  [...deltas.map((delta) => [delta, null] as const), [{}, finish] as const]
    .map(([delta, reason]) => ({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] }))
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join('')
    .concat('data: [DONE]\n\n');
const piece = (call: Json, text: string, name?: string) => ({
  tool_calls: [{ ...call, function: { ...(name !== undefined && { name }), arguments: text } }],
});
const text = { role: 'assistant', content: 'Hello' };

/** Two calls, `f` with `{"x":1}` and `g` with `{"y":2}`, after a text. */
const chats: Readonly<Record<string, readonly Json[]>> = {
  'as documented': [
    text,
    piece({ index: 0, id: 'a', type: 'function' }, '', 'f'),
    piece({ index: 0 }, '{"x":'),
    piece({ index: 0 }, '1}'),
    piece({ index: 1, id: 'b', type: 'function' }, '{"y":2}', 'g'),
  ],
  'with indexes from 1': [
    text,
    piece({ index: 1, id: 'a', type: 'function' }, '{"x":1}', 'f'),
    piece({ index: 2, id: 'b', type: 'function' }, '{"y":2}', 'g'),
  ],
  'without indexes (ollama 7881)': [
    text,
    piece({ id: 'a', type: 'function' }, '{"x":1}', 'f'),
    piece({ id: 'b', type: 'function' }, '{"y":2}', 'g'),
  ],
  'without indexes, which openai-python 2806 and mistral.rs 1507 say of null': [
    text,
    piece({ index: null, id: 'a', type: 'function' }, '{"x":1}', 'f'),
    piece({ index: null, id: 'b', type: 'function' }, '{"y":2}', 'g'),
  ],
  'with id and name in each piece': [
    text,
    piece({ index: 0, id: 'a', type: 'function' }, '{"x":', 'f'),
    piece({ index: 0, id: 'a', type: 'function' }, '1}', 'f'),
    piece({ index: 1, id: 'b', type: 'function' }, '{"y":2}', 'g'),
  ],
  'with arguments as objects': [
    text,
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }] },
    { tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: { y: 2 } } }] },
  ],
};

const calls = [
  { name: 'f', input: { x: 1 } },
  { name: 'g', input: { y: 2 } },
];
const toCall = ({ name, arguments: input }: Json) => ({ name, input: JSON.parse(String(input)) });
const messages = [{ role: 'user', content: 'hi' }];

describe.each(Object.entries(chats))('calls %s', (_, deltas) => {
  test('in Chat Completions', async () => {
    const model = addModel('chat', () => toChat(deltas));
    const { text: stream } = await model.send(chatPath, { stream: true, messages });
    const [choice] = accumulateChat(stream);
    const message = choice?.message as Json;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(message).toMatchObject({ role: 'assistant', content: 'Hello' });
    const made = message.tool_calls as readonly { id: string; function: Json }[];
    expect(made.map((call) => toCall(call.function))).toEqual(calls);
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  });

  test('in translated Responses', async () => {
    const model = addModel('chat', () => toChat(deltas));
    const { text: stream } = await model.send(responsesPath, { stream: true, input: 'hi' });
    const [message, ...made] = accumulateResponse(stream);
    expect(message).toMatchObject({ content: [{ text: 'Hello' }] });
    expect(made.map(toCall)).toEqual(calls);
  });
});

const response = { id: 'resp_1', created_at: 1, model: 'm', output: [] };
const added = (item: Json, more: Json = {}) => ({
  type: 'response.output_item.added',
  item,
  ...more,
});
const call = (id: string, name: string) => ({
  type: 'function_call',
  id,
  call_id: `call_${id}`,
  name,
  arguments: '',
});
const input = (id: string, delta: string, more: Json = {}) => ({
  type: 'response.function_call_arguments.delta',
  item_id: id,
  delta,
  ...more,
});

test.each<[string, (index: number) => Json]>([
  ['as documented', (index) => ({ output_index: index })],
  ['without indexes (llama.cpp)', () => ({})],
  ['with 0 for all', () => ({ output_index: 0 })],
])('items of native Responses %s', async (_, place) => {
  const part = { type: 'output_text', text: '' };
  const message = { type: 'message', id: 'm1', role: 'assistant', content: [] };
  const events: Json[] = [
    { type: 'response.in_progress', response },
    added(message, place(0)),
    { type: 'response.content_part.added', item_id: 'm1', part, ...place(0) },
    { type: 'response.output_text.delta', item_id: 'm1', delta: 'Hello', ...place(0) },
    { type: 'response.output_item.done', item: message, ...place(0) },
    added(call('f1', 'f'), place(1)),
    input('f1', '{"x":1}', place(1)),
    { type: 'response.output_item.done', item: call('f1', 'f'), ...place(1) },
    added(call('g1', 'g'), place(2)),
    input('g1', '{"y":2}', place(2)),
    { type: 'response.output_item.done', item: call('g1', 'g'), ...place(2) },
    { type: 'response.completed', response },
  ];
  const model = addModel('native', () =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
  const { text: stream } = await model.send(responsesPath, { stream: true, input: 'hi' });
  const [shown, ...made] = accumulateResponse(stream);
  expect(shown).toMatchObject({ content: [{ text: 'Hello' }] });
  expect(made.map(toCall)).toEqual(calls);
});

test('the rules find what breaks these helpers', () => {
  const stream = toChat([piece({ index: 1, id: 'a' }, '{}', 'f')]);
  expect(() => accumulateChat(stream)).toThrow('no call');
  expect(() => accumulateResponse('data: {"type":"response.in_progress"}\n\n')).toThrow('created');
});
