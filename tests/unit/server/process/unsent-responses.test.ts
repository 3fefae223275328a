import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepUnsentResponses } from '#lib/server/process/unsent-responses.ts';

const body = Buffer.alloc(32 * 1024 * 1024, 'a');

test('a response that a slow client has not received yet is not cut when the server closes', async () => {
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  keepUnsentResponses(server);
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
