import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import {
  chatPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';

const path = '/proxy/v1/embeddings';
const model = 'lantern-demo/embed-large';

const proxy = forTests(() => startInProcessProxy());
const open = () => new OpenAI({ apiKey: proxy.key, baseURL: proxy.baseUrl, maxRetries: 0 });

test('OpenAI’s client gets a vector for each text', async () => {
  const { data, usage } = await open().embeddings.create({ model, input: ['one', 'two', 'one'] });
  expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
    [0, 1536],
    [1, 1536],
    [2, 1536],
  ]);
  expect(data[0]?.embedding).toEqual(data[2]?.embedding);
  expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
});

test('tokens are counted, priced and limited', async () => {
  const { text, record } = await proxy.makeKey({ tokensPerDay: 20 });
  const body = { model, input: 'x'.repeat(40) };
  expect((await proxy.post(path, text, body)).status).toBe(200);
  const rejected = await proxy.post(path, text, { model, input: 'x'.repeat(80) });
  expect(rejected.status).toBe(402);
  expect((await rejected.json()).error.code).toBe('insufficient_quota');
  await expect
    .poll(() => proxy.database.usage.sumByDayAndModel(record.id, '2000-01-01'))
    .toMatchObject([
      { model, tokensIn: 10, tokensOut: 0, costUsd: expect.closeTo((10 * 0.12) / 1_000_000, 12) },
    ]);
});

test('a model of the other kind is a 404 that says so', async () => {
  const chat = await proxy.post(path, proxy.key, { model: 'lantern-demo/wick-3', input: 'x' });
  expect(chat.status).toBe(404);
  expect((await chat.json()).error).toMatchObject({
    code: 'model_not_found',
    message: expect.stringContaining('/proxy/v1/embeddings/models'),
  });
  const embedding = await proxy.post(chatPath, proxy.key, toRequestJson(chatPath, model));
  expect(embedding.status).toBe(404);
});

test.each([
  ['500', 502],
  ['429', 429],
  ['html', 502],
  ['broken-json', 502],
  ['cut', 502],
])('an upstream that gives %s is a %s', async (fault, status) => {
  const response = await proxy.post(path, proxy.key, { model: `fault/${fault}`, input: 'x' });
  expect(response.status).toBe(status);
  expect(Object.keys((await response.json()).error)).toEqual(['message', 'type', 'param', 'code']);
});

test('without a key it is a 401, and GET is a 405', async () => {
  const response = await fetch(proxy.url + path, { method: 'POST', body: '{}' });
  expect(response.status).toBe(401);
  expect((await fetch(proxy.url + path)).status).toBe(405);
});

test('a key in the headers api-key and x-api-key works where there is no Authorization', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(proxy.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, input: 'x', dimensions: 2 }),
    });
  expect((await send({ 'api-key': proxy.key })).status).toBe(200);
  expect((await send({ 'x-api-key': proxy.key })).status).toBe(200);
  expect((await send({ 'api-key': 'mq_wrong' })).status).toBe(401);
  expect((await send({ 'api-key': proxy.key, authorization: 'Bearer mq_wrong' })).status).toBe(401);
});

test('OpenAI’s client retrieves one model, with slashes in its id', async () => {
  const retrieved = await open().models.retrieve('lantern-demo/wick-3');
  expect(retrieved).toMatchObject({
    id: 'lantern-demo/wick-3',
    object: 'model',
    owned_by: 'lantern-demo',
    name: 'Lantern Wick 3 (demo)',
  });
  expect((await open().models.retrieve(model)).id).toBe(model);
  const plain = await fetch(`${proxy.url}/proxy/v1/models/lantern-demo/wick-3`);
  expect(plain.headers.get('etag')).toMatch(/^"/);
  expect((await plain.json()).id).toBe('lantern-demo/wick-3');
});

test.each(['lantern-demo/wick-4', 'harbour-demo/tide-large', '%zz', 'a%2Fb', 'a/'])(
  'GET /models/%s is a 404 without a key',
  async (id) => {
    const response = await fetch(`${proxy.url}/proxy/v1/models/${id}`);
    expect([response.status, (await response.json()).error.code]).toEqual([404, 'model_not_found']);
  },
);

test('a variant reaches the upstream under its whole name, and the key’s list has the plain one', async () => {
  const { text } = await proxy.makeKey({ models: ['juniper-demo/open-24b'] });
  const other = await proxy.makeKey({ models: ['lantern-demo/wick-3'] });
  const name = 'lantern-demo/wick-3:nitro';
  const allowed = await proxy.post(chatPath, other.text, toRequestJson(chatPath, name));
  // The demo's models have no variants: its own 404 shows that the request has arrived there.
  expect((await allowed.json()).error.message).toContain('The service behind this model');
  const forbidden = await proxy.post(chatPath, text, toRequestJson(chatPath, name));
  expect(forbidden.status).toBe(403);
});
