import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReplyEvents } from '#lib/site/playground/reply-event.ts';
import { anyText } from '../../../support/factories/any-text.ts';

const read = (event: unknown) => readReplyEvents(JSON.stringify(event));

test('text is read from both protocols', () => {
  const text = [{ kind: 'text', text: 'Orion' }];
  expect(read({ type: 'response.output_text.delta', delta: 'Orion' })).toEqual(text);
  expect(read({ choices: [{ index: 0, delta: { content: 'Orion' } }] })).toEqual(text);
});

test('a refusal is text too', () => {
  const text = [{ kind: 'text', text: 'No.' }];
  expect(read({ type: 'response.refusal.delta', delta: 'No.' })).toEqual(text);
  expect(read({ choices: [{ delta: { refusal: 'No.', content: null } }] })).toEqual(text);
});

test('tokens are read from both protocols', () => {
  const usage = [{ kind: 'usage', usage: { tokensIn: 5, tokensOut: 7 } }];
  expect(
    read({
      type: 'response.completed',
      response: { usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
    }),
  ).toEqual(usage);
  expect(read({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } })).toEqual(usage);
});

test('a truncated reply has its reason, the same in both protocols', () => {
  const cut = { kind: 'cut', reason: 'max_output_tokens' };
  expect(
    read({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage: null },
    }),
  ).toEqual([cut]);
  expect(read({ choices: [{ delta: {}, finish_reason: 'length' }] })).toEqual([cut]);
  expect(read({ choices: [{ delta: {}, finish_reason: 'stop' }] })).toEqual([]);
});

test('an error in mid-stream is read from both protocols', () => {
  const failed = [
    { kind: 'failed', error: { status: 200, code: 'upstream_error', message: 'It broke.' } },
  ];
  const error = { message: 'It broke.', type: 'server_error', param: null, code: 'upstream_error' };
  expect(read({ error })).toEqual(failed);
  expect(read({ type: 'error', sequence_number: 4, error })).toEqual(failed);
  expect(read({ type: 'response.failed', response: { error } })).toEqual(failed);
});

test('the end is recognized, and unknown events are ignored', () => {
  expect(readReplyEvents('[DONE]')).toEqual([{ kind: 'ended' }]);
  for (const data of [
    '',
    'null',
    '[]',
    '7',
    '{',
    '{"type":"response.created"}',
    '{"choices":{}}',
  ]) {
    expect(readReplyEvents(data)).toEqual([]);
  }
});

test('no event makes it throw', () => {
  fc.assert(fc.property(fc.json(), (json) => Array.isArray(readReplyEvents(json))));
  fc.assert(fc.property(anyText(), (text) => Array.isArray(readReplyEvents(text))));
});
