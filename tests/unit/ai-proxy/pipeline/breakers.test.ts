import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

const breaker = { failuresMax: 4, openMs: 60_000, openMsMax: 60_000 };
const json = { 'content-type': 'application/json' };

/** Its replies fail in the middle; those without a stream are errors in a 200. */
async function startFailing(isStream: boolean) {
  let requests = 0;
  const upstream = await startRawUpstream((response) => {
    requests += 1;
    if (isStream) {
      response.writeHead(200, eventStream).write(toChatFrame('Hello'));
      response.end('data: {"error":{"message":"out of memory","code":502}}\n\n');
    } else {
      response.writeHead(200, json).end('{"error":{"message":"out of memory","code":502}}');
    }
  });
  return { ...upstream, requests: () => requests };
}

test.each([
  ['in mid-stream', true],
  ['in a 200', false],
])(
  'errors %s block the key that gets them alone, and all keys once two get them',
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

    for (let turn = 0; turn < 4; turn++) expect(await send('one')).toBe(failing);
    expect(await send('one')).toBe(503);
    expect(upstream.requests()).toBe(4);

    expect([await send('other'), await send('other')]).toEqual([failing, failing]);
    expect(await send('third')).toBe(503);
    expect(upstream.requests()).toBe(6);
  },
);
