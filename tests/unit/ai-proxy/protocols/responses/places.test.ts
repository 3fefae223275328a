import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { createResponsesRelay } from '#lib/ai-proxy/protocols/responses/responses-relay.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import { replay } from '../../../../support/upstreams/replay.ts';
import { createRequest } from '../../../../support/upstreams/responses-request.ts';
import { examineResponsesStream } from '../../../../support/upstreams/responses-stream.ts';

type Event = Readonly<Record<string, unknown> & { type: string }>;

const relayed = (events: readonly Event[]) =>
  replay(
    createResponsesRelay(
      createRequest({ stream: true }),
      { id: 'resp_own', createdAt: 1_760_000_111 },
      toJsonObject,
    ),
    [events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')],
  );

const read = (stream: string) =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));

const call = (id: string, name: string, text: unknown) => ({
  type: 'function_call',
  id,
  call_id: `call_${name}`,
  name,
  arguments: text,
});

const added = { type: 'response.output_item.added' };
const completed = { type: 'response.completed', response: { output: [] } };

/** A message and two calls, as OpenAI streams them. */
const valid: readonly Event[] = [
  { type: 'response.created', response: { id: 'resp_1' } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', id: 'msg_1', content: [] },
  },
  {
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text: '' },
  },
  {
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'Both.',
  },
  {
    type: 'response.output_text.done',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    text: 'Both.',
  },
  {
    type: 'response.content_part.done',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text: 'Both.' },
  },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Both.' }] },
  },
  { type: 'response.output_item.added', output_index: 1, item: call('fc_1', 'read', '') },
  {
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_1',
    output_index: 1,
    delta: '{"path":"a"}',
  },
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_1',
    output_index: 1,
    arguments: '{"path":"a"}',
  },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: call('fc_1', 'read', '{"path":"a"}'),
  },
  { type: 'response.output_item.added', output_index: 2, item: call('fc_2', 'write', '') },
  {
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_2',
    output_index: 2,
    delta: '{"path":"b"}',
  },
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_2',
    output_index: 2,
    arguments: '{"path":"b"}',
  },
  {
    type: 'response.output_item.done',
    output_index: 2,
    item: call('fc_2', 'write', '{"path":"b"}'),
  },
  {
    type: 'response.completed',
    response: {
      output: [
        { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Both.' }] },
        call('fc_1', 'read', '{"path":"a"}'),
        call('fc_2', 'write', '{"path":"b"}'),
      ],
    },
  },
];

const without = (...names: string[]) =>
  valid.map(
    (event) =>
      Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name))) as Event,
  );

let ids = 0;
const withNewIds = valid.map((event) => ({
  ...event,
  ...('item_id' in event && { item_id: `new_${ids++}` }),
  ...('item' in event && { item: { ...(event.item as object), id: `new_${ids++}` } }),
}));

function withOneId(events: readonly Event[]): Event[] {
  const toItem = (item: unknown) => ({ ...(item as object), id: 'one' });
  return events.map((event) => {
    const { output } = (event.response ?? {}) as { output?: unknown[] };
    return {
      ...event,
      ...('item_id' in event && { item_id: 'one' }),
      ...('item' in event && { item: toItem(event.item) }),
      ...(output && { response: { output: output.map(toItem) } }),
    };
  });
}

function withArguments(change: (text: string) => unknown): Event[] {
  const toChanged = (item: unknown) => {
    const { arguments: text, ...fields } = item as Record<string, unknown>;
    return typeof text === 'string' && text !== '' ? { ...fields, arguments: change(text) } : item;
  };
  return valid.map((event): Event => {
    if ('item' in event) return { ...event, item: toChanged(event.item) };
    if ('arguments' in event) return toChanged(event) as Event;
    if (event.type !== 'response.completed') return event;
    const { output } = event.response as { output: unknown[] };
    return { ...event, response: { output: output.map(toChanged) } };
  });
}

test.each<[string, readonly Event[]]>([
  ['as documented', valid],
  ['no output_index', without('output_index')],
  [
    'output_index 0 for every item',
    valid.map((event) => ('output_index' in event ? { ...event, output_index: 0 } : event)),
  ],
  ['no item_id', without('item_id')],
  [
    'no output_index, item_id or content_index',
    without('output_index', 'item_id', 'content_index'),
  ],
  [
    'indexes that start at 1',
    valid.map((event) =>
      'output_index' in event ? { ...event, output_index: Number(event.output_index) + 1 } : event,
    ),
  ],
  ['another id in each event', withNewIds],
  ['arguments as objects', withArguments((text) => JSON.parse(text))],
  // sub2api 3411
  ['arguments that are complete twice', withArguments((text) => text + text)],
  // cursor2api 116
  [
    'parts and texts without an end',
    valid.filter(({ type }) => !/(?:output_text|content_part)\.done$/.test(type)),
  ],
  ['parts without an end', valid.filter(({ type }) => type !== 'response.content_part.done')],
  [
    'responses that are their events',
    valid.map(({ response, ...event }) => ({ ...event, ...Object(response) })),
  ],
  ['one id for all items', withOneId(valid)],
  ['one id for all items, and no output_index', withOneId(without('output_index'))],
  [
    'one id for all items, and the index 0',
    withOneId(valid).map((event) =>
      'output_index' in event ? { ...event, output_index: 0 } : event,
    ),
  ],
])('every item of a stream arrives at its place: %s', async (_, events) => {
  const stream = relayed(events);
  expect(examineResponsesStream(stream).problems).toEqual([]);
  const sent = read(stream);
  const added = sent.filter(({ type }) => type === 'response.output_item.added');
  expect(added.map(({ output_index, item }) => [output_index, item.type])).toEqual([
    [0, 'message'],
    [1, 'function_call'],
    [2, 'function_call'],
  ]);
  const addedIds = added.map(({ item }) => item.id);
  for (const event of sent.filter((event) => 'item_id' in event)) {
    expect(event.item_id).toBe(addedIds[event.output_index]);
  }
  const { output } = sent.at(-1).response;
  expect(output.map(({ id }: { id: string }) => id)).toEqual(addedIds);
  expect(output.slice(1).map((item: { arguments: string }) => item.arguments)).toEqual([
    '{"path":"a"}',
    '{"path":"b"}',
  ]);

  // As the official client collects it.
  const client = new OpenAI({
    apiKey: 'sk-none',
    baseURL: 'http://127.0.0.1:1',
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const final = await client.responses.stream({ model: 'm', input: 'Hello' }).finalResponse();
  expect(final.output_text).toBe('Both.');
  expect(final.output.filter(({ type }) => type === 'function_call')).toMatchObject([
    { name: 'read', arguments: '{"path":"a"}' },
    { name: 'write', arguments: '{"path":"b"}' },
  ]);
});

/** Both calls are open at once, and their pieces come in turns. */
const parallel: readonly Event[] = [
  { type: 'response.created', response: { id: 'resp_1' } },
  { type: 'response.output_item.added', output_index: 0, item: call('fc_1', 'read', '') },
  { type: 'response.output_item.added', output_index: 1, item: call('fc_2', 'write', '') },
  ...['{"path":', '"a"}'].flatMap((delta) =>
    ['fc_1', 'fc_2'].map((item_id, output_index) => ({
      type: 'response.function_call_arguments.delta',
      item_id,
      output_index,
      delta,
    })),
  ),
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: call('fc_1', 'read', '{"path":"a"}'),
  },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: call('fc_2', 'write', '{"path":"a"}'),
  },
  { type: 'response.completed', response: {} },
];

test.each<[string, (event: Event) => object]>([
  ['as documented', () => ({})],
  ['no output_index', () => ({ output_index: undefined })],
  [
    'output_index 0 for both',
    ({ output_index }) => ({ ...(output_index !== undefined && { output_index: 0 }) }),
  ],
  [
    'no output_index, another id at the end',
    ({ type, item }) => ({
      output_index: undefined,
      ...(type.endsWith('.done') && { item: { ...(item as object), id: `new_${ids++}` } }),
    }),
  ],
])('calls that are open at once stay apart: %s', (_, toChange) => {
  const sent = read(relayed(parallel.map((event) => ({ ...event, ...toChange(event) }))));
  const pieces = ['', ''];
  for (const { type, output_index, delta } of sent) {
    if (type.endsWith('.delta')) pieces[output_index] += delta;
  }
  expect(pieces).toEqual(['{"path":"a"}', '{"path":"a"}']);
  const done = sent.filter(({ type }) => type === 'response.output_item.done');
  expect(done.map(({ output_index, item }) => [output_index, item.id, item.name])).toEqual([
    [0, 'fc_1', 'read'],
    [1, 'fc_2', 'write'],
  ]);
  expect(sent.at(-1).response.output).toHaveLength(2);
});

test('items without an added event are told apart, though all have the index 0', () => {
  const events = without('output_index').filter(
    ({ type }) => type !== 'response.output_item.added' && !type.endsWith('.delta'),
  );
  const zero = events.map((event) => ('item' in event ? { ...event, output_index: 0 } : event));
  for (const some of [events, zero]) {
    const done = read(relayed(some)).filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ output_index, item }) => [output_index, item.name])).toEqual([
      [0, undefined],
      [1, 'read'],
      [2, 'write'],
    ]);
  }
});

test.each([
  ['begun', (items: readonly Event[]) => items.map((item) => ({ ...added, item }))],
  [
    'of texts alone',
    (items: readonly Event[]) =>
      items.map((_, at) => ({ type: 'response.output_text.delta', output_index: at, delta: 'x' })),
  ],
  ['at the end', (output: readonly Event[]) => [{ ...completed, response: { output } }]],
])('more items than any reply has, %s, fail the reply', (_, toEvents) => {
  const toItems = (length: number) =>
    Array.from({ length }, (_, at) => ({ type: 'message', id: `msg_${at}` }));
  const last = (length: number) => read(relayed([...toEvents(toItems(length)), completed])).at(-1);
  expect(last(100)).toMatchObject({ type: 'response.completed' });
  expect(last(10_002)).toMatchObject({
    type: 'response.failed',
    response: { error: { message: expect.stringContaining('shorter reply') } },
  });
});

test('parts without an end fail the reply', () => {
  const item = { type: 'message', id: 'msg_1', content: [] };
  const part = { type: 'output_text', text: 'x'.repeat(1024 * 1024) };
  const parts = Array.from({ length: 25 }, () => [
    { type: 'response.content_part.added', item_id: item.id, part: { ...part, text: '' } },
    { type: 'response.content_part.done', item_id: item.id, part },
  ]);
  const last = (count: number) =>
    read(relayed([{ ...added, item }, ...parts.slice(0, count).flat(), completed])).at(-1);
  expect(last(3)).toMatchObject({ type: 'response.completed' });
  expect(last(25)).toMatchObject({ type: 'response.failed' });
});
