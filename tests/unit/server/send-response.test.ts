import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createResponse } from '#lib/http/response.ts';
import { sendResponse } from '#lib/server/send-response.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that responds with this stream. */
async function startStreaming(body: Readable): Promise<{ port: number }> {
  const headers = [['Content-Type', 'text/event-stream']] as const;
  const server = createServer(
    (_, outgoing) => void sendResponse(outgoing, createResponse({ status: 200, headers, body })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => void server.close().closeAllConnections());
  return { port: (server.address() as AddressInfo).port };
}

/** A stream that never ends, and how much of it was read. */
function createEndless() {
  const chunk = Buffer.alloc(16 * 1024, 'a');
  const read = { bytes: 0 };
  const body = new Readable({
    read() {
      read.bytes += chunk.length;
      setImmediate(() => this.push(chunk));
    },
  });
  return { body, read };
}

test('a stream arrives complete, and its headers before its first part', async () => {
  const body = new Readable({ read() {} });
  const { port } = await startStreaming(body);
  const client = connect(port, '127.0.0.1').setEncoding('utf8');
  client.write('GET / HTTP/1.0\r\n\r\n');
  const [head] = await once(client, 'data');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\n/);

  let text = '';
  client.on('data', (part: string) => {
    text += part;
  });
  body.push('data: 1\n\n');
  body.push('data: 2\n\n');
  body.push(null);
  await once(client, 'end');
  expect(text).toBe('data: 1\n\ndata: 2\n\n');
});

test('a client that leaves ends the stream', async () => {
  const { body } = createEndless();
  const { port } = await startStreaming(body);
  const client = connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'data');
  const closed = once(body, 'close');
  client.destroy();
  await closed;
  expect(body.destroyed).toBe(true);
});

test('a client that does not read holds back the stream', async () => {
  const { body, read } = createEndless();
  const { port } = await startStreaming(body);
  const client = connect(port, '127.0.0.1').pause();
  stops.push(() => client.destroy());
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  let before = -1;
  await expect
    .poll(
      () => {
        const isHeld = read.bytes > 0 && read.bytes === before;
        before = read.bytes;
        return isHeld;
      },
      { interval: 100 },
    )
    .toBe(true);
});

test('a stream that fails ends the connection, so that it does not look complete', async () => {
  const body = new Readable({ read() {} });
  const { port } = await startStreaming(body);
  body.push('data: 1\n\n');
  const response = await fetch(`http://127.0.0.1:${port}/`);
  body.destroy(new Error('broken'));
  await expect(response.text()).rejects.toThrow('terminated');
});
