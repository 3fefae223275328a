import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

test.each([
  ['a stream', true],
  ['a whole reply', false],
])(
  'a connection that breaks before %s costs what is reserved, as an estimate',
  async (_, isStream) => {
    await using upstream = await startRawUpstream((response) => response.destroy());
    await using server = await startPipelineServer(upstream);

    const response = await fetch(server.url, toPost(toPrompt('m', isStream)));

    expect(response.status).toBe(502);
    expect(server.records[0]).toMatchObject({
      status: 502,
      // Whatever an upstream generates of a stream, it sends.
      tokensOut: isStream ? 0 : 32_768,
      isEstimated: true,
    });
    expect(server.records[0]?.tokensIn).toBeGreaterThan(0);
    const { tokensIn = 0, tokensOut = 0 } = server.records[0] ?? {};
    expect(server.reservations).toEqual({ open: 0, tokens: tokensIn + tokensOut });
  },
);

const reported = { prompt_tokens: 30, completion_tokens: 2 };

test.each([
  ['a stream', true],
  ['a whole reply', false],
])('what is reported beside an error counts for %s', async (_, isStream) => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'out of order' }, usage: reported }));
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', isStream)));

  expect(response.status).toBe(502);
  expect(server.records).toMatchObject([{ tokensIn: 30, tokensOut: 2, isEstimated: false }]);
});

test('what a stream reports before its error counts', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream);
    const frames = [{ choices: [], usage: reported }, { error: { message: 'out of order' } }];
    response.end(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''));
  });
  await using server = await startPipelineServer(upstream);

  await (await fetch(server.url, toPost(toPrompt('m', true)))).text();

  await expect.poll(() => server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ tokensIn: 30, tokensOut: 2, isEstimated: false });
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
