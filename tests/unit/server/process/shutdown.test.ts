import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepConnectionsInUse } from '#lib/server/process/shutdown.ts';

const body = Buffer.alloc(32 * 1024 * 1024, 'a');

test('a response that a slow client has not received yet is not cut when the server closes', async () => {
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  keepConnectionsInUse(server);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  // Its receive buffer is full, and the response is finished as far as Node is concerned.
  await once(server, 'request');
  await delay(50);
  let received = 0;
  const closed = Promise.all([once(server, 'close'), once(client, 'close')]);
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  client.on('data', (chunk) => {
    received += chunk.length;
  });
  await closed;
  clearInterval(sweep);
  expect(received).toBeGreaterThan(body.length);
});

test('a proxy that reuses a connection of a moment ago gets its response, and is told to close it', async () => {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  keepConnectionsInUse(server);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  const send = async (): Promise<string> => {
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    return (await once(client, 'data'))[0];
  };
  expect(await send()).toMatch(/connection: keep-alive/i);
  server.close();
  await delay(50);
  expect(await send()).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  await once(client, 'close');
});

test('a connection without a request does not keep the server from closing', async () => {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  keepConnectionsInUse(server);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  const closed = Promise.all([once(server, 'close'), once(client, 'close')]);
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await closed;
  clearInterval(sweep);
});
