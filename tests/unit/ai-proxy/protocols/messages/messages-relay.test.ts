import { expect, test } from 'vitest';
import { createMessagesRelay } from '#lib/ai-proxy/protocols/messages/messages-relay.ts';
import { splitEverywhere } from '../../../../support/upstreams/byte-pieces.ts';
import { createMessagesRequest } from '../../../../support/upstreams/messages-request.ts';
import { examineMessagesStream } from '../../../../support/upstreams/messages-stream.ts';
import { endedByLength, replay } from '../../../../support/upstreams/replay.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

const usage = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
const start = {
  type: 'message_start',
  message: {
    id: 'msg_u',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  },
};
const open = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const piece = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const close = { type: 'content_block_stop', index: 0 };
const delta = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage: { output_tokens: 9 },
};
const stop = { type: 'message_stop' };
const ordinary = [start, { type: 'ping' }, open, piece('Hé'), piece('😀'), close, delta, stop];

function toStream(events: readonly Readonly<Record<string, unknown>>[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const createRelay = () =>
  createMessagesRelay(createMessagesRequest({ stream: true }), {
    id: 'msg_own',
    reasoning: unmarked,
  });

test('a valid stream is forwarded unchanged, wherever it is split', () => {
  const stream = toStream(ordinary);
  expect(replay(createRelay(), [stream])).toBe(stream);
  for (const pieces of splitEverywhere(new TextEncoder().encode(stream))) {
    expect(replay(createRelay(), pieces)).toBe(stream);
  }
});

test('the prompt’s tokens count with those of the cache, the reply’s at the end', () => {
  const relay = createRelay();
  replay(relay, [toStream(ordinary)]);
  expect(relay.usage).toEqual({
    inputTokens: 10,
    outputTokens: 9,
    cachedInputTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 0,
    isEstimated: false,
  });
});

test.each([
  ['no usage', undefined],
  ['a null one', null],
  ['one without the reply’s tokens', { input_tokens: 5 }],
])('where the last events have %s, the reply’s tokens are an estimate', (_, given) => {
  const events = [start, open, piece('x'.repeat(40)), close, { ...delta, usage: given }, stop];
  const relay = createRelay();
  const report = examineMessagesStream(replay(relay, [toStream(events)]));
  expect(report).toMatchObject({ problems: [], error: null, usage: { output_tokens: 10 } });
  expect(report.stopReason).toBe('end_turn');
});

test('a client that leaves early pays for an estimate of what was sent', () => {
  const relay = createRelay();
  relay.push({ data: JSON.stringify(start) });
  relay.push({ data: JSON.stringify(piece('x'.repeat(40))) });
  expect(relay.usage).toMatchObject({ outputTokens: 10, isEstimated: true });
});

test('deltas and events of any type are forwarded, but for those of the connection or the account', () => {
  const citation = { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta' } };
  const text = replay(createRelay(), [
    toStream([
      { type: 'keepalive', note: 'sk-secret' },
      start,
      open,
      citation,
      { type: 'note', own: { n: 1 } },
      { type: 'rate_limits', left: 'sk-secret' },
      { type: 'warning', error: { message: 'sk-secret' } },
      close,
      delta,
      stop,
    ]),
  ]);
  const next = 'event: note\ndata: {"type":"note","own":{"n":1}}\n\nevent: content_block_stop';
  expect(text).toContain(`"delta":{"type":"citations_delta"}}\n\n${next}`);
  expect(text).not.toContain('sk-secret');
});

test('a start without its fields is completed', () => {
  const bare = { type: 'message_start', message: { model: 'claude' } };
  const report = examineMessagesStream(
    replay(createRelay(), [toStream([bare, open, piece('a'), close, delta, stop])]),
  );
  expect(report).toMatchObject({
    problems: [],
    message: { id: 'msg_own', model: 'claude', role: 'assistant', content: [] },
  });
});

test.each([
  [undefined, 'end_turn'],
  [null, 'end_turn'],
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
  ['pause_turn', 'pause_turn'],
])('a message that ends by %s ends by %s', (received, shown) => {
  const end = { ...delta, delta: { stop_reason: received, stop_sequence: null } };
  const stream = replay(createRelay(), [toStream([start, open, piece('a'), close, end, stop])]);
  const { problems, stopReason } = examineMessagesStream(stream);
  expect([problems, stopReason]).toEqual([[], shown]);
});

test('a stream that lacks only message_stop is complete', () => {
  const report = examineMessagesStream(
    replay(createRelay(), [toStream([start, open, piece('a'), close, delta])]),
  );
  expect(report).toMatchObject({ problems: [], text: 'a', stopReason: 'end_turn' });
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['an end in the middle', toStream([start, open, piece('a')])],
  ['data that is not JSON', `${toStream([start])}data: oops\n\n`],
  [
    'an error event',
    `${toStream([start])}event: error\ndata: {"type":"error","error":{"type":"api_error","message":"acct_7"}}\n\n`,
  ],
])('%s ends in an error event with our own message', (_, stream) => {
  const relay = createRelay();
  const text = replay(relay, [stream]);
  const report = examineMessagesStream(text);
  expect(report).toMatchObject({ problems: [], error: { type: 'api_error' } });
  expect(text).not.toContain('acct_7');
  expect(relay).toMatchObject({ isDone: true, failure: { status: 502 } });
});

test('an overloaded upstream is told as such', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const report = examineMessagesStream(replay(createRelay(), [toStream([start, error])]));
  expect(report.error).toMatchObject({ type: 'overloaded_error' });
});

test.each<[string, { type: string }[]]>([
  ['before it begins', []],
  ['before any text', [start]],
  ['within a block', [start, open, piece('Hello')]],
  ['between blocks', [start, open, piece('Hello'), close]],
  ['before its end', [start, open, piece('Hello'), close, delta]],
])('a stream that the budget ends %s is valid', (_, events) => {
  const stream = toStream(events);
  const report = examineMessagesStream(endedByLength(createRelay(), `${stream} `, stream.length));
  expect(report.problems).toEqual([]);
  if (!events.includes(delta)) expect(report.stopReason).toBe('max_tokens');
});
