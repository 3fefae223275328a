import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

const breaker = { failuresMax: 4, openMs: 60_000, openMsMax: 60_000 };
const message = { role: 'assistant', content: 'Hello' };
const reply = { choices: [{ index: 0, message, finish_reason: 'stop' }] };
const json = { 'content-type': 'application/json' };

/** Once it has broken down, its replies fail in the middle; those without a stream are errors in a 200. */
async function startFailing(isStream: boolean) {
  let requests = 0;
  let isBroken = false;
  const upstream = await startRawUpstream((response) => {
    requests += 1;
    if (!isBroken) {
      if (isStream)
        response.writeHead(200, eventStream).end(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
      else response.writeHead(200, json).end(JSON.stringify(reply));
    } else if (isStream) {
      response.writeHead(200, eventStream).write(toChatFrame('Hello'));
      response.end('data: {"error":{"message":"out of memory","code":502}}\n\n');
    } else {
      response.writeHead(200, json).end('{"error":{"message":"out of memory","code":502}}');
    }
  });
  return {
    ...upstream,
    requests: () => requests,
    breakDown() {
      isBroken = true;
    },
  };
}

test('a model that fails with the requests of one key, which is alone with it, works for the next one', async () => {
  let isBroken = true;
  await using upstream = await startRawUpstream((response) => {
    const body = isBroken ? { error: { message: 'out of memory' } } : reply;
    response.writeHead(isBroken ? 500 : 200, json).end(JSON.stringify(body));
  });
  await using server = await startPipelineServer({ ...upstream, breaker });
  const send = async (authorization: string) => {
    const init = toPost(toPrompt('m', false));
    const response = await fetch(server.url, { ...init, headers: { ...json, authorization } });
    await response.text();
    return response.status;
  };
  for (let turn = 0; turn < breaker.failuresMax; turn++) expect(await send('one')).toBe(502);
  expect(await send('one')).toBe(503);

  isBroken = false;
  expect(await send('other')).toBe(200);
});

test.each([
  ['in mid-stream', true],
  ['in a 200', false],
])(
  'errors %s block all keys once two get them, and no key alone while others use the model',
  async (_, isStream) => {
    await using upstream = await startFailing(isStream);
    await using server = await startPipelineServer({ ...upstream, breaker });
    const send = async (authorization: string) => {
      const init = toPost(toPrompt('m', isStream));
      const response = await fetch(server.url, { ...init, headers: { ...json, authorization } });
      await response.text();
      return response.status;
    };
    const failing = isStream ? 200 : 502;

    expect(await send('other')).toBe(200);
    upstream.breakDown();
    for (let turn = 0; turn < 6; turn++) expect(await send('one')).toBe(failing);

    expect(await send('other')).toBe(failing);
    expect([await send('one'), await send('third')]).toEqual([503, 503]);
    expect(upstream.requests()).toBe(8);
  },
);
