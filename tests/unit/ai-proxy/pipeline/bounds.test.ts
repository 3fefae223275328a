import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

const pieceBytes = 64 * 1024;

test('a stream that fails closes the upstream’s request, whatever it still sends', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream).write(toChatFrame('Hello'));
    response.write('data: this is no JSON\n\n');
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', true)));

  expect(await response.text()).toMatch(/"upstream_error"}}\n\ndata: \[DONE\]\n\n$/);
  await expect.poll(() => upstream.open()).toBe(0);
  expect(server.records).toHaveLength(1);
  // Its status was 200 long before: only this line shows the failure.
  expect(server.log.lines).toEqual([
    {
      level: 'warn',
      fields: { code: 'upstream_error', reason: 'garbage', model: 'm' },
      message: 'a reply failed in mid-stream',
    },
  ]);
});

test('an upstream that stays open after the last frame is disconnected', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream).write(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', true)));

  expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
  await expect.poll(() => upstream.open()).toBe(0);
  expect(server.records[0]).toMatchObject({ status: 200 });
});

test('a connection is reused after a stream that ended well', async () => {
  const ports = new Set<unknown>();
  await using upstream = await startRawUpstream((response, request) => {
    ports.add(request.socket.remotePort);
    response.writeHead(200, eventStream).write(`${toChatFrame('Hello', 'stop')}data: [DONE]\n\n`);
    setImmediate(() => response.end());
  });
  await using server = await startPipelineServer(upstream);

  for (let round = 0; round < 5; round++) {
    await (await fetch(server.url, toPost(toPrompt('m', true)))).text();
    await expect.poll(() => server.openCalls()).toBe(0);
  }

  expect(ports.size).toBe(1);
});

test.each([
  ['JSON in place of a stream', 'application/json', '{"id":"'],
  ['one frame of a stream', 'text/event-stream', 'data: {"id":"'],
])(
  'an upstream that sends a gigabyte of %s is disconnected early',
  async (_, contentType, start) => {
    let sent = 0;
    await using upstream = await startRawUpstream((response) => {
      const piece = Buffer.alloc(pieceBytes, 'x');
      const more = () => {
        while (sent < 1024 ** 3 && !response.destroyed) {
          sent += pieceBytes;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      response.writeHead(200, { 'content-type': contentType }).write(start);
      more();
    });
    await using server = await startPipelineServer(upstream);

    const response = await fetch(server.url, toPost(toPrompt('m', true)));

    expect(await response.text()).toContain('"upstream_error"');
    await expect.poll(() => upstream.open()).toBe(0);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    // Nobody knows what it has cost.
    expect(server.records).toMatchObject([{ status: 502, isEstimated: true }]);
  },
);

const responsesStart = [
  { type: 'response.created', response: { id: 'resp_1' } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
  },
].map(toFrame);
const responsesDelta = toFrame({
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  item_id: 'msg_1',
  delta: 'y'.repeat(pieceBytes),
});
const responsesItem = toFrame({
  type: 'response.output_item.added',
  output_index: 0,
  item: { type: 'message', id: 'msg_1', text: 'y'.repeat(pieceBytes) },
});

/** A request whose own bound no reply of these tests exceeds. */
function toUnbounded(): string {
  return JSON.stringify({
    ...JSON.parse(toPrompt('m', true)),
    max_tokens: 900_000_000,
    max_output_tokens: 900_000_000,
  });
}

function toFrame(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

test.each([
  ['translated', 'translated', '', toChatFrame('y'.repeat(pieceBytes)), 200],
  ['passed on', 'responses', responsesStart.join(''), responsesDelta, 200],
  // No text of a reply came, so the client gets a status.
  ['of items alone', 'responses', responsesStart.join(''), responsesItem, 502],
] as const)('an endless reply is bounded: %s', async (_, style, start, frame, status) => {
  await using upstream = await startRawUpstream((response) => {
    const more = () => {
      while (!response.destroyed && response.write(frame));
      response.once('drain', more);
    };
    response.writeHead(200, eventStream).write(start);
    more();
  });
  await using server = await startPipelineServer({ ...upstream, style });

  const response = await fetch(server.url, toPost(toUnbounded()));
  let last = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    last = (last + Buffer.from(chunk).toString('latin1')).slice(-400);
  }

  expect(response.status).toBe(status);
  expect(last).toMatch(status === 200 ? /data: \[DONE\]\n\n$/ : /"upstream_error"/);
  expect(length).toBeLessThan(256 * 1024 * 1024);
  await expect.poll(() => upstream.open()).toBe(0);
  expect(server.records[0]).toMatchObject({ status, isEstimated: true });
});

test('a client that does not read pauses the upstream', async () => {
  let sent = 0;
  const frame = toChatFrame('z'.repeat(1000));
  await using upstream = await startRawUpstream((response) => {
    const more = () => {
      while (sent < 256 * 1024 * 1024 && !response.destroyed) {
        sent += frame.length;
        if (!response.write(frame)) {
          response.once('drain', more);
          return;
        }
      }
    };
    response.writeHead(200, eventStream);
    more();
  });
  await using server = await startPipelineServer(upstream);
  const left = new AbortController();
  const response = await fetch(server.url, { ...toPost(toUnbounded()), signal: left.signal });

  let before = -1;
  const isStill = () => {
    const last = before;
    before = sent;
    return sent === last;
  };
  await expect.poll(isStill, { interval: 200 }).toBe(true);

  // The capacity of both connections’ sockets and the buffers in between.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
  expect(response.status).toBe(200);
  left.abort();
  await expect.poll(() => server.records).toHaveLength(1);
});
