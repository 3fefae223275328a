import { expect, onTestFinished, test } from 'vitest';
import { channels, type GenerationDone } from '#lib/telemetry/channels.ts';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

test('a silent stream has comments as heartbeat, and only between frames', async () => {
  let text = '';
  const comments = () => text.split('\n\n').filter((frame) => frame === ': ').length;
  await using upstream = await startRawUpstream(async (response) => {
    response.writeHead(200, eventStream).flushHeaders();
    await expect.poll(comments).toBeGreaterThan(0);
    const [first = '', second = ''] = toChatFrame('Hello').split('Hel');
    response.write(`${first}Hel`);
    const before = comments();
    await expect.poll(comments).toBeGreaterThan(before + 1);
    response.end(`${second}${toChatFrame('', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    text += piece;
  const frames = text.split('\n\n');

  expect(frames.filter((frame) => frame.startsWith('data: '))).toHaveLength(3);
  expect(frames.every((frame) => frame === '' || /^(: $|data: )/.test(frame))).toBe(true);
});

test('nothing is written after the end', async () => {
  await using upstream = await startRawUpstream((response) => {
    if (upstream.seen.requests > 1) return;
    response.writeHead(200, eventStream);
    response.end(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 5 });

  const text = await (await fetch(server.url, toPost(toPrompt('m', true)))).text();
  // A later stream has its heartbeat by now, so the first one would have had another.
  await (await fetch(server.url, toPost(toPrompt('m', true)))).body?.cancel();

  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect(server.log.lines).toEqual([]);
});

test('a stream whose upstream has not responded is opened with a comment', async () => {
  const opened = Promise.withResolvers<void>();
  await using upstream = await startRawUpstream(async (response) => {
    await opened.promise;
    response.writeHead(200, eventStream);
    response.end(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  opened.resolve();
  const text = await response.text();

  expect(text).toMatch(/^: \n\n/);
  expect(text).toMatch(/"content":"Hello".*data: \[DONE\]\n\n$/s);
  expect(server.records[0]).toMatchObject({ status: 200, tokensOut: 2 });
});

test('what fails after the first comment is told in the stream, and is no success in metrics', async () => {
  const errors: (string | null)[] = [];
  const note = ({ error }: GenerationDone) => void errors.push(error);
  channels.generationDone.subscribe(note);
  onTestFinished(() => channels.generationDone.unsubscribe(note));
  const opened = Promise.withResolvers<void>();
  await using upstream = await startRawUpstream(async (response) => {
    await opened.promise;
    response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  opened.resolve();
  const text = await response.text();

  expect(response.status).toBe(200);
  expect(text).toMatch(/^: \n\n/);
  expect(text).toMatch(/data: \{"error":\{.*"upstream_error"\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(server.records[0]).toMatchObject({ status: 200, tokensIn: 0, tokensOut: 0 });
  expect(server.reservations.open).toBe(0);
  expect(errors).toEqual(['stream_failed']);
});
