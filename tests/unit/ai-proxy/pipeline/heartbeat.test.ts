import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
    response.end(`${second}${toChatFrame('.', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, heartbeatMs: 20 });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));
  const frames = (await response.text()).split('\n\n');

  const comments = frames.filter((frame) => frame === ': ');
  expect(comments.length).toBeGreaterThan(3);
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
