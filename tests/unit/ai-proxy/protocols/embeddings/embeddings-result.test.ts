import { expect, test } from 'vitest';
import {
  type EmbeddingsRequest,
  readEmbeddingsRequest,
  readEmbeddingsResult,
} from '#lib/ai-proxy/protocols/embeddings/embeddings.ts';
import { failureOf, resultOf } from '../../../../support/upstreams/result-of.ts';

const request = {
  ...readEmbeddingsRequest({ model: 'maker/embed-1', input: 'Hello' }),
  promptTokensEstimate: 9,
};
const read = (body: unknown, changes: Partial<EmbeddingsRequest> = {}) =>
  readEmbeddingsResult(JSON.stringify(body), { ...request, ...changes });
const readWell = (...given: Parameters<typeof read>) => resultOf(read(...given));

/** 1 and -2 as little-endian floats. */
const base64 = 'AACAPwAAAMA=';

test('a complete result is passed on with its usage', () => {
  const body = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [1, -2] }],
    model: 'embed-1-2026',
    usage: { prompt_tokens: 3, total_tokens: 3, cost: 0.1 },
    provider: 'Somewhere',
  };
  const { result, usage } = readWell(body);
  expect(result).toEqual(body);
  expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 0, isEstimated: false });
});

test('a total alone counts once', () => {
  const { result, usage } = readWell({ data: [{ embedding: [1] }], usage: { total_tokens: 3 } });
  expect(result.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 0, isEstimated: false });
});

test('missing fields are added, and missing usage is estimated', () => {
  const { result, usage } = readWell({ data: [{ embedding: [1] }] });
  expect(result).toEqual({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [1] }],
    model: 'maker/embed-1',
    usage: { prompt_tokens: 9, total_tokens: 9 },
  });
  expect(usage).toMatchObject({ inputTokens: 9, isEstimated: true });
});

test('vectors come in the encoding that the client requested, whatever the upstream sends', () => {
  const vectorOf = (embedding: unknown, encodingFormat: 'float' | 'base64') =>
    readWell({ data: [{ embedding }] }, { encodingFormat }).result.data;
  const item = { object: 'embedding', index: 0 };
  expect(vectorOf([1, -2], 'base64')).toEqual([{ ...item, embedding: base64 }]);
  expect(vectorOf(base64, 'float')).toEqual([{ ...item, embedding: [1, -2] }]);
  expect(vectorOf(base64, 'base64')).toEqual([{ ...item, embedding: base64 }]);
  // llama-cpp-python 1588
  expect(vectorOf([[1, -2]], 'base64')).toEqual([{ ...item, embedding: base64 }]);
  expect(vectorOf([[1, -2]], 'float')).toEqual([{ ...item, embedding: [1, -2] }]);
});

// pydantic-ai 7284, graphiti PR 1732
test('vectors come in the order of the inputs, which clients do not sort', () => {
  const data = [2, 1, 0].map((index) => ({ index, embedding: [index] }));
  expect(readWell({ data }, { inputCount: 3 }).result.data).toEqual(
    [0, 1, 2].map((index) => ({ object: 'embedding', index, embedding: [index] })),
  );
});

test.each([
  ['comes twice', [0, 0]],
  ['is missing', [0, undefined]],
  ['is beyond the inputs', [1, 2]],
  ['is no number', ['0', '1']],
])('an index that %s is an error, since a text would get the vector of another', (_, indexes) => {
  const data = indexes.map((index) => ({ index, embedding: [1] }));
  expect(failureOf(read({ data }, { inputCount: 2 }))).toMatchObject({ error: { status: 502 } });
});

test.each<[string, unknown, number]>([
  ['an error in a 200', { error: { code: 429, message: 'x' } }, 429],
  ['no data', {}, 502],
  ['a vector too few', { data: [] }, 502],
  ['a vector too many', { data: [{ embedding: [1] }, { embedding: [1] }] }, 502],
  ['a vector of texts', { data: [{ embedding: ['x'] }] }, 502],
  ['no vector', { data: [{}] }, 502],
  ['a vector for each token', { data: [{ embedding: [[1], [2]] }] }, 502],
  ['half a number', { data: [{ embedding: 'AAA=' }] }, 502],
  ['null for an item', { data: [null] }, 502],
])('%s is an error', (_, body, status) => {
  expect(failureOf(read(body))).toMatchObject({ error: { status } });
});

test('text that is not JSON is an error', () => {
  expect(failureOf(readEmbeddingsResult('<html>', request))).toMatchObject({
    error: { status: 502 },
  });
});
