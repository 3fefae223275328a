import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { chargeForFailure } from '#lib/ai-proxy/pipeline/charge-for-failure.ts';
import { toTimeoutError, toUpstreamError } from '#lib/ai-proxy/upstreams/errors/failure.ts';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
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
  await vi.waitFor(() => expect(server.records).toHaveLength(1));
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
