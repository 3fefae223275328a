import { expect, test } from 'vitest';
import { createMessagesRelay } from '#lib/ai-proxy/protocols/messages/messages-relay.ts';
import { createMessagesRequest } from '../../../../support/upstreams/messages-request.ts';
import { examineMessagesStream } from '../../../../support/upstreams/messages-stream.ts';
import { replay } from '../../../../support/upstreams/replay.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

type Event = Readonly<Record<string, unknown> & { type: string }>;

const toStream = (events: readonly Event[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const relayed = (events: readonly Event[]) =>
  replay(
    createMessagesRelay(createMessagesRequest({ stream: true }), {
      id: 'msg_own',
      reasoning: unmarked,
    }),
    [toStream(events)],
  );

const begin: Event = {
  type: 'message_start',
  message: {
    id: 'msg_u',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 1 },
  },
};
const end: readonly Event[] = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
];
const open = (index: unknown, block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const add = (index: unknown, delta: object): Event => ({
  type: 'content_block_delta',
  index,
  delta,
});
const close = (index: unknown): Event => ({ type: 'content_block_stop', index });

const thinking = { type: 'thinking', thinking: '', signature: '' };
const text = { type: 'text', text: '' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
const think = { type: 'thinking_delta', thinking: 'Hm' };
const sign = { type: 'signature_delta', signature: 'sig' };
const say = { type: 'text_delta', text: 'Hello' };
const input = { type: 'input_json_delta', partial_json: '{"x":1}' };

/** The same three blocks, with each of these numbers. */
function toBlocks([first, second, third]: readonly unknown[]): readonly Event[] {
  return [
    open(first, thinking),
    add(first, think),
    add(first, sign),
    close(first),
    open(second, text),
    add(second, say),
    close(second),
    open(third, call),
    add(third, input),
    close(third),
  ];
}

const without = (...types: string[]) =>
  toBlocks([0, 1, 2]).filter(({ type }) => !types.includes(type));

test.each<[string, readonly Event[]]>([
  ['as Anthropic numbers them', toBlocks([0, 1, 2])],
  ['with gaps (new-api 5482)', toBlocks([0, 2, 5])],
  ['from 1', toBlocks([1, 2, 3])],
  ['all 0', toBlocks([0, 0, 0])],
  ['without numbers', toBlocks([undefined, undefined, undefined])],
  ['numbered by texts', toBlocks(['0', '1', '2'])],
  ['without ends', without('content_block_stop')],
  [
    'with the ends of others (new-api 5482)',
    toBlocks([0, 2, 5]).map((event) => (event.type === 'content_block_stop' ? close(9) : event)),
  ],
  [
    'with an end twice',
    toBlocks([0, 1, 2]).flatMap((e) => (e.type === 'content_block_stop' ? [e, e] : [e])),
  ],
  [
    'without the beginning of a text (claude-code 85836)',
    toBlocks([0, 0, 2]).filter((event) => event.content_block !== text),
  ],
  [
    'open at once',
    [
      open(0, thinking),
      open(1, text),
      open(2, call),
      add(1, say),
      add(0, think),
      add(2, input),
      add(0, sign),
      close(0),
      close(1),
      close(2),
    ],
  ],
])('blocks have their places: %s', (kind, blocks) => {
  const stream = relayed([begin, ...blocks, ...end]);
  const events = stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  const content: Record<string, unknown>[] = [];
  for (const event of events) {
    // As SDKs do it: what begins is the next one, and a delta belongs to the place of its number.
    if (event.type === 'content_block_start') expect(event.index).toBe(content.push({}) - 1);
    if (event.type === 'content_block_delta') {
      const { type: _, ...added } = event.delta;
      expect(content[event.index]).toBeDefined();
      Object.assign(content[event.index] ?? {}, added);
    }
  }
  expect(content).toEqual([
    { thinking: 'Hm', signature: 'sig' },
    { text: 'Hello' },
    { partial_json: '{"x":1}' },
  ]);
  const stops = events.filter(({ type }) => type === 'content_block_stop');
  expect(stops.map(({ index }) => index).toSorted()).toEqual([0, 1, 2]);
  const isOneByOne = kind !== 'open at once' && kind !== 'without ends';
  if (isOneByOne) expect(examineMessagesStream(stream).problems).toEqual([]);
});

// nanobot 4473
test('parallel calls with one id have their own', () => {
  const calls = [0, 1, 2].flatMap((at) => [open(at, call), add(at, input), close(at)]);
  const { blocks, problems } = examineMessagesStream(relayed([begin, ...calls, ...end]));
  expect([problems, blocks.map(({ id }) => id)]).toEqual([
    [],
    ['toolu_1', 'toolu_1_1', 'toolu_1_2'],
  ]);
});

test('a delta that no block can have is left out', () => {
  const stream = relayed([
    begin,
    add(0, input),
    add(0, sign),
    open(0, text),
    add(0, say),
    close(0),
    ...end,
  ]);
  const { problems, blocks } = examineMessagesStream(stream);
  expect(problems).toEqual([]);
  expect(blocks).toMatchObject([{ type: 'text', text: 'Hello' }]);
});

test('of blocks that are never closed only some are open, and all end', () => {
  const many = Array.from({ length: 1000 }, (_, index) => open(index + 7, text));
  const stream = relayed([begin, ...many, ...end]);
  const count = (type: string) => stream.split(`event: ${type}\n`).length - 1;
  expect(count('content_block_start')).toBe(1000);
  expect(count('content_block_stop')).toBe(1000);
});
