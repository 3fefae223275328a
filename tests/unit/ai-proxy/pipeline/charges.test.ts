import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readModels } from '#lib/ai-proxy/models/model.ts';
import { chargeForFailure } from '#lib/ai-proxy/pipeline/charge-for-failure.ts';
import type { Generation } from '#lib/ai-proxy/pipeline/generation.ts';
import { requirePrices } from '#lib/ai-proxy/pipeline/require-prices.ts';
import { toTimeoutError, toUpstreamError } from '#lib/ai-proxy/upstreams/errors/failure.ts';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

test('a time-out costs the prompt once the request was sent', () => {
  const error = toTimeoutError('no response in time');
  expect(chargeForFailure({ error, wasSent: true, promptTokensEstimate: 70 })).toMatchObject({
    inputTokens: 70,
    outputTokens: 0,
    isEstimated: true,
  });
  expect(chargeForFailure({ error, wasSent: false, promptTokensEstimate: 70 })).toBeNull();
});

test('an error that the upstream reports costs nothing', () => {
  const error = toUpstreamError('status 500');
  expect(chargeForFailure({ error, wasSent: true, promptTokensEstimate: 70 })).toBeNull();
});

test.each([
  ['a stream', true],
  ['a whole reply', false],
])('a connection that breaks before %s costs the prompt', async (_, isStream) => {
  await using upstream = await startRawUpstream((response) => response.destroy());
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', isStream)));

  expect(response.status).toBe(502);
  expect(server.records[0]).toMatchObject({ status: 502, tokensOut: 0, isEstimated: true });
  expect(server.records[0]?.tokensIn).toBeGreaterThan(0);
  expect(server.reservations).toEqual({ open: 0, tokens: server.records[0]?.tokensIn });
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('an upstream that compresses with %s is understood', async (encoding, compress) => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, { ...eventStream, 'content-encoding': encoding });
    response.end(compress(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`));
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', true)));

  expect(await response.text()).toContain('"content":"Hello"');
  await expect.poll(() => server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ status: 200, tokensOut: 2 });
});

test('a compressed error keeps its meaning', async () => {
  const error = { message: 'too long', code: 'context_length_exceeded' };
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ error })));
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', false)));

  expect(response.status).toBe(400);
  expect(await response.text()).toContain('context_length_exceeded');
});

test.each<[string, object]>([
  ['`models`', { models: ['cheap', 'dear'] }],
  ['`fallbacks`', { fallbacks: [{ cheap: ['dear'] }] }],
])('a model in %s may have replied: the most expensive one is charged', async (_, fields) => {
  const usage = { prompt_tokens: 30, completion_tokens: 2 };
  const message = { role: 'assistant', content: 'Hello' };
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
  });
  await using server = await startPipelineServer({
    ...upstream,
    toCostUsd: (model, tokensIn, tokensOut) => (model === 'dear' ? 9 : 1) * (tokensIn + tokensOut),
  });
  const messages = [{ role: 'user', content: 'Hello' }];

  await fetch(server.url, toPost(JSON.stringify({ model: 'cheap', messages, ...fields })));

  expect(server.records).toMatchObject([{ model: 'cheap', costUsd: 9 * 32, costSource: 'price' }]);
});

test('a fallback without a price cannot be used with a budget in dollars', () => {
  const [model = null] =
    readModels([{ id: 'cheap', pricing: { prompt: '0.001', completion: '0.001' } }]) ?? [];
  const sizes = { promptTokensEstimate: 9, outputTokensMax: 9 } as Generation;
  const priced = [{ name: 'cheap', model }];
  expect(requirePrices(sizes, priced)).toMatchObject({ prompt: 0.001 });
  const error = thrownBy(() => requirePrices(sizes, [...priced, { name: 'dear', model: null }]));
  expect(error).toMatchObject({ status: 403, code: 'model_without_price' });
  expect(error.message).toContain('"dear"');
});
