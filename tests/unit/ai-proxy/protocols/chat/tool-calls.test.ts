import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { createChatRelay } from '#lib/ai-proxy/protocols/chat/chat-relay.ts';
import { readChatResult } from '#lib/ai-proxy/protocols/chat/chat-result.ts';
import { createMessagesTranslator } from '#lib/ai-proxy/protocols/messages-over-chat/translator.ts';
import { createResponsesTranslator } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import { chatChunk, chatUsage, toChatStream } from '../../../../support/upstreams/chat-stream.ts';
import { createMessagesRequest } from '../../../../support/upstreams/messages-request.ts';
import { examineMessagesStream } from '../../../../support/upstreams/messages-stream.ts';
import { replay } from '../../../../support/upstreams/replay.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';
import { examineResponsesStream } from '../../../../support/upstreams/responses-stream.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

type Piece = Readonly<Record<string, unknown>>;

let ids = 0;
const options = {
  includeUsage: false,
  promptTokensEstimate: 100,
  id: 'chatcmpl-own',
  created: 1_760_000_111,
  model: 'requested/model',
  newCallId: () => `call_own_${++ids}`,
};

const make = (fields: object, name: string | undefined, text: unknown): Piece => ({
  ...fields,
  function: { ...(name !== undefined && { name }), arguments: text },
});

const type = 'function';
/** As OpenAI streams two calls: `read` of `{"path":"a"}`, and `write` of `{"path":"b"}`. */
const documented = [
  make({ index: 0, id: 'call_a', type }, 'read', ''),
  make({ index: 0 }, undefined, '{"path":'),
  make({ index: 0 }, undefined, '"a"}'),
  make({ index: 1, id: 'call_b', type }, 'write', ''),
  make({ index: 1 }, undefined, '{"path":"b"}'),
];

const isFirst = (piece: Piece) => 'id' in piece;
const change = (update: (piece: Piece, at: number) => Piece) => documented.map(update);
const named = ({ function: received }: Piece) => received as { name?: string; arguments: string };

const forms: readonly (readonly [string, readonly Piece[]])[] = [
  ['as documented', documented],
  ['counted from 1', change((piece) => ({ ...piece, index: Number(piece.index) + 1 }))],
  ['all of index 0', change((piece) => ({ ...piece, index: 0 }))],
  [
    'all of index 0, told apart by ids in turns',
    [
      make({ index: 0, id: 'call_a', type }, 'read', ''),
      make({ index: 0, id: 'call_b', type }, 'write', ''),
      make({ index: 0, id: 'call_a' }, undefined, '{"path":'),
      make({ index: 0, id: 'call_b' }, undefined, '{"path":"b"}'),
      make({ index: 0, id: 'call_a' }, undefined, '"a"}'),
    ],
  ],
  ['without an index', change(({ index: _, ...piece }) => piece)],
  [
    'empty ids and names in later pieces',
    change((piece) =>
      isFirst(piece)
        ? piece
        : make({ index: piece.index, id: '', type }, '', named(piece).arguments),
    ),
  ],
  [
    'another id in each piece',
    change((piece, at) =>
      isFirst(piece)
        ? piece
        : make({ index: piece.index, id: `call_${at}`, type }, '', named(piece).arguments),
    ),
  ],
  [
    'ids and names in every piece',
    change((piece) =>
      piece.index === 0
        ? make({ index: 0, id: 'call_a', type }, 'read', named(piece).arguments)
        : make({ index: 1, id: 'call_b', type }, 'write', named(piece).arguments),
    ),
  ],
  ['no ids', change(({ id: _, ...piece }) => piece)],
  ['no ids, all of index 0', change(({ id: _, ...piece }) => ({ ...piece, index: 0 }))],
  ['ids that are null', change((piece) => (isFirst(piece) ? piece : { id: null, ...piece }))],
  // litellm 12513
  [
    'the name null, and a type in capitals',
    change((piece) =>
      isFirst(piece)
        ? { ...piece, type: 'FUNCTION' }
        : make({ index: piece.index, id: '', type: 'FUNCTION' }, 'null', named(piece).arguments),
    ),
  ],
  // nanobot PR 3943
  ['one id for both', change((piece) => (isFirst(piece) ? { ...piece, id: 'call_a' } : piece))],
  // home-llm PR 348
  [
    'no function around them',
    change(({ function: received, ...piece }) => ({ ...piece, ...Object(received) })),
  ],
  ['no type', change(({ type: _, ...piece }) => piece)],
  [
    'arguments as objects, whole',
    [
      make({ index: 0, id: 'call_a', type }, 'read', { path: 'a' }),
      make({ index: 1, id: 'call_b', type }, 'write', { path: 'b' }),
    ],
  ],
  [
    'whole, without index and id',
    [make({}, 'read', '{"path":"a"}'), make({}, 'write', '{"path":"b"}')],
  ],
  [
    '{} before the arguments',
    change((piece) =>
      isFirst(piece) ? { ...piece, function: { ...named(piece), arguments: '{}' } } : piece,
    ),
  ],
  [
    'the arguments again at the end',
    [
      ...documented,
      make({ index: 0 }, undefined, '{"path":"a"}'),
      make({ index: 1 }, undefined, '{"path":"b"}'),
    ],
  ],
  [
    'the arguments again at the end, in pieces, or as JSON within JSON',
    [
      ...documented,
      make({ index: 0 }, undefined, '{"path":'),
      make({ index: 0 }, undefined, '"a"}'),
      make({ index: 1 }, undefined, JSON.stringify('{"path":"b"}')),
    ],
  ],
  [
    'all that came before in each piece',
    [
      make({ index: 0, id: 'call_a', type }, 'read', ''),
      make({ index: 0 }, undefined, '{"path":'),
      make({ index: 0 }, undefined, '{"path":"a'),
      make({ index: 0 }, undefined, '{"path":"a"}'),
      make({ index: 1, id: 'call_b', type }, 'write', '{"pa'),
      make({ index: 1 }, undefined, '{"path":"b"}'),
    ],
  ],
  [
    'all that came before in each piece, in turns',
    [
      make({ index: 0, id: 'call_a', type }, 'read', '{"path":'),
      make({ index: 0 }, undefined, '{"path":"a'),
      make({ index: 1, id: 'call_b', type }, 'write', '{"path":'),
      make({ index: 1 }, undefined, '{"path":"b"}'),
      make({ index: 0 }, undefined, '{"path":"a"}'),
    ],
  ],
  [
    'spring-ai PR 6525: an id, a name and arguments one after the other',
    [
      { index: 0, id: 'call_a', type },
      { index: 0, function: { name: 'read' } },
      make({ index: 0 }, undefined, '{"path":"a"}'),
      make({ index: 1, id: 'call_b', type }, '', ''),
      make({ index: 1 }, 'write', '{"path":"b"}'),
    ],
  ],
  [
    'arguments before their name',
    [
      make({ index: 0, id: 'call_a', type }, undefined, '{"path":'),
      make({ index: 0 }, 'read', '"a"}'),
      make({ index: 1, id: 'call_b', type }, undefined, '{"path":"b"}'),
      { index: 1, function: { name: 'write' } },
    ],
  ],
  [
    'the first piece twice',
    documented.flatMap((piece) =>
      named(piece).arguments === '{"path":' ? [piece, piece] : [piece],
    ),
  ],
];

const toStream = (pieces: readonly Piece[], reason = 'tool_calls') =>
  toChatStream([
    chatChunk({ role: 'assistant', content: null }),
    ...pieces.map((piece) => chatChunk({ tool_calls: [piece] })),
    chatChunk({}, reason),
  ]);

/** The calls as the official client collects them. */
async function collect(stream: string) {
  const client = new OpenAI({
    apiKey: 'sk-none',
    baseURL: 'http://127.0.0.1:1',
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const completion = await client.chat.completions
    .stream({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
    .finalChatCompletion();
  const [choice] = completion.choices;
  const calls = choice?.message.tool_calls ?? [];
  return {
    reason: choice?.finish_reason,
    ids: calls.map(({ id }) => id),
    calls: calls.map((call) =>
      call.type === 'function' ? [call.function.name, call.function.arguments] : [],
    ),
  };
}

const both = [
  ['read', '{"path":"a"}'],
  ['write', '{"path":"b"}'],
];

test.each(forms)('two calls are two calls for every client: %s', async (_, pieces) => {
  for (const reason of ['tool_calls', 'stop']) {
    const stream = toStream(pieces, reason);
    const relayed = replay(createChatRelay(options), [stream]);
    const collected = await collect(relayed);
    expect(collected).toMatchObject({ reason: 'tool_calls', calls: both });
    expect(new Set(collected.ids.filter(Boolean)).size).toBe(2);
    // Clients that add up whatever is a text get the same, and those that take the first piece’s name.
    expect(relayed.match(/"name":"[^"]*"/g)).toEqual(['"name":"read"', '"name":"write"']);

    const responses = examineResponsesStream(
      replay(createResponsesTranslator(createRequest({ stream: true }), createTranslation()), [
        stream,
      ]),
    );
    expect(responses.problems).toEqual([]);
    const output = responses.response.output as { type: string; name: string; arguments: string }[];
    const calls = output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => [call.name, call.arguments])).toEqual(both);

    const messages = examineMessagesStream(
      replay(
        createMessagesTranslator(createMessagesRequest({ stream: true }), {
          id: 'msg_own',
          newId: (prefix) => `${prefix}_${++ids}`,
          reasoning: unmarked,
        }),
        [stream],
      ),
    );
    expect(messages.problems).toEqual([]);
    const blocks = messages.blocks.filter((block) => block.type === 'tool_use');
    expect(blocks).toMatchObject([
      { name: 'read', text: '{"path":"a"}' },
      { name: 'write', text: '{"path":"b"}' },
    ]);
  }
});

// hermes-agent 62940, gcli2api 406
test.each([
  ['in one chunk', true],
  ['in two chunks', false],
])('whole calls of one tool under index 0 without ids are two calls: %s', async (_, isOne) => {
  const pieces = ['a', 'b'].map((path) => make({ index: 0 }, 'read', JSON.stringify({ path })));
  const chunks = isOne
    ? [chatChunk({ tool_calls: pieces })]
    : pieces.map((piece) => chatChunk({ tool_calls: [piece] }));
  const stream = toChatStream([...chunks, chatChunk({}, 'tool_calls')]);
  const collected = await collect(replay(createChatRelay(options), [stream]));
  expect(collected.calls).toEqual([
    ['read', '{"path":"a"}'],
    ['read', '{"path":"b"}'],
  ]);
  expect(new Set(collected.ids.filter(Boolean)).size).toBe(2);
});

test('the whole arguments once more, with their name and in other words, are no second call', async () => {
  const texts = ['{"path":"a","n":1}', '{"n": 1, "path": "a"}'];
  const stream = toStream(texts.map((text) => make({ index: 0 }, 'read', text)));
  expect((await collect(replay(createChatRelay(options), [stream]))).calls).toEqual([
    ['read', texts[0]],
  ]);
});

test('endless arguments of a call without a name are not kept', () => {
  const pieces = Array.from({ length: 10 }, (_, at) =>
    make({ index: 0, id: 'call_a' }, '', String(at).repeat(50_000)),
  );
  const chunks = pieces.map((piece) => chatChunk({ tool_calls: [piece] }));
  const shown = replay(createChatRelay(options), [toChatStream(chunks, { done: false })]);
  expect(shown.match(/(\d)\1{49999}/g)).toHaveLength(10);
});

// Each is looked for among all: twenty thousand stopped the process for sixteen seconds.
test('of calls without end, 256 are passed on', () => {
  const pieces = Array.from({ length: 300 }, (_, index) =>
    make({ index, id: `call_${index}`, type }, 'read', '{}'),
  );
  const text = replay(createChatRelay(options), [toStream(pieces)]);
  expect(text.match(/"name":"read"/g)).toHaveLength(256);
  expect(text).toContain('call_255');
  expect(text).not.toContain('call_256');
});

test('an object that begins like the arguments around it is none of these', async () => {
  const texts = ['{"a":', '{"a":', '1}', '}'];
  const pieces = texts.map((text) => make({ index: 0, id: 'call_a', type }, 'read', text));
  const relayed = replay(createChatRelay(options), [toStream(pieces)]);
  expect((await collect(relayed)).calls).toEqual([['read', '{"a":{"a":1}}']]);
});

test('brackets in a text of the arguments end nothing', async () => {
  const texts = ['{"code":"if (a) {}', '"', ',"b":{}', '}'];
  const pieces = texts.map((text) => make({ index: 0, id: 'call_a', type }, 'read', text));
  const relayed = replay(createChatRelay(options), [toStream(pieces)]);
  expect((await collect(relayed)).calls).toEqual([['read', '{"code":"if (a) {}","b":{}}']]);
});

// qwen-code 6249, ai 6687
test('arguments that never come are {}', async () => {
  const pieces = [
    make({ index: 0, id: 'call_a', type }, 'list', ''),
    make({ index: 1, id: 'call_b', type }, 'list', undefined),
  ];
  const calls = [
    ['list', '{}'],
    ['list', '{}'],
  ];
  const relayed = replay(createChatRelay(options), [toStream(pieces)]);
  expect((await collect(relayed)).calls).toEqual(calls);
  const started = pieces.map((piece) => chatChunk({ tool_calls: [piece] }));
  const cut = replay(createChatRelay(options), [toChatStream(started)]);
  expect((await collect(cut)).calls).toEqual(calls);
});

test('{} alone are the arguments of a call without any', async () => {
  const empty = make({ index: 0, id: 'call_a', type }, 'list', '{}');
  const pieces = [empty, make({ index: 1, id: 'call_b', type }, 'write', '{"path":"b"}')];
  const relayed = replay(createChatRelay(options), [toStream(pieces)]);
  expect((await collect(relayed)).calls).toEqual([['list', '{}'], both[1]]);
  const last = replay(createChatRelay(options), [toStream([empty])]);
  expect((await collect(last)).calls).toEqual([['list', '{}']]);
  const cut = replay(createChatRelay(options), [
    toChatStream([
      chatChunk({ role: 'assistant', content: null }),
      chatChunk({ tool_calls: [empty] }),
    ]),
  ]);
  expect((await collect(cut)).calls).toEqual([['list', '{}']]);
});

test.each([
  ['an object', { path: 'a' }, '{"path":"a"}'],
  ['nothing', null, '{}'],
  ['its JSON text', '{"path":"a"}', '{"path":"a"}'],
  // codex-lb 284
  ['its JSON text three times', '{"path":"a"}{"path":"a"}{"path":"a"}', '{"path":"a"}'],
  ['two objects', '{"path":"a"}{"path":"b"}', '{"path":"a"}{"path":"b"}'],
])(
  'a call of a reply in JSON has an id, a type and arguments as text: %s',
  (_, received, expected) => {
    const message = { content: null, tool_calls: [make({ id: null }, 'read', received)] };
    const reply = { choices: [{ message, finish_reason: 'stop' }], usage: chatUsage };
    expect(readChatResult(JSON.stringify(reply), options)).toMatchObject({
      result: {
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              tool_calls: [
                {
                  id: expect.stringMatching(/^call_own_/),
                  type,
                  function: { name: 'read', arguments: expected },
                },
              ],
            },
          },
        ],
      },
    });
  },
);

test('pieces of a custom tool are numbered, and otherwise as they were', () => {
  const first = { index: 1, id: 'call_a', type: 'custom', custom: { name: 'patch', input: '' } };
  const later = { index: 1, id: '', custom: { input: '*** Begin' } };
  const stream = toStream([first, later]);
  const frames = replay(createChatRelay(options), [stream]).split('\n\n');
  const calls = frames
    .filter((frame) => frame.includes('tool_calls":['))
    .map((frame) => JSON.parse(frame.slice(6)).choices[0].delta.tool_calls[0]);
  expect(calls).toEqual([
    { ...first, index: 0 },
    { index: 0, custom: { input: '*** Begin' } },
  ]);
});

test('what a custom tool is called with is part of the reply, as soon as it comes', () => {
  const relay = createChatRelay(options);
  const custom = { name: 'patch', input: 'x'.repeat(395) };
  const chunk = chatChunk({ tool_calls: [{ index: 0, id: 'call_a', type: 'custom', custom }] });
  replay(relay, [toChatStream([chunk], { done: false })]);
  expect(relay.hasOutput).toBe(true);
  expect(relay.usage).toMatchObject({ outputTokens: 100, isEstimated: true });
});
