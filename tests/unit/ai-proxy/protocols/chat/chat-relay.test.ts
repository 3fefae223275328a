import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChatRelay } from '#lib/ai-proxy/protocols/chat/chat-relay.ts';
import { createCutFailure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../../support/upstreams/byte-pieces.ts';
import {
  anyScript,
  chatChunk,
  chatHead,
  chatUsage,
  examineChatStream,
  toChatStream,
  toolCallDeltas,
  usageChunk,
} from '../../../../support/upstreams/chat-stream.ts';
import { endedByLength, replay } from '../../../../support/upstreams/replay.ts';

const defaults = {
  includeUsage: false,
  promptTokensEstimate: 100,
  id: 'chatcmpl-own',
  created: 1_760_000_111,
  model: 'requested/model',
  newCallId: () => 'call_own',
};
const createRelay = (options: Partial<typeof defaults> = {}) =>
  createChatRelay({ ...defaults, ...options });
const relayed = (stream: string, options: Partial<typeof defaults> = {}) =>
  replay(createRelay(options), [stream]);

const role = chatChunk({ role: 'assistant', content: '' });
const hello = chatChunk({ content: 'Hé' });
const stop = chatChunk({}, 'stop');
const choiceWithError = {
  ...chatHead,
  choices: [{ index: 0, delta: {}, finish_reason: 'stop', error: { message: 'acct_7' } }],
};
const ordinary = [role, hello, chatChunk({ content: '😀' }), stop, usageChunk];

test('a valid stream is unchanged, but for a usage chunk that was not requested', () => {
  const relay = createRelay();
  expect(replay(relay, [toChatStream(ordinary)])).toBe(toChatStream(ordinary.slice(0, -1)));
  expect(relay).toMatchObject({ isDone: true, hasOutput: true, failure: null });
  expect(relay.usage).toEqual({
    inputTokens: 11,
    outputTokens: 7,
    cachedInputTokens: 3,
    reasoningTokens: 2,
    isEstimated: false,
  });
});

test('requested usage comes between the finish and [DONE]', () => {
  expect(relayed(toChatStream(ordinary), { includeUsage: true })).toBe(toChatStream(ordinary));
});

test('the output does not depend on where the bytes are split', () => {
  const stream = `: PROCESSING\r\n\r\n${toChatStream(ordinary)}`;
  const whole = relayed(stream);
  for (const pieces of splitEverywhere(new TextEncoder().encode(stream))) {
    expect(replay(createRelay(), pieces)).toBe(whole);
  }
});

test('comments, event names and empty data are dropped', () => {
  const stream = toChatStream(ordinary).replaceAll('data: ', ': note\nevent: message\ndata: ');
  // llm-gateway 2053
  const preface = 'data:\n\ndata: : OPENROUTER PROCESSING\n\n';
  expect(relayed(preface + stream)).toBe(toChatStream(ordinary.slice(0, -1)));
});

test('JSON over several data lines becomes one line', () => {
  const stream = `data: ${JSON.stringify(role, null, 1).replaceAll('\n', '\ndata: ')}\n\n`;
  const report = examineChatStream(relayed(stream + toChatStream([hello, stop])));
  expect(report).toMatchObject({ problems: [], text: 'Hé' });
});

test.each<[string, readonly (object | string)[]]>([
  ['no role', [hello, chatChunk({ content: '😀' }), stop]],
  ['a null role', [chatChunk({ role: null, content: 'Hé😀' }), stop]],
  ['a role of another maker', [chatChunk({ role: 'model', content: 'Hé😀' }), stop]],
  ['no finish reason before [DONE]', [role, chatChunk({ content: 'Hé😀' })]],
  ['a finish reason in other words', [role, chatChunk({ content: 'Hé😀' }, 'end_turn')]],
  [
    'empty finish reasons',
    [{ ...chatHead, choices: [{ index: 0, delta: { content: 'Hé😀' }, finish_reason: '' }] }, stop],
  ],
  [
    'finish_reason left out',
    [{ ...chatHead, choices: [{ index: 0, delta: { content: 'Hé😀' } }] }, stop],
  ],
  ['no index', [{ ...chatHead, choices: [{ delta: { content: 'Hé😀' }, finish_reason: 'stop' }] }]],
  [
    'no delta at the end',
    [
      hello,
      chatChunk({ content: '😀' }),
      { ...chatHead, choices: [{ index: 0, finish_reason: 'stop' }] },
    ],
  ],
  // open-webui 23921
  [
    'a finish reason before the reply',
    [
      chatChunk({ role: 'assistant', content: '' }, 'stop'),
      hello,
      chatChunk({ content: '😀' }, null),
    ],
  ],
  // amx PR 112
  [
    'content in parts of other forms',
    [
      role,
      chatChunk({ content: [{ type: 'output_text', text: 'H' }] }),
      chatChunk({ content: { type: 'text', text: 'é' } }),
      chatChunk({ content: ['😀'] }),
      stop,
    ],
  ],
  ['error: null', [chatChunk({ role: 'assistant', content: 'Hé😀' }, null, { error: null }), stop]],
  [
    'changing ids',
    [role, { ...hello, id: 'x', created: 3, model: 'y' }, chatChunk({ content: '😀' }), stop],
  ],
  [
    'no head at all',
    [
      { choices: [{ index: 0, delta: { content: 'Hé😀' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
  ],
  [
    'a preface without choices',
    [
      { ...chatHead, id: '', model: '', choices: [], prompt_filter_results: [] },
      hello,
      chatChunk({ content: '😀' }),
      stop,
    ],
  ],
  [
    'usage in every chunk',
    [
      chatChunk({ content: 'Hé😀' }, null, { usage: { prompt_tokens: 1 } }),
      chatChunk({}, 'stop', { usage: chatUsage }),
    ],
  ],
  [
    'objects that are no chunks',
    [role, {}, { type: 'ping' }, chatChunk({ content: 'Hé😀' }), stop],
  ],
])('repaired: %s', (_, chunks) => {
  const report = examineChatStream(relayed(toChatStream(chunks)));
  expect(report).toMatchObject({
    problems: [],
    text: 'Hé😀',
    finishReason: 'stop',
    error: null,
    usage: null,
  });
});

test.each([
  ['last', { usage: null }],
  ['before other fields', { usage: null, obfuscation: 'x' }],
])('a null usage that comes %s is left out', (_, fields) => {
  const quoted = chatChunk({ content: '","usage":null}' });
  const chunks = [role, quoted, stop].map((chunk) => ({ ...chunk, ...fields }));
  const { usage: _null, ...kept } = fields as Record<string, unknown>;
  expect(relayed(toChatStream(chunks))).toBe(
    toChatStream([role, quoted, stop].map((chunk) => ({ ...chunk, ...kept }))),
  );
});

test('a reply of nothing but its reason ends with it', () => {
  const report = examineChatStream(relayed(toChatStream([role, chatChunk({}, 'content_filter')])));
  expect(report).toMatchObject({ problems: [], text: '', finishReason: 'content_filter' });
});

// litellm 21932, vllm 3179
test('logprobs are as documented, or none', () => {
  const shownOf = (logprobs: unknown) => {
    const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: null, logprobs }];
    const [chunk = ''] = relayed(toChatStream([role, { ...chatHead, choices }, stop]))
      .split('\n\n')
      .slice(1);
    return JSON.parse(chunk.slice('data: '.length)).choices[0].logprobs;
  };
  const token = { token: 'Hi', logprob: -0.1 };
  const whole = { content: [{ ...token, bytes: [72, 105], top_logprobs: [] }], refusal: null };
  const repaired = { content: [{ ...token, bytes: null, top_logprobs: [] }], refusal: null };
  expect(shownOf(whole)).toEqual(whole);
  expect(shownOf({ content: [{ ...token, top_logprobs: null }] })).toEqual(repaired);
  expect(shownOf([token])).toEqual(repaired);
  expect(shownOf({ content: [{ ...token, top_logprobs: [token] }] }).content[0]).toEqual({
    ...token,
    bytes: null,
    top_logprobs: [{ ...token, bytes: null }],
  });
  expect(shownOf({ tokens: ['Hi'], token_logprobs: [-0.1] })).toBeNull();
});

test('usage in the finish chunk is sent as its own chunk, if requested', () => {
  const stream = toChatStream([role, hello, chatChunk({}, 'stop', { usage: chatUsage })]);
  const report = examineChatStream(relayed(stream, { includeUsage: true }));
  expect(report).toMatchObject({ problems: [], usage: chatUsage });
});

test('missing usage is estimated from the prompt and the reply', () => {
  const relay = createRelay({ includeUsage: true });
  const stream = toChatStream([role, chatChunk({ content: 'x'.repeat(400) }), stop]);
  const report = examineChatStream(replay(relay, [stream]));
  expect(report.usage).toEqual({ prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 });
  expect(relay.usage).toMatchObject({ inputTokens: 100, outputTokens: 100, isEstimated: true });
});

test('on disconnect usage is estimated from the reply so far', () => {
  const relay = createRelay();
  relay.push({ data: JSON.stringify(chatChunk({ content: 'x'.repeat(400) })) });
  relay.push({
    data: JSON.stringify(chatChunk({ reasoning_content: 'x'.repeat(40) })),
  });
  expect(relay.usage).toMatchObject({ outputTokens: 110, isEstimated: true });
});

test('a stream that ends after its finish reason is complete, with or without [DONE]', () => {
  expect(relayed(toChatStream(ordinary, { done: false }))).toBe(
    toChatStream(ordinary.slice(0, -1)),
  );
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['[DONE] alone', toChatStream([])],
  ['an end without a finish reason', toChatStream([role, hello], { done: false })],
  ['an end inside a chunk', toChatStream([role, hello]).slice(0, 250)],
  ['data that is not JSON', toChatStream([role, 'oops', stop])],
  ['data that is no object', toChatStream([role, '[1]', stop])],
  [
    'an error in a chunk',
    toChatStream([role, { error: { message: 'account acct_7 is out of credit', code: 402 } }]),
  ],
  [
    'an error beside choices',
    toChatStream([role, chatChunk({}, 'error', { error: { message: 'acct_7' } })]),
  ],
  ['an error as a text', toChatStream([role, { error: 'acct_7 failed' }])],
  [
    'an error event',
    `${toChatStream([role], { done: false })}event: error\ndata: {"message":"acct_7"}\n\n`,
  ],
  ['the finish reason error', toChatStream([role, chatChunk({ content: 'acct_7' }, 'error')])],
  ['an error in a choice', toChatStream([role, choiceWithError])],
])('%s ends in an error event with our own message', (_, stream) => {
  const relay = createRelay();
  const report = examineChatStream(replay(relay, [stream]));
  expect(report).toMatchObject({
    problems: [],
    error: { type: 'server_error', code: 'upstream_error' },
  });
  expect(JSON.stringify(report.error)).not.toContain('acct_7');
  expect(relay.failure).toMatchObject({ status: 502, code: 'upstream_error' });
});

test.each([
  [{ code: 429, message: 'x' }, 429, 'rate_limit_exceeded'],
  [{ code: 'rate_limit_exceeded', message: 'x' }, 429, 'rate_limit_exceeded'],
  [{ type: 'overloaded_error' }, 503, 'server_is_overloaded'],
  [{ status: 504 }, 504, 'upstream_timeout'],
  [{ code: 'context_length_exceeded' }, 400, 'context_length_exceeded'],
  [{ code: 401, message: 'key' }, 502, 'upstream_error'],
])('the error %j is a %i %s', (error, status, code) => {
  const relay = createRelay();
  replay(relay, [toChatStream([{ error }])]);
  expect(relay.failure).toMatchObject({ status, code });
  expect(relay.hasOutput).toBe(false);
});

test('a failure is sent once, and nothing follows it', () => {
  const relay = createRelay();
  relay.push({ data: JSON.stringify(hello) });
  expect(examineChatStream(relay.fail(createCutFailure())).problems).toEqual([]);
  expect(relay.fail(createCutFailure())).toBe('');
  expect(relay.push({ data: JSON.stringify(hello) })).toBe('');
  expect(relay.end()).toBe('');
});

test('a frame above the size limit is a failure, and the rest is not read', () => {
  const report = examineChatStream(relayed(toChatStream([role, 'x'.repeat(100_001), hello, stop])));
  expect(report).toMatchObject({ problems: [], error: { code: 'upstream_error' }, text: '' });
});

test('calls with no index or a shared one are told apart by id', () => {
  const call = (id: string, more: object = {}) =>
    chatChunk({
      tool_calls: [
        { id, type: 'function', function: { name: 'f', arguments: `"${id}"` }, ...more },
      ],
    });
  for (const more of [{}, { index: 0 }]) {
    const stream = toChatStream([role, call('a', more), call('b', more)]);
    const report = examineChatStream(relayed(stream));
    expect(report.problems).toEqual([]);
    expect(report.finishReason).toBe('tool_calls');
    expect(report.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: '"a"' },
      { id: 'b', name: 'f', arguments: '"b"' },
    ]);
  }
});

test.each([4_294_967_290, -1])('calls at the index %i are calls like others', (index) => {
  const call = (id: string) =>
    chatChunk({ tool_calls: [{ index, id, function: { name: 'f', arguments: '{}' } }] });
  const stream = toChatStream([role, call('a'), call('b'), call('c'), chatChunk({}, 'tool_calls')]);
  expect(examineChatStream(relayed(stream))).toMatchObject({
    problems: [],
    toolCalls: ['a', 'b', 'c'].map((id) => ({ id, name: 'f', arguments: '{}' })),
  });
});

test('the finish reasons tool_calls, length and content_filter are unchanged', () => {
  for (const reason of ['tool_calls', 'length', 'content_filter']) {
    const deltas = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{', '}'] }).map((delta) =>
      chatChunk(delta),
    );
    const report = examineChatStream(
      relayed(toChatStream([role, ...deltas, chatChunk({}, reason)])),
    );
    expect(report).toMatchObject({ problems: [], finishReason: reason });
  }
});

// agent-framework 6978, vercel/ai 17784, litellm 16272, prism 862
test('what Mistral’s models think and say in parts is text in a stream, too', () => {
  const thinking = (text: string) => [{ type: 'thinking', thinking: [{ type: 'text', text }] }];
  const sent = [
    chatChunk({ content: thinking('A gree') }),
    chatChunk({ content: thinking('ting.') }),
    chatChunk({ content: [{ type: 'text', text: 'Hel' }] }),
  ];
  const shown = [
    chatChunk({ content: '', reasoning_content: 'A gree' }),
    chatChunk({ content: '', reasoning_content: 'ting.' }),
    chatChunk({ content: 'Hel' }),
  ];
  const toStream = (chunks: typeof sent) => toChatStream([role, ...chunks, hello, stop]);
  expect(relayed(toStream(sent))).toBe(toStream(shown));
});

test('each of several choices has its own role and finish reason', () => {
  const of = (index: number, delta: object, finish_reason: string | null = null) => ({
    ...chatHead,
    choices: [{ index, delta, finish_reason }],
  });
  const chunks = [of(0, { content: 'a' }), of(1, { content: 'b' }), of(0, {}, 'stop')];
  const text = relayed(toChatStream(chunks));
  expect(text.match(/"role":"assistant"/g)).toHaveLength(2);
  expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(2);
  const cut = relayed(toChatStream(chunks, { done: false }));
  expect(cut).toContain('"code":"upstream_error"');
});

test('any stream, split anywhere, is relayed whole and in order', () => {
  fc.assert(
    fc.property(anyScript, anyCuts, fc.boolean(), (script, cuts, includeUsage) => {
      const chunks = [...script.deltas.map((delta) => chatChunk(delta)), stop, usageChunk];
      const bytes = new TextEncoder().encode(toChatStream(chunks));
      const report = examineChatStream(replay(createRelay({ includeUsage }), cutAt(bytes, cuts)));
      expect(report.problems).toEqual([]);
      // Calls are counted as they come.
      expect(report.toolCalls.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(script.toolCalls);
      expect(report).toMatchObject({
        text: script.text,
        refusal: script.refusal,
        usage: includeUsage ? chatUsage : null,
      });
    }),
  );
});

test('any stream that the budget ends is valid, and finished by its length', () => {
  fc.assert(
    fc.property(anyScript, fc.nat(10_000), fc.boolean(), ({ deltas }, length, includeUsage) => {
      const stream = toChatStream([...deltas.map((delta) => chatChunk(delta)), stop, usageChunk]);
      const toFinish = stream.indexOf('"finish_reason":"stop"');
      const ended = endedByLength(createRelay({ includeUsage }), stream, length % toFinish);
      const report = examineChatStream(ended);
      expect(report).toMatchObject({ finishReason: 'length', error: null });
      expect(report.usage === null).toBe(!includeUsage);
      // A call may be cut off before its name.
      expect(
        report.problems.filter((problem) => problem !== 'a call lacks its id or name'),
      ).toEqual([]);
    }),
  );
});
