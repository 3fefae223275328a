import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { nativeModel, startRawProxy } from '../../support/servers/raw-proxy.ts';

/** Counting a prompt’s tokens where a server of Messages has no endpoint for it. */

type RawProxy = Awaited<ReturnType<typeof startRawProxy>>;

const prompt = { messages: [{ role: 'user' as const, content: 'word '.repeat(100) }] };

async function count({ url, key }: RawProxy, model = nativeModel) {
  const client = new Anthropic({ baseURL: `${url}/proxy`, authToken: key, maxRetries: 0 });
  return client.messages.countTokens({ model, ...prompt });
}

const json = (status: number, body: object) => ({ status, text: JSON.stringify(body) });

test.each([
  ['llama.cpp', json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found' } })],
  ['vLLM', json(404, { detail: 'Not Found' })],
  ['claude-relay-service 731', json(404, { error: { message: 'Invalid URL (POST /v1/…)' } })],
  ['a server without it', { status: 405, text: '' }],
  ['a server that knows but lacks it', { status: 501, text: '' }],
  [
    'a gateway (agentgateway 3254)',
    json(400, { error: { message: "The provided model doesn't support counting tokens." } }),
  ],
])('%s: an estimate, and no further request for an hour', async (_, reply) => {
  await using proxy = await startRawProxy(() => reply);
  for (const { input_tokens: tokens } of [await count(proxy), await count(proxy)]) {
    // 500 bytes of text.
    expect(tokens).toBeGreaterThanOrEqual(100);
    expect(tokens).toBeLessThan(300);
  }
  expect(proxy.requests.map(({ path }) => path)).toEqual(['/messages/count_tokens']);
});

test('what a server counts is its count', async () => {
  await using proxy = await startRawProxy(() => '{"input_tokens":7}');
  expect(await count(proxy)).toEqual({ input_tokens: 7 });
  expect(proxy.requests).toHaveLength(1);
});

test('a 200 that is no count is an estimate: LM Studio has one for any URL', async () => {
  const text = '{"error":"Unexpected endpoint or method. (POST /v1/messages/count_tokens)"}';
  await using proxy = await startRawProxy(() => text);
  expect((await count(proxy)).input_tokens).toBeGreaterThanOrEqual(100);
});

test('a failure is one, which the client may repeat', async () => {
  await using proxy = await startRawProxy(() =>
    json(529, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }),
  );
  await expect(count(proxy)).rejects.toMatchObject({ status: 503 });
});

test('a model that nobody knows stays unknown', async () => {
  await using proxy = await startRawProxy(() =>
    json(404, { type: 'error', error: { type: 'not_found_error', message: 'model: x' } }),
  );
  await expect(count(proxy, 'made/up')).rejects.toMatchObject({ status: 404 });
});
