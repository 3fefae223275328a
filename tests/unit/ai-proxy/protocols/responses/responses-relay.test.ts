import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResponsesRelay } from '#lib/ai-proxy/protocols/responses/responses-relay.ts';
import { createResponsesTranslator } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import { createCutFailure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../../support/upstreams/byte-pieces.ts';
import {
  anyScript,
  chatChunk,
  type Delta,
  toChatStream,
  usageChunk,
} from '../../../../support/upstreams/chat-stream.ts';
import { endedByLength, replay } from '../../../../support/upstreams/replay.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';
import { examineResponsesStream } from '../../../../support/upstreams/responses-stream.ts';

const request = createRequest({ stream: true });
const identity = { id: 'resp_own', createdAt: 1_760_000_111 };
const createRelay = () => createResponsesRelay(request, identity, toJsonObject);
const relayed = (stream: string) => replay(createRelay(), [stream]);
const examined = (stream: string) => examineResponsesStream(relayed(stream));

/** A valid stream as upstreams send it for Responses: without [DONE]. */
function createNativeStream(
  deltas: readonly Delta[] = [{ content: 'Hé' }, { content: '😀' }],
): string {
  const translator = createResponsesTranslator(request, createTranslation());
  const chunks = [...deltas.map((delta) => chatChunk(delta)), chatChunk({}, 'stop'), usageChunk];
  return replay(translator, [toChatStream(chunks)]).replace('data: [DONE]\n\n', '');
}

const native = createNativeStream();
const frames = native
  .split('\n\n')
  .slice(0, -1)
  .map((frame) => `${frame}\n\n`);
const toFrame = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...fields })}\n\n`;
const responseId = 'resp_1';

test('a valid stream is unchanged, with [DONE] at its end', () => {
  const relay = createRelay();
  expect(replay(relay, [native])).toBe(`${native}data: [DONE]\n\n`);
  expect(relay).toMatchObject({ isDone: true, hasOutput: true, failure: null });
  expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false });
});

test('a [DONE] of the upstream is not sent twice', () => {
  expect(relayed(`${native}data: [DONE]\n\n`)).toBe(`${native}data: [DONE]\n\n`);
});

test('the output does not depend on where the bytes are split', () => {
  const stream = `: PROCESSING\r\n\r\n${native}`;
  const bytes = new TextEncoder().encode(stream);
  const pieces = splitEverywhere(bytes).filter((_, at) => at % 7 === 0 || at > bytes.length - 2);
  for (const some of pieces) expect(replay(createRelay(), some)).toBe(`${native}data: [DONE]\n\n`);
});

test('an event’s type comes from its data or from its event name', () => {
  const unnamed = native.replaceAll(/^event: .*\n/gm, '');
  expect(relayed(unnamed)).toBe(relayed(native));
  const untyped = native.replaceAll(/"type":"response\.[a-z_.]+",/g, '');
  expect(examined(untyped)).toMatchObject({ problems: [], text: 'Hé😀' });
});

test('events of the connection and of the account are dropped, and the rest renumbered', () => {
  const unknown = [
    toFrame('keepalive', { note: 'sk-secret' }),
    toFrame('codex.rate_limits', { plan: 'sk-secret' }),
    toFrame('response.rate_limits.updated', { left: 'sk-secret' }),
    toFrame('response.part_failed', { error: { message: 'sk-secret' } }),
    toFrame('response.retried', { response: { error: 'sk-secret' } }),
    toFrame('response.a\nevent: b', { text: 'sk-secret' }),
  ];
  const stream = frames.flatMap((frame) => [unknown.join(''), frame]).join('');
  expect(examined(stream)).toMatchObject({ problems: [], text: 'Hé😀' });
  expect(relayed(stream)).not.toContain('sk-secret');
});

test('unknown events of a response and of its items are passed on in their places', () => {
  const [created = '', ...rest] = frames;
  const at = rest.findIndex((frame) => frame.startsWith('event: response.output_text.delta'));
  const item_id = /"item_id":"(.*?)"/.exec(rest[at] ?? '')?.[1];
  const own = { n: 9007199254740993n.toString(), list: [1] };
  const steer = toFrame('response.steer.pending', { sequence_number: 90, own });
  const sound = toFrame('response.hum.delta', { item_id, output_index: 7, delta: 'hm', own });
  const stream = [steer, created, ...rest.slice(0, at), sound, ...rest.slice(at)].join('');

  const report = examined(stream);
  const problems = ['unknown event response.hum.delta'];
  expect(report).toMatchObject({ problems, text: 'Hé😀' });
  const known = examined(native).types;
  const place = known.indexOf('response.output_text.delta');
  expect(report.types).toEqual([
    ...known.slice(0, 2),
    'response.steer.pending',
    ...known.slice(2, place),
    'response.hum.delta',
    ...known.slice(place),
  ]);
  const shown = JSON.stringify(own);
  expect(relayed(stream)).toContain(
    `"type":"response.steer.pending","sequence_number":2,"own":${shown}}`,
  );
  expect(relayed(stream)).toContain(
    `"item_id":"${item_id}","output_index":0,"delta":"hm","own":${shown}}`,
  );
});

test('unknown fields of events with an item or a response are passed on', () => {
  const own = '"own":{"n":1.0}';
  const stream = native
    .replace('"type":"response.output_item.added",', `$&${own},`)
    .replace('"type":"response.output_item.done",', `$&${own},`)
    .replace('"type":"response.completed",', `$&${own},`);
  expect(relayed(stream).split(own)).toHaveLength(4);
});

test('missing or wrong sequence numbers are replaced', () => {
  expect(relayed(native.replaceAll(/"sequence_number":\d+,/g, ''))).toBe(relayed(native));
  expect(relayed(native.replaceAll('"sequence_number":', '"sequence_number":1'))).toBe(
    relayed(native),
  );
});

test('missing created, in_progress and output_item.added events are added', () => {
  const without = (...types: string[]) =>
    frames.filter((frame) => !types.some((type) => frame.startsWith(`event: ${type}\n`))).join('');
  expect(relayed(without('response.in_progress'))).toBe(relayed(native));
  const bare = examined(without('response.created', 'response.in_progress'));
  expect(bare).toMatchObject({ problems: [], text: 'Hé😀', response: { id: 'resp_own' } });
  const closedOnly = [
    toFrame('response.created', { response: { id: responseId } }),
    toFrame('response.output_item.done', {
      output_index: 0,
      item: { type: 'reasoning', summary: [] },
    }),
    toFrame('response.completed', { response: {} }),
  ];
  const report = examined(closedOnly.join(''));
  expect(report.problems).toEqual([]);
  expect(report.types).toContain('response.output_item.added');
});

test('deltas of items that are not open are dropped', () => {
  const [created = '', ...rest] = frames;
  const place = { item_id: 'fc_9', output_index: 9, delta: 'x' };
  const stray = toFrame('response.function_call_arguments.delta', place);
  const late = frames.filter((frame) => frame.startsWith('event: response.output_text.delta\n'));
  const end = rest.pop() ?? '';
  expect(examined([created, stray, ...rest, ...late, end].join(''))).toMatchObject({
    problems: [],
    text: 'Hé😀',
  });
});

// llm-rosetta 56, billion-context PR 215
test.each([
  ['names nothing', {}],
  ['was never begun', { item_id: 'msg_9', output_index: 0, content_index: 0 }],
])('a text whose item %s is a message, and the end may have another name', (_, place) => {
  const say = (delta: string) => toFrame('response.output_text.delta', { ...place, delta });
  const response = {
    status: 'completed',
    output: [],
    usage: { input_tokens: 5, output_tokens: 2 },
  };
  // oh-my-pi PR 4692
  for (const end of ['response.completed', 'response.done']) {
    const report = examined(say('Hé') + say('😀') + toFrame(end, { response }));
    expect(report).toMatchObject({ problems: [], text: 'Hé😀', response: { status: 'completed' } });
    expect(report.types.at(-1)).toBe('response.completed');
  }
});

test('missing fields are added to events and to the final response', () => {
  const item = { type: 'message', role: 'assistant', content: [] };
  const place = { output_index: 0, content_index: 0 };
  const idOf = 'item_resp_1_0';
  const stream = [
    toFrame('response.created', {
      response: { id: responseId, model: 'maker/model-1', temperature: null },
    }),
    toFrame('response.output_item.added', { output_index: 0, item }),
    toFrame('response.content_part.added', {
      item_id: idOf,
      ...place,
      part: { type: 'output_text', text: '' },
    }),
    toFrame('response.output_text.delta', { item_id: idOf, ...place, delta: 'Hi', logprobs: [] }),
    toFrame('response.output_text.done', { item_id: idOf, ...place, text: 'Hi', logprobs: [] }),
    toFrame('response.content_part.done', {
      item_id: idOf,
      ...place,
      part: { type: 'output_text', text: 'Hi' },
    }),
    toFrame('response.output_item.done', {
      output_index: 0,
      item: { ...item, content: [{ type: 'output_text', text: 'Hi' }] },
    }),
    toFrame('response.completed', { response: { id: responseId, output: [] } }),
  ].join('');
  const report = examined(stream);
  expect(report).toMatchObject({
    problems: [],
    text: 'Hi',
    response: { model: 'maker/model-1', temperature: 1 },
  });
  expect(report.response.usage).toMatchObject({ input_tokens: 2, output_tokens: 1 });
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['an end without a terminal event', frames.slice(0, -1).join('')],
  ['[DONE] without a terminal event', `${frames.slice(0, -1).join('')}data: [DONE]\n\n`],
  ['an end inside an event', native.slice(0, -40)],
  ['data that is not JSON', `${frames[0]}data: oops\n\n`],
  ['an error event, flat', `${frames[0]}${toFrame('error', { message: 'acct_7', code: 'x' })}`],
  ['an error event, nested', `${frames[0]}${toFrame('error', { error: { message: 'acct_7' } })}`],
  ['an error without a type', `${frames[0]}data: {"error":{"message":"acct_7"}}\n\n`],
  [
    'a failed response',
    `${frames[0]}${toFrame('response.failed', { response: { id: responseId, error: { message: 'acct_7', code: 'server_error' } } })}`,
  ],
  ...['response.completed', 'response.incomplete'].map((type): [string, string] => [
    `an error in a ${type}`,
    `${frames[0]}${toFrame(type, { response: { id: responseId, error: { message: 'acct_7' } } })}`,
  ]),
])('%s ends in response.failed with our own message', (_, stream) => {
  const relay = createRelay();
  const text = replay(relay, [stream]);
  const report = examineResponsesStream(text);
  expect(report.problems).toEqual([]);
  expect(report.types.slice(-2)).toEqual(['error', 'response.failed']);
  expect(report.error).toMatchObject({ code: 'upstream_error' });
  expect(text).not.toContain('acct_7');
  expect(relay.failure).toMatchObject({ status: 502 });
});

test('an error in the first event is not shown', () => {
  const error = { message: 'acct_7' };
  const first = toFrame('response.created', { response: { id: responseId, error } });
  const text = relayed(first + frames.slice(1).join(''));
  expect(examineResponsesStream(text)).toMatchObject({ problems: [], error: null });
  expect(text).not.toContain('acct_7');
});

test('a failed response includes the output so far, and its usage', () => {
  const relay = createRelay();
  const report = examineResponsesStream(replay(relay, [frames.slice(0, 5).join('')]));
  expect(report.response.output).toMatchObject([
    { id: 'msg_1', status: 'incomplete', content: [{ type: 'output_text', text: 'Hé' }] },
  ]);
  expect(relay.usage).toMatchObject({ outputTokens: 1, isEstimated: true });
});

test('an incomplete response stays incomplete', () => {
  const cut = native
    .replaceAll('"status":"completed"', '"status":"incomplete"')
    .replaceAll('response.completed', 'response.incomplete');
  expect(examined(cut)).toMatchObject({ problems: [], response: { status: 'incomplete' } });
});

// vllm-project/agentic-api 273
test.each([
  ['"status":"completed"', '"status":"incomplete"'],
  ['"incomplete_details":null', '"incomplete_details":{"reason":"max_output_tokens"}'],
])('a reply that was cut off is incomplete, though it ends as a complete one: %s', (from, to) => {
  const end = frames.length - 1;
  const cut = frames.map((frame, index) => (index === end ? frame.replace(from, to) : frame));
  expect(cut.join('')).not.toBe(native);
  const report = examined(cut.join(''));
  expect(report).toMatchObject({ problems: [], response: { status: 'incomplete' } });
  expect(report.types.at(-1)).toBe('response.incomplete');
});

test('a response that has failed is a failure, whatever its last event', () => {
  const failed = toFrame('response.completed', { response: { status: 'failed', error: null } });
  const relay = createRelay();
  const report = examineResponsesStream(replay(relay, [`${frames[0]}${failed}`]));
  expect(report.types.slice(-2)).toEqual(['error', 'response.failed']);
});

test('a failure is sent once, and nothing follows it', () => {
  const relay = createRelay();
  expect(examineResponsesStream(relay.fail(createCutFailure())).problems).toEqual([]);
  expect(relay.fail(createCutFailure())).toBe('');
  expect(relay.end()).toBe('');
});

test('any valid stream, split anywhere, is unchanged', () => {
  fc.assert(
    fc.property(anyScript, anyCuts, ({ deltas }, cuts) => {
      const stream = createNativeStream(deltas);
      const pieces = cutAt(new TextEncoder().encode(stream), cuts);
      expect(replay(createRelay(), pieces)).toBe(`${stream}data: [DONE]\n\n`);
    }),
  );
});

test('any stream that is cut short becomes a valid failed stream', () => {
  fc.assert(
    fc.property(anyScript, fc.nat(10_000), ({ deltas }, length) => {
      const stream = createNativeStream(deltas);
      // The last event is read even without its blank line.
      const report = examined(stream.slice(0, length % (stream.length - 2)));
      expect(report.problems).toEqual([]);
      expect(report.response.status).toBe('failed');
    }),
  );
});

test('any stream that the budget ends is valid, and incomplete for its length', () => {
  fc.assert(
    fc.property(anyScript, fc.nat(10_000), ({ deltas }, length) => {
      const stream = createNativeStream(deltas);
      const report = examineResponsesStream(endedByLength(createRelay(), stream, length));
      expect(report.problems).toEqual([]);
      expect(report.types.at(-1)).toBe('response.incomplete');
      expect(report.response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      });
    }),
  );
});
