import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';
import { waitFor } from '../../../support/wait-for.ts';

test('a client that disconnects in mid-stream ends the upstream’s request, and is charged an estimate', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream).write(toChatFrame('One two three four.'));
  });
  await using server = await startPipelineServer(upstream);
  const left = new AbortController();
  const response = await fetch(server.url, {
    ...toPost(toPrompt('m', true)),
    signal: left.signal,
  });
  await response.body?.getReader().read();

  left.abort();

  await expect.poll(() => upstream.open()).toBe(0);
  await expect.poll(() => server.records).toHaveLength(1);
  const [record] = server.records;
  expect(record).toMatchObject({ status: 499, isStreamed: true, isEstimated: true });
  expect(record?.tokensOut).toBe(5);
  expect(server.reservations).toEqual({ open: 0, tokens: (record?.tokensIn ?? 0) + 5 });
});

test('a client that disconnects before the headers of a stream ends the upstream’s request', async () => {
  await using upstream = await startRawUpstream(() => {});
  await using server = await startPipelineServer(upstream);
  const { leave, response } = startRequest(server.url, true);
  await expect.poll(() => upstream.open()).toBe(1);

  leave();

  expect(await response).toBe('left');
  await expect.poll(() => upstream.open()).toBe(0);
  await expect.poll(() => server.records).toHaveLength(1);
  const [record] = server.records;
  expect(record).toMatchObject({ status: 499, isStreamed: true, tokensOut: 0, isEstimated: true });
  expect(record?.tokensIn).toBeGreaterThan(0);
  expect(server.reservations.open).toBe(0);
});

test('a client that leaves a JSON request does not end the call: it is charged what was reported', async () => {
  const usage = { prompt_tokens: 3000, completion_tokens: 2000 };
  const message = { role: 'assistant', content: 'Hello' };
  const finish = Promise.withResolvers<void>();
  await using upstream = await startRawUpstream(async (response) => {
    if (upstream.seen.requests === 1) await finish.promise;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
  });
  await using server = await startPipelineServer(upstream);
  const { leave, response } = startRequest(server.url, false);
  await expect.poll(() => upstream.open()).toBe(1);

  leave();

  expect(await response).toBe('left');
  await expect.poll(() => server.disconnects()).toBe(1);
  await (await fetch(server.url, toPost(toPrompt('m', false)))).text();
  // It keeps its reservation and its slot while another request is served.
  await expect
    .poll(() => [upstream.open(), server.openCalls(), server.reservations.open])
    .toEqual([1, 1, 1]);
  finish.resolve();
  await expect.poll(() => server.records).toHaveLength(2);
  expect(server.records[1]).toMatchObject({
    status: 499,
    tokensIn: 3000,
    tokensOut: 2000,
    isEstimated: false,
  });
  expect(server.reservations).toEqual({ open: 0, tokens: 10_000 });
  expect(server.openCalls()).toBe(0);
});

test.each<[string, (response: ServerResponse) => void, object]>([
  ['never replies', () => {}, { isEstimated: true, tokensOut: 70 }],
  ['breaks off', (response) => response.destroy(), { isEstimated: true, tokensOut: 70 }],
  [
    'reports an error',
    (response) => response.writeHead(500).end('{}'),
    { tokensOut: 0, tokensIn: 0 },
  ],
])(
  'a JSON request whose client has left and whose upstream %s is charged accordingly',
  async (_, respond, expected) => {
    const left = Promise.withResolvers<void>();
    await using upstream = await startRawUpstream(async (response) => {
      await left.promise;
      respond(response);
    });
    await using server = await startPipelineServer({ ...upstream, backgroundMs: 300 });
    const { leave } = startRequest(server.url, false, { max_tokens: 70 });
    await expect.poll(() => upstream.open()).toBe(1);

    leave();
    await expect.poll(() => server.disconnects()).toBe(1);
    left.resolve();

    await expect.poll(() => server.records).toHaveLength(1);
    expect(server.records[0]).toMatchObject({ status: 499, ...expected });
    expect(server.reservations.open).toBe(0);
    await expect.poll(() => upstream.open()).toBe(0);
  },
);

test('a hundred calls go on without their clients; one more is closed and charged what it has reserved', async () => {
  await using upstream = await startRawUpstream(() => {});
  await using server = await startPipelineServer(upstream);
  const requests = Array.from({ length: 101 }, () =>
    startRequest(server.url, false, { max_tokens: 70 }),
  );
  await expect.poll(() => upstream.open()).toBe(101);

  for (const { leave } of requests) leave();

  await expect.poll(() => server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ status: 499, tokensOut: 70, isEstimated: true });
  await expect.poll(() => upstream.open()).toBe(100);
  // As at SIGTERM: what still runs is charged what it has reserved.
  server.closeBackground();
  expect(server.records).toHaveLength(101);
  expect(server.records.every(({ tokensOut }) => tokensOut === 70)).toBe(true);
  expect(server.reservations.open).toBe(0);
  await expect.poll(() => upstream.open()).toBe(0);
});

test('who leaves a hundred calls closes none of others', async () => {
  await using upstream = await startRawUpstream(() => {});
  await using server = await startPipelineServer(upstream);
  const leaveAll = async (count: number, key: string, tokens: number) => {
    const { open } = server.reservations;
    const requests = Array.from({ length: count }, () =>
      startRequest(server.url, false, { max_tokens: tokens }, key),
    );
    await expect.poll(() => server.reservations.open).toBe(open + count);
    await expect.poll(() => upstream.open()).toBe(open + count);
    for (const { leave } of requests) leave();
    await Promise.all(requests.map(({ response }) => response));
  };

  await leaveAll(100, 'key_of_many', 70);
  await leaveAll(1, 'key_of_another', 900);

  await expect.poll(() => server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ keyId: 'key_of_many', tokensOut: 70 });
  expect(server.reservations.open).toBe(100);
});

test('a pipelined request ends when its connection does', async () => {
  await using upstream = await startRawUpstream(() => {});
  await using server = await startPipelineServer(upstream);
  const body = toPrompt('m', true);
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1');
  socket.write((head + body).repeat(3));
  await expect.poll(() => upstream.open()).toBe(3);

  socket.destroy();

  await expect.poll(() => upstream.open()).toBe(0);
  await expect.poll(() => server.records).toHaveLength(3);
  expect(server.records.map(({ status }) => status)).toEqual([499, 499, 499]);
  expect(server.reservations.open).toBe(0);
});

test('a client that disconnects during the upload is counted as a rejection', async () => {
  await using upstream = await startRawUpstream(() => {});
  await using server = await startPipelineServer(upstream);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n{"mod',
  );
  // The 100, which the body is read after.
  await once(socket, 'data');

  socket.destroy();

  await expect.poll(() => server.rejections).toHaveLength(1);
  expect(server.rejections[0]).toMatchObject({ keyId: 'key_of_the_test', status: 499 });
  expect(server.records).toEqual([]);
  expect(upstream.seen.requests).toBe(0);
});

test('a client that disconnects before the upstream call is not charged, and no call is made', async () => {
  await using upstream = await startRawUpstream(() => {});
  const left = new AbortController();
  await using server = await startPipelineServer({
    ...upstream,
    async onRequire() {
      left.abort();
      await waitFor(() => expect(server.disconnects()).toBe(1));
    },
  });

  await fetch(server.url, { ...toPost(toPrompt('m', true)), signal: left.signal }).catch(() => {});

  await expect.poll(() => server.rejections).toHaveLength(1);
  expect(server.rejections[0]).toMatchObject({ keyId: 'key_of_the_test', status: 499 });
  expect(server.records).toEqual([]);
  expect(upstream.seen.requests).toBe(0);
  expect(server.reservations).toEqual({ open: 0, tokens: 0 });
});

test.each([
  ['a stream', true],
  ['a whole reply', false],
])(
  'a client that disconnects while its request for %s is recorded pays nothing, and no call is made',
  async (_, isStream) => {
    const message = { role: 'assistant', content: 'Hello' };
    await using upstream = await startRawUpstream((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    });
    const left = new AbortController();
    let recorded = 0;
    await using server = await startPipelineServer({
      ...upstream,
      async onRecord() {
        recorded += 1;
        if (recorded === 1) return;
        left.abort();
        await waitFor(() => expect(server.disconnects()).toBe(1));
      },
    });
    // Leaves an open connection to the upstream, by which a call would be sent at once.
    await (await fetch(server.url, toPost(toPrompt('m', false)))).json();

    await fetch(server.url, { ...toPost(toPrompt('m', isStream)), signal: left.signal }).catch(
      () => {},
    );

    await expect.poll(() => server.rejections).toMatchObject([{ status: 499 }]);
    expect(server.records).toHaveLength(1);
    expect(upstream.seen.requests).toBe(1);
    expect(server.reservations.open).toBe(0);
  },
);

test.each([
  ['a stream', true],
  ['a whole reply', false],
])(
  'a client that disconnects before the request for %s was sent pays nothing',
  async (_, isStream) => {
    // It accepts connections, and never answers the TLS handshake.
    const connections: object[] = [];
    const silent = createServer((socket) => connections.push(socket.resume())).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await using server = await startPipelineServer({ url: `https://127.0.0.1:${port}/v1` });
    const left = new AbortController();
    const response = fetch(server.url, {
      ...toPost(toPrompt('m', isStream)),
      signal: left.signal,
    }).catch(() => 'left');
    await expect.poll(() => connections).toHaveLength(1);

    left.abort();

    expect(await response).toBe('left');
    await expect.poll(() => server.records).toHaveLength(1);
    expect(server.records[0]).toMatchObject({ status: 499, tokensIn: 0, tokensOut: 0 });
    expect(server.reservations).toEqual({ open: 0, tokens: 0 });
  },
);

test('five hundred disconnects at once leave nothing open', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream).write(toChatFrame('Hello'));
  });
  await using server = await startPipelineServer(upstream);
  const left = new AbortController();
  const clients = Array.from({ length: 500 }, async () => {
    const { signal } = left;
    const response = await fetch(server.url, { ...toPost(toPrompt('m', true)), signal });
    await response.text();
  });
  const settled = Promise.allSettled(clients);
  await expect.poll(() => upstream.open()).toBe(500);

  left.abort();

  await settled;
  await expect.poll(() => upstream.open()).toBe(0);
  await expect.poll(() => server.records).toHaveLength(500);
  expect(server.reservations.open).toBe(0);
  expect(server.openCalls()).toBe(0);
});

test('a client that disconnects after the last token is charged what the upstream counted', async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const last = `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage })}\n\ndata: [DONE]\n\n`;
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream).end(toChatFrame('Hello', 'stop') + last);
  });
  await using server = await startPipelineServer(upstream);
  const left = new AbortController();
  const response = await fetch(server.url, { ...toPost(toPrompt('m', true)), signal: left.signal });
  await response.text();

  left.abort();

  expect(server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ status: 200, tokensIn: 3, tokensOut: 2 });
  expect(server.reservations).toEqual({ open: 0, tokens: 5 });
});

test.each([
  ['comes within 5 s', true, { tokensIn: 30, tokensOut: 200, isEstimated: false }],
  ['does not come', false, { tokensOut: 2, isEstimated: true }],
])(
  'a client that disconnects after the finish pays the usage, and an estimate if that %s',
  async (_, isReported, expected) => {
    const usage = { prompt_tokens: 30, completion_tokens: 200 };
    let report = () => {};
    await using upstream = await startRawUpstream((response) => {
      response.writeHead(200, eventStream).write(toChatFrame('Hello', 'stop'));
      report = () =>
        response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
    });
    await using server = await startPipelineServer(upstream);
    const left = new AbortController();
    const { signal } = left;
    const response = await fetch(server.url, { ...toPost(toPrompt('m', true)), signal });
    await response.body?.getReader().read();

    left.abort();
    await expect.poll(() => server.disconnects()).toBe(1);
    if (isReported) report();

    await expect.poll(() => server.records).toHaveLength(1);
    expect(server.records[0]).toMatchObject({ status: 499, ...expected });
    await expect.poll(() => upstream.open()).toBe(0);
    expect(server.reservations.open).toBe(0);
  },
);

function startRequest(url: string, isStream: boolean, fields: object = {}, key?: string) {
  const left = new AbortController();
  const body = JSON.stringify({ ...JSON.parse(toPrompt('m', isStream)), ...fields });
  const { headers, ...post } = toPost(body);
  const response = fetch(url, {
    ...post,
    headers: { ...headers, ...(key !== undefined && { authorization: key }) },
    signal: left.signal,
  }).catch(() => 'left');
  return { response, leave: () => left.abort() };
}
