import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepConnectionsInUse } from '#lib/server/process/shutdown.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';

const body = Buffer.alloc(32 * 1024 * 1024, 'a');

/** The server's clock, which judges how long a connection has been idle. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => void vi.useRealTimers();
});

/** A server that shuts down as ours do, and a connection to it. */
async function start(listener: RequestListener) {
  const server = createServer(listener);
  keepConnectionsInUse(server);
  const { port } = await listenOnLoopback(server);
  return { server, client: connect(port, '127.0.0.1') };
}

/** Closes what is idle again and again, as at a shutdown, until both are closed. */
async function untilClosed(server: Server, client: Socket): Promise<void> {
  const closed = Promise.all([once(server, 'close'), once(client, 'close')]);
  server.close();
  const sweep = setInterval(() => {
    vi.advanceTimersByTime(1_000);
    server.closeIdleConnections();
  }, 10);
  await closed;
  clearInterval(sweep);
}

test('a response that a slow client has not received yet is not cut when the server closes', async () => {
  const { server, client } = await start((_, response) => response.end(body));
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  // The response is finished as far as Node is concerned, and was long ago.
  await once(server, 'request');
  vi.advanceTimersByTime(1_000);
  let received = 0;
  const closed = untilClosed(server, client);
  server.closeIdleConnections();
  client.on('data', (chunk) => {
    received += chunk.length;
  });
  await closed;
  expect(received).toBeGreaterThan(body.length);
});

test('a proxy that reuses a connection of a moment ago gets its response, and is told to close it', async () => {
  const { server, client } = await start((_, response) => response.end('ok'));
  client.setEncoding('utf8');
  const send = async (): Promise<string> => {
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    return (await once(client, 'data'))[0];
  };
  expect(await send()).toMatch(/connection: keep-alive/i);
  server.close();
  server.closeIdleConnections();
  expect(await send()).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  await once(client, 'close');
});

test('a connection without a request does not keep the server from closing', async () => {
  const { server, client } = await start((_, response) => response.end('ok'));
  await once(client, 'connect');
  await untilClosed(server, client);
});
