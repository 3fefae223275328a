import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import { startCountingUpstream } from '../../../support/upstreams/counting-upstream.ts';

// ASVS 15.2.2
test('while the server is overloaded, requests are a 503 before anything is done for them', async () => {
  let isOverloaded = true;
  await using upstream = await startCountingUpstream({ replyTokens: 5 });
  await using server = await startPipelineServer({ ...upstream, isOverloaded: () => isOverloaded });
  const send = () => fetch(server.url, toPost(toPrompt('m', false)));

  const response = await send();

  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect((await response.json()).error).toMatchObject({
    type: 'server_error',
    code: 'server_is_overloaded',
    param: null,
  });
  expect(server.records).toEqual([]);
  expect(upstream.requests).toEqual([]);

  isOverloaded = false;
  expect((await send()).status).toBe(200);
});
