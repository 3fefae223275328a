import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { channels, type GenerationDone } from '#lib/telemetry/channels.ts';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

test('a silent stream has comments as heartbeat, and only between frames', async () => {
  await using upstream = await startRawUpstream(async (response) => {
    response.writeHead(200, eventStream).flushHeaders();
    await delay(150);
    const [first = '', second = ''] = toChatFrame('Hello').split('Hel');
    response.write(`${first}Hel`);
    await delay(150);
    response.end(`${second}${toChatFrame('', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  const frames = (await response.text()).split('\n\n');

  const comments = frames.filter((frame) => frame === ': ');
  expect(comments.length).toBeGreaterThan(0);
  expect(frames.filter((frame) => frame.startsWith('data: '))).toHaveLength(3);
  expect(frames.every((frame) => frame === '' || /^(: $|data: )/.test(frame))).toBe(true);
});

test('nothing is written after the end', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream);
    response.end(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 5 });

  const text = await (await fetch(server.url, toPost(toPrompt('m', true)))).text();
  await delay(50);

  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect(server.log.lines).toEqual([]);
});

test('a stream whose upstream has not responded is opened with a comment', async () => {
  await using upstream = await startRawUpstream(async (response) => {
    await delay(150);
    response.writeHead(200, eventStream);
    response.end(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
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
  await using upstream = await startRawUpstream(async (response) => {
    await delay(100);
    response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  const text = await response.text();

  expect(response.status).toBe(200);
  expect(text).toMatch(/^: \n\n/);
  expect(text).toMatch(/data: \{"error":\{.*"upstream_error"\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(server.records[0]).toMatchObject({ status: 200, tokensIn: 0, tokensOut: 0 });
  expect(server.reservations.open).toBe(0);
  expect(errors).toEqual(['stream_failed']);
});
