import { expect, test } from 'vitest';
import { readEmbeddingsRequest } from '#lib/ai-proxy/protocols/embeddings/embeddings.ts';
import { thrownBy } from '../../../../support/upstreams/proxy-errors.ts';

const read = (fields: object) =>
  readEmbeddingsRequest({ model: 'maker/embed-1', input: 'Hello', ...fields });

test.each<[string, unknown, number, number]>([
  ['a text', 'x'.repeat(40), 1, 10],
  ['texts', ['x'.repeat(40), 'x'.repeat(8)], 2, 12],
  ['tokens', [1, 2, 3, 4, 5], 1, 5],
  ['arrays of tokens', [[1, 2, 3], [4]], 2, 4],
  ['a text and a picture', [{ content: [{ type: 'text', text: 'x'.repeat(36) }] }], 1, 10],
])('%s are accepted and counted', (_, input, inputCount, promptTokensEstimate) => {
  expect(read({ input })).toMatchObject({ inputCount, promptTokensEstimate });
});

test('fields that are not known are passed on', () => {
  const fields = { dimensions: 8, encoding_format: 'base64', input_type: 'query', provider: {} };
  const { sent, encodingFormat } = read(fields);
  expect(sent).toEqual({ model: 'maker/embed-1', input: 'Hello', ...fields });
  expect(encodingFormat).toBe('base64');
});

test.each<[string, object]>([
  ['model', { model: undefined }],
  ['model', { model: 'a b' }],
  ['input', { input: undefined }],
  ['input', { input: null }],
  ['input', { input: 7 }],
  ['input', { input: '' }],
  ['input', { input: [] }],
  ['input', { input: {} }],
  ['input', { input: Array(2049).fill('x') }],
  ['input[1]', { input: ['x', ''] }],
  ['input[1]', { input: ['x', 7] }],
  ['input[1]', { input: [1, 2.5] }],
  ['input[1]', { input: [1, 'x'] }],
  ['input[1]', { input: [1, -1] }],
  ['input[0]', { input: [[]] }],
  ['input[0][0]', { input: [['x']] }],
  ['input[0]', { input: [null] }],
  ['dimensions', { dimensions: 0 }],
  ['dimensions', { dimensions: 1.5 }],
  ['encoding_format', { encoding_format: 'hex' }],
  ['user', { user: 7 }],
  ['stream', { stream: true }],
])('%s is named when it is wrong: %j', (param, fields) => {
  expect(thrownBy(() => read(fields))).toMatchObject({
    status: 400,
    param,
    message: expect.stringMatching(/ must be \S/),
  });
});
