import { expect, test } from 'vitest';
import { setUpModels, type TestModel } from '../../support/servers/set-up-models.ts';

/** Counting a prompt’s tokens where a server of Messages has no endpoint for it. */

const addModel = setUpModels();
const prompt = { messages: [{ role: 'user' as const, content: 'word '.repeat(100) }] };

const count = (model: TestModel, name = model.name) =>
  model.anthropic().messages.countTokens({ model: name, ...prompt });

const json = (status: number, body: object) => ({ status, body });

test.each([
  ['llama.cpp', json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found' } })],
  ['vLLM', json(404, { detail: 'Not Found' })],
  ['claude-relay-service 731', json(404, { error: { message: 'Invalid URL (POST /v1/…)' } })],
  ['a server without it', { status: 405, body: '' }],
  ['a server that knows but lacks it', { status: 501, body: '' }],
  [
    'a gateway (agentgateway 3254)',
    json(400, { error: { message: "The provided model doesn't support counting tokens." } }),
  ],
])('%s: an estimate, and no further request for an hour', async (_, reply) => {
  const model = addModel('native', () => reply);
  for (const { input_tokens: tokens } of [await count(model), await count(model)]) {
    // 500 bytes of text.
    expect(tokens).toBeGreaterThanOrEqual(100);
    expect(tokens).toBeLessThan(300);
  }
  expect(model.sent.map(({ path }) => path)).toEqual(['/messages/count_tokens']);
});

test('what a server counts is its count', async () => {
  const model = addModel('native', () => '{"input_tokens":7}');
  expect(await count(model)).toEqual({ input_tokens: 7 });
  expect(model.sent).toHaveLength(1);
});

test('a 200 that is no count is an estimate: LM Studio has one for any URL', async () => {
  const text = '{"error":"Unexpected endpoint or method. (POST /v1/messages/count_tokens)"}';
  const model = addModel('native', () => text);
  expect((await count(model)).input_tokens).toBeGreaterThanOrEqual(100);
});

test('a failure is one, which the client may repeat', async () => {
  const model = addModel('native', () =>
    json(529, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }),
  );
  await expect(count(model)).rejects.toMatchObject({ status: 503 });
});

test('a model that nobody knows stays unknown', async () => {
  const model = addModel('native', () => '{"input_tokens":7}');
  await expect(count(model, 'made/up')).rejects.toMatchObject({ status: 404 });
});
