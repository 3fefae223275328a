import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createResponse, type ResponseBody, withoutBody } from '#lib/http/response.ts';
import { sendResponse } from '#lib/server/send-response.ts';
import { openFileServer } from '../../support/servers/file-server.ts';

/** A server that responds with this body. */
function startResponding(body: ResponseBody, type = 'text/event-stream') {
  const headers = [['Content-Type', type]] as const;
  return openFileServer(({ method }, outgoing) => {
    const response = createResponse({ status: 200, headers, body });
    void sendResponse(outgoing, method === 'HEAD' ? withoutBody(response) : response);
  });
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
  const { port } = await startResponding(body);
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
  const { port } = await startResponding(body);
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
  const { port } = await startResponding(body);
  const client = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void client.destroy());
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
  const { url } = await startResponding(body);
  body.push('data: 1\n\n');
  const response = await fetch(url);
  body.destroy(new Error('broken'));
  await expect(response.text()).rejects.toThrow('terminated');
});

test.each([
  ['a text', 'ä €'],
  ['bytes', Buffer.from('ä €')],
])('%s arrives with its length, and only that for HEAD', async (_, body) => {
  const { url } = await startResponding(body, 'text/plain; charset=utf-8');
  const responses = await Promise.all(['GET', 'HEAD'].map((method) => fetch(url, { method })));
  for (const { headers } of responses) {
    expect(headers.get('content-length')).toBe('6');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  }
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual(['ä €', '']);
});

test('headers and a text arrive in one packet', async () => {
  const { port } = await startResponding('a'.repeat(1000), 'text/plain');
  const client = connect(port, '127.0.0.1').setEncoding('utf8');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [packet] = await once(client, 'data');
  client.destroy();
  expect(packet).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]+\r\n\r\na{1000}$/);
});

test('a response of a library is sent, too', async () => {
  const { url } = await openFileServer(
    (_, outgoing) => void sendResponse(outgoing, Response.json({ a: 1 }, { status: 201 })),
  );
  const response = await fetch(url);
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ a: 1 });
});
