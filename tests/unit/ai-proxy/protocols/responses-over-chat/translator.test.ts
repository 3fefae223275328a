import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toChatRequest } from '#lib/ai-proxy/protocols/responses-over-chat/to-chat-request.ts';
import { createResponsesTranslator } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import { createOverflowFailure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../../support/upstreams/byte-pieces.ts';
import {
  anyScript,
  chatChunk,
  chatHead,
  chatUsage,
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
import { endedByLength, replay } from '../../../../support/upstreams/replay.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';
import { examineResponsesStream } from '../../../../support/upstreams/responses-stream.ts';

const createTranslator = (fields: object = {}) =>
  createResponsesTranslator(createRequest({ stream: true, ...fields }), createTranslation());
const translated = (stream: string) => replay(createTranslator(), [stream]);
const examined = (stream: string) => examineResponsesStream(translated(stream));
/** A reply of these deltas that ends in calls. */
const toCalls = (...deltas: readonly Readonly<Record<string, unknown>>[]) =>
  toChatStream([...deltas.map((delta) => chatChunk(delta)), chatChunk({}, 'tool_calls')]);

test('a text gives the sequence of events that clients expect', () => {
  const report = examined(toChatStream(ordinary));
  expect(report.problems).toEqual([]);
  expect(report.types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(report.response).toMatchObject({
    id: 'resp_1',
    created_at: 1_760_000_000,
    completed_at: 1_760_000_009,
    model: 'maker/model-1',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hé😀', annotations: [], logprobs: [] }],
      },
    ],
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 18,
    },
  });
});

test('each delta is sent in the read that brought it', () => {
  const translator = createTranslator();
  const push = (chunk: object) => translator.push({ data: JSON.stringify(chunk) });
  expect(push(role)).toContain('response.in_progress');
  expect(push(hello)).toContain('"delta":"Hé","logprobs":[]');
  expect(push(hello)).toMatch(/^event: response.output_text.delta\n.*\n\n$/);
  expect(push(stop)).toContain('response.output_item.done');
  expect(push(usageChunk)).toMatch(/event: response.completed\n.*\n\ndata: \[DONE\]\n\n$/);
});

test('the output does not depend on where the bytes are split', () => {
  const stream = createMixedStream();
  const whole = translated(stream);
  expect(examineResponsesStream(whole).problems).toEqual([]);
  for (const pieces of splitEverywhere(new TextEncoder().encode(stream))) {
    expect(replay(createTranslator(), pieces)).toBe(whole);
  }
});

test('a reply of one call opens no message', () => {
  const deltas = toolCallDeltas(0, { id: 'call_a', name: 'look', pieces: ['{"a"', ':1}'] });
  const report = examined(toCalls(...deltas));
  expect(report.problems).toEqual([]);
  expect(report.types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(report.response.output).toEqual([
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_a',
      name: 'look',
      arguments: '{"a":1}',
      status: 'completed',
    },
  ]);
});

test('parallel calls are sent one after another, each closed before the next opens', () => {
  const translator = createTranslator();
  const push = (delta: object) =>
    translator.push({ data: JSON.stringify(chatChunk({ ...delta })) });
  for (const delta of toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{}'] })) push(delta);
  const [second = {}] = toolCallDeltas(1, { id: 'b', name: 'g', pieces: [] });
  expect(push(second)).toMatch(/output_item\.done.*output_item\.added.*"call_id":"b"/s);
});

test('interleaved pieces of two calls are not mixed up', () => {
  const { stream, toolCalls } = createInterleavedCalls();
  const report = examined(stream);
  expect(report.problems).toEqual([]);
  expect(report.toolCalls).toEqual(toolCalls);
});

test('a repeated id and name are one call; a call without an id gets one', () => {
  const piece = (text: string, id?: string) => ({
    tool_calls: [{ index: 0, id, function: { name: 'f', arguments: text } }],
  });
  const repeated = examined(toCalls(piece('{"a"', 'x'), piece(':1}', 'x')));
  expect(repeated.toolCalls).toEqual([{ id: 'x', name: 'f', arguments: '{"a":1}' }]);
  const nameless = examined(toCalls(piece('{}')));
  expect(nameless).toMatchObject({ problems: [], toolCalls: [{ id: 'call_1', name: 'f' }] });
});

test('a call without arguments has an empty object', () => {
  const [begin = {}] = toolCallDeltas(0, { id: 'a', name: 'now', pieces: [] });
  const report = examined(toCalls(begin));
  expect(report).toMatchObject({ problems: [], toolCalls: [{ arguments: '{}' }] });
});

test('calls of custom and namespaced tools come back as the client knows them', () => {
  const tools = [
    { type: 'custom', name: 'apply_patch' },
    { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
  ];
  const patch = toolCallDeltas(0, {
    id: 'a',
    name: 'apply_patch',
    pieces: ['{"input":', '"*** A"}'],
  });
  const spawn = toolCallDeltas(1, { id: 'b', name: 'agents__spawn', pieces: ['{}'] });
  const text = replay(createTranslator({ tools }), [toCalls(...patch, ...spawn)]);

  const report = examineResponsesStream(text);

  expect(report.problems).toEqual([]);
  expect(report.types).toEqual(
    expect.arrayContaining([
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
    ]),
  );
  expect(report.response.output).toEqual([
    {
      type: 'custom_tool_call',
      id: 'ctc_1',
      call_id: 'a',
      name: 'apply_patch',
      input: '*** A',
      status: 'completed',
    },
    {
      type: 'function_call',
      id: 'fc_2',
      call_id: 'b',
      name: 'spawn',
      namespace: 'agents',
      arguments: '{}',
      status: 'completed',
    },
  ]);
});

test('a custom call whose text came without JSON keeps the text', () => {
  const deltas = toolCallDeltas(0, { id: 'a', name: 'apply_patch', pieces: ['*** Begin'] });
  const translator = createTranslator({ tools: [{ type: 'custom', name: 'apply_patch' }] });
  const report = examineResponsesStream(replay(translator, [toCalls(...deltas)]));
  expect(report).toMatchObject({ problems: [], response: { output: [{ input: '*** Begin' }] } });
});

test('a refusal is a part of its own', () => {
  const report = examined(
    toChatStream([hello, chatChunk({ refusal: 'I will' }), chatChunk({ refusal: ' not.' }), stop]),
  );
  expect(report).toMatchObject({ problems: [], text: 'Hé', refusal: 'I will not.' });
  expect(report.types).toContain('response.refusal.done');
});

test('reasoning is an item of its own, with a summary and what brings it back', () => {
  const translator = createTranslator();
  const stream = toChatStream([
    chatChunk({ reasoning_content: 'I look' }),
    chatChunk({ reasoning_content: ' up.' }),
    hello,
    stop,
  ]);

  const report = examineResponsesStream(replay(translator, [stream]));

  expect(report.problems).toEqual([]);
  expect(report.types.slice(2, 9)).toEqual([
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
  ]);
  expect(report.response.output).toEqual([
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'I look up.' }],
      encrypted_content: expect.stringMatching(/^mq1\./),
    },
    expect.objectContaining({ type: 'message', id: 'msg_2' }),
  ]);
  expect(translator.usage).toMatchObject({ outputTokens: 4, isEstimated: true });
});

test('the reasoning of a reply goes back to the upstream in the field that it came from', () => {
  const details = [{ type: 'reasoning.text', text: 'I look up.', signature: 's', index: 0 }];
  for (const fields of [
    { reasoning_content: 'I look up.' },
    { reasoning: 'I look up.' },
    { reasoning_details: details },
  ]) {
    const call = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{}'] });
    const { response } = examined(toCalls(fields, ...call));

    const next = createRequest({
      input: [
        { role: 'user', content: 'Hello' },
        ...(response.output as object[]),
        { type: 'function_call_output', call_id: 'a', output: 'ok' },
      ],
    });

    const { messages } = toChatRequest(next);
    expect(messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        ...fields,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ]);
  }
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
])('finish reason %s makes the response and its last item incomplete', (finish, reason) => {
  const report = examined(toChatStream([hello, chatChunk({}, finish), usageChunk]));
  expect(report.problems).toEqual([]);
  expect(report.types.at(-1)).toBe('response.incomplete');
  expect(report.response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason },
    completed_at: null,
    output: [{ status: 'incomplete' }],
  });
});

test('an empty reply has one empty message', () => {
  const report = examined(toChatStream([role, stop, usageChunk]));
  expect(report).toMatchObject({ problems: [], text: '' });
  expect(report.response.output).toHaveLength(1);
});

test('the terminal event waits for usage: with the finish reason, after it, or never', () => {
  const early = { usage: { prompt_tokens: 1, completion_tokens: 1 } };
  const withFinish = [hello, chatChunk({}, 'stop', { usage: chatUsage })];
  for (const [stream, usage] of [
    [toChatStream(withFinish, { done: false }), { total_tokens: 18 }],
    [
      toChatStream([chatChunk({ content: 'Hé' }, null, early), stop, usageChunk]),
      { total_tokens: 18 },
    ],
    [toChatStream([hello, stop]), { input_tokens: 2, output_tokens: 1 }],
  ] as const) {
    expect(examined(stream)).toMatchObject({ problems: [], response: { usage } });
  }
});

test('the last frame counts without its blank line', () => {
  const stream = toChatStream(ordinary, { done: false }).slice(0, -2);
  expect(examined(stream)).toMatchObject({
    problems: [],
    response: { usage: { total_tokens: 18 } },
  });
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['[DONE] alone', toChatStream([])],
  ['an end without a finish reason', toChatStream([role, hello], { done: false })],
  ['[DONE] before any part of a reply', toChatStream([role])],
  ['data that is not JSON', toChatStream([hello, 'oops', stop])],
  ['an error in a chunk', toChatStream([hello, { error: { message: 'acct_7', code: 402 } }])],
  [
    'an error event',
    `${toChatStream([hello], { done: false })}event: error\ndata: {"message":"acct_7"}\n\n`,
  ],
  ['the finish reason error', toChatStream([hello, chatChunk({}, 'error')])],
  ['a call that never got a name', toCalls({ tool_calls: [{ index: 0, id: 'a' }] })],
  ['a frame that is too long', toChatStream([hello, 'x'.repeat(100_001)])],
])('%s ends in response.failed with our own message', (_, stream) => {
  const translator = createTranslator();
  const text = replay(translator, [stream]);
  const report = examineResponsesStream(text);
  expect(report.problems).toEqual([]);
  expect(report.types.slice(-2)).toEqual(['error', 'response.failed']);
  expect(report.error).toMatchObject({ code: 'upstream_error', param: null });
  expect(text).not.toContain('acct_7');
  expect(translator).toMatchObject({ isDone: true, failure: { status: 502 } });
});

test('an endless reply is cut off, since it is buffered whole', () => {
  const translator = createTranslator();
  const piece = {
    data: JSON.stringify(chatChunk({ content: 'x'.repeat(1024 * 1024) })),
  };
  let count = 0;
  while (!translator.isDone && count < 100) {
    translator.push(piece);
    count++;
  }
  expect(count).toBe(9);
  expect(translator.failure).toMatchObject({ status: 502, reason: 'too_long' });
});

test('text in parts is joined', () => {
  const parts = chatChunk({
    content: [
      { type: 'text', text: 'H' },
      { type: 'text', text: 'é' },
    ],
  });
  expect(examined(toChatStream([parts, stop]))).toMatchObject({ problems: [], text: 'Hé' });
});

test('a failed response includes the output so far', () => {
  const calls = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{"x":'] });
  const report = examined(toChatStream([hello, ...calls.map((delta) => chatChunk(delta))]));
  expect(report.response).toMatchObject({
    status: 'failed',
    error: { code: 'upstream_error', type: 'server_error' },
    output: [
      { status: 'completed', content: [{ text: 'Hé' }] },
      { status: 'incomplete', call_id: 'a', arguments: '{"x":' },
    ],
  });
});

test('a failure is sent once, and nothing follows it', () => {
  const translator = createTranslator();
  translator.push({ data: JSON.stringify(hello) });
  expect(translator.fail(createOverflowFailure())).toContain('response.failed');
  expect(translator.fail(createOverflowFailure())).toBe('');
  expect(translator.end()).toBe('');
});

test('only the first choice counts', () => {
  const other = {
    ...chatHead,
    choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }],
  };
  expect(examined(toChatStream([other, hello, other, stop]))).toMatchObject({
    problems: [],
    text: 'Hé',
  });
});

test('the response repeats the request’s settings', () => {
  const translator = createTranslator({
    temperature: 0.5,
    instructions: 'Be brief.',
    tools: [{ type: 'function', name: 'f' }],
    text: { format: { type: 'json_object' } },
    metadata: { a: 'b' },
  });
  expect(examineResponsesStream(replay(translator, [toChatStream(ordinary)]))).toMatchObject({
    problems: [],
    response: {
      temperature: 0.5,
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'f', description: null, parameters: null, strict: null }],
      text: { format: { type: 'json_object' } },
      metadata: { a: 'b' },
      top_p: 1,
      store: false,
    },
  });
});

test('any reply, interleaved and split anywhere, becomes a valid stream that loses nothing', () => {
  const endings = fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter');
  fc.assert(
    fc.property(anyScript, anyCuts, endings, fc.boolean(), (script, cuts, ending, done) => {
      const chunks = [
        role,
        ...script.deltas.map((delta) => chatChunk(delta)),
        chatChunk({}, ending),
        usageChunk,
      ];
      const bytes = new TextEncoder().encode(toChatStream(chunks, { done }));
      const report = examineResponsesStream(replay(createTranslator(), cutAt(bytes, cuts)));
      expect(report.problems).toEqual([]);
      expect(report).toMatchObject({ text: script.text, refusal: script.refusal });
      expect(new Set(report.toolCalls)).toEqual(new Set(script.toolCalls));
    }),
    { numRuns: 200 },
  );
});

test('the stream validator of these tests notices every missing event and every swapped pair', () => {
  const [begin = {}, ...pieces] = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{', '}'] });
  const deltas = [{ content: 'a' }, { content: 'b' }, begin, ...pieces, { refusal: 'c' }];
  const chunks = [...deltas.map((delta) => chatChunk(delta)), stop];
  const frames = translated(toChatStream(chunks)).split('\n\n').slice(0, -2);
  const examineFrames = (some: readonly string[]) => {
    const numbered = some.map((frame, number) =>
      frame.replace(/"sequence_number":\d+/, `"sequence_number":${number}`),
    );
    return examineResponsesStream([...numbered, 'data: [DONE]', ''].join('\n\n')).problems;
  };
  expect(examineFrames(frames)).toEqual([]);
  for (const [index, frame] of frames.entries()) {
    expect(examineFrames(frames.toSpliced(index, 1))).not.toEqual([]);
    const next = frames[index + 1];
    if (next === undefined) continue;
    expect(examineFrames(frames.toSpliced(index, 2, next, frame))).not.toEqual([]);
  }
});

test('any reply that is cut short becomes a valid failed stream', () => {
  fc.assert(
    fc.property(anyScript, fc.nat(100), (script, cut) => {
      const chunks = script.deltas.slice(0, cut).map((delta) => chatChunk(delta));
      const report = examineResponsesStream(translated(toChatStream(chunks, { done: false })));
      expect(report.problems).toEqual([]);
      expect(report.response.status).toBe('failed');
    }),
  );
});

test('any reply that the budget ends is a valid stream, and incomplete for its length', () => {
  fc.assert(
    fc.property(anyScript, fc.nat(10_000), ({ deltas }, length) => {
      const stream = toChatStream([...deltas.map((delta) => chatChunk(delta)), stop]);
      const toFinish = stream.indexOf('"finish_reason":"stop"');
      const ended = endedByLength(createTranslator(), stream, length % toFinish);
      const report = examineResponsesStream(ended);
      expect(report.problems).toEqual([]);
      expect(report.response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      });
    }),
  );
});
