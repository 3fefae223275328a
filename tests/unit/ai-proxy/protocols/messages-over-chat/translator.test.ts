import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessagesTranslator } from '#lib/ai-proxy/protocols/messages-over-chat/translator.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../../support/upstreams/byte-pieces.ts';
import {
  anyScript,
  chatChunk,
  createInterleavedCalls,
  createMixedStream,
  hello,
  ordinary,
  role,
  stop,
  toChatStream,
  toolCallDeltas,
  usageChunk,
} from '../../../../support/upstreams/chat-stream.ts';
import {
  createMessageIds,
  createMessagesRequest,
} from '../../../../support/upstreams/messages-request.ts';
import { examineMessagesStream } from '../../../../support/upstreams/messages-stream.ts';
import { replay } from '../../../../support/upstreams/replay.ts';

const createTranslator = (fields: object = {}) =>
  createMessagesTranslator(createMessagesRequest({ stream: true, ...fields }), createMessageIds());
const translated = (stream: string, fields: object = {}) =>
  replay(createTranslator(fields), [stream]);
const examined = (stream: string, fields: object = {}) =>
  examineMessagesStream(translated(stream, fields));

test('a text gives the sequence of events that clients expect', () => {
  const report = examined(toChatStream(ordinary));
  expect(report.problems).toEqual([]);
  expect(report.types).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(report).toMatchObject({
    text: 'Hé😀',
    stopReason: 'end_turn',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'maker/model-1' },
    // Of 11 prompt tokens, 3 came from the cache.
    usage: {
      input_tokens: 8,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 0,
      output_tokens: 7,
    },
  });
});

test('there is no [DONE], which Anthropic’s clients cannot parse', () => {
  expect(translated(toChatStream(ordinary))).not.toContain('[DONE]');
});

test('each delta is sent in the read that brought it', () => {
  const translator = createTranslator();
  const push = (chunk: object) => translator.push({ data: JSON.stringify(chunk) });
  expect(push(role)).toContain('event: message_start');
  expect(push(hello)).toContain('"text_delta","text":"Hé"');
  expect(push(hello)).toBe(
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé"}}\n\n',
  );
  expect(push(stop)).toContain('content_block_stop');
  expect(push(usageChunk)).toMatch(/event: message_stop\n.*\n\n$/);
});

test('the output does not depend on where the bytes are split', () => {
  const stream = createMixedStream();
  const whole = translated(stream);
  expect(examineMessagesStream(whole).problems).toEqual([]);
  for (const pieces of splitEverywhere(new TextEncoder().encode(stream))) {
    expect(replay(createTranslator(), pieces)).toBe(whole);
  }
});

test('interleaved pieces of two calls become two blocks, one after the other', () => {
  const { stream, toolCalls } = createInterleavedCalls();
  const report = examined(stream);
  expect(report).toMatchObject({
    problems: [],
    stopReason: 'tool_use',
    toolCalls,
  });
});

test('a call without an id gets one; calls end a reply as tool_use even where the upstream says stop', () => {
  const piece = chatChunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] });
  expect(examined(toChatStream([piece, stop]))).toMatchObject({
    problems: [],
    stopReason: 'tool_use',
    toolCalls: [{ id: 'toolu_1', name: 'f' }],
  });
});

test('reasoning that was asked for is a thinking block with a signature, before the text', () => {
  const stream = toChatStream([
    chatChunk({ reasoning: 'I look' }),
    chatChunk({ reasoning: ' up.' }),
    hello,
    stop,
  ]);
  const report = examined(stream, { thinking: { type: 'adaptive' } });
  expect(report).toMatchObject({ problems: [], text: 'Hé', thinking: 'I look up.' });
  expect(report.blocks.map(({ type }) => type)).toEqual(['thinking', 'text']);
  expect(report.blocks[0]?.signature).toMatch(/^mq1\./);
});

test.each([{}, { thinking: { type: 'disabled' } }])(
  'reasoning is left out for clients that did not ask for it, but counted: %j',
  (fields) => {
    const translator = createTranslator(fields);
    const stream = toChatStream([chatChunk({ reasoning_content: 'x'.repeat(40) }), hello, stop]);
    expect(replay(translator, [stream])).not.toContain('xxx');
    expect(translator.usage).toMatchObject({ outputTokens: 11, isEstimated: true });
  },
);

test.each([
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
  ['stop', 'end_turn'],
])('finish reason %s is the stop reason %s', (finish, reason) => {
  const report = examined(toChatStream([hello, chatChunk({}, finish), usageChunk]));
  expect(report).toMatchObject({ problems: [], stopReason: reason, stopSequence: null });
});

test('a stop sequence that the upstream names is named to the client', () => {
  const end = {
    ...stop,
    choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' }],
  };
  expect(examined(toChatStream([hello, end]), { stop_sequences: ['STOP', 'END'] })).toMatchObject({
    problems: [],
    stopReason: 'stop_sequence',
    stopSequence: 'END',
  });
});

test('an empty reply has one empty text', () => {
  const report = examined(toChatStream([role, stop, usageChunk]));
  expect(report).toMatchObject({ problems: [], text: '', blocks: [{ type: 'text' }] });
});

test('a refusal is text', () => {
  const report = examined(toChatStream([chatChunk({ refusal: 'I will not.' }), stop]));
  expect(report).toMatchObject({ problems: [], text: 'I will not.' });
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['an end without a finish reason', toChatStream([role, hello], { done: false })],
  ['data that is not JSON', toChatStream([hello, 'oops', stop])],
  ['an error in a chunk', toChatStream([hello, { error: { message: 'acct_7', code: 402 } }])],
  ['the finish reason error', toChatStream([hello, chatChunk({}, 'error')])],
])('%s ends in an error event with our own message', (_, stream) => {
  const translator = createTranslator();
  const text = replay(translator, [stream]);
  const report = examineMessagesStream(text);
  expect(report).toMatchObject({ problems: [], error: { type: 'api_error' } });
  expect(text).not.toContain('acct_7');
  expect(translator).toMatchObject({ isDone: true, failure: { status: 502 } });
});

test('any reply, interleaved and split anywhere, becomes a valid stream that loses nothing', () => {
  const endings = fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter');
  fc.assert(
    fc.property(anyScript, anyCuts, endings, fc.boolean(), (script, cuts, ending, done) => {
      const deltas = script.deltas.filter((delta) => !('refusal' in delta));
      const chunks = [
        role,
        ...deltas.map((delta) => chatChunk(delta)),
        chatChunk({}, ending),
        usageChunk,
      ];
      const bytes = new TextEncoder().encode(toChatStream(chunks, { done }));
      const translator = createTranslator({ thinking: { type: 'adaptive' } });
      const report = examineMessagesStream(replay(translator, cutAt(bytes, cuts)));
      expect(report.problems).toEqual([]);
      expect(report.text).toBe(script.text);
      expect(new Set(report.toolCalls)).toEqual(new Set(script.toolCalls));
    }),
    { numRuns: 200 },
  );
});

test('the stream validator of these tests notices every missing event and every swapped pair', () => {
  const [begin = {}, ...pieces] = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{', '}'] });
  const deltas = [{ reasoning: 'hm' }, { content: 'a' }, begin, ...pieces];
  const chunks = [...deltas.map((delta) => chatChunk(delta)), stop];
  const fields = { thinking: { type: 'adaptive' } };
  const frames = translated(toChatStream(chunks), fields).split('\n\n').slice(0, -1);
  const isOptional = (frame = '') => /ping|_delta"/.test(frame) && !frame.includes('message_');
  for (const [index, frame] of frames.entries()) {
    const examine = (some: readonly string[]) =>
      examineMessagesStream([...some, ''].join('\n\n')).problems;
    if (!isOptional(frame)) expect(examine(frames.toSpliced(index, 1))).not.toEqual([]);
    const next = frames[index + 1];
    if (next === undefined || isOptional(frame) === isOptional(next)) continue;
    if (frame.includes('ping')) continue;
    expect(examine(frames.toSpliced(index, 2, next, frame))).not.toEqual([]);
  }
});
