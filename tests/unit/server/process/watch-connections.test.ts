import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections, logUnreadableRequests } from '#lib/server/process/watch-connections.ts';
import { createGroupedLog } from '#lib/telemetry/grouped-log.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { createTestLog } from '../../../support/test-log.ts';

async function startServer(options: { requestTimeout?: number } = {}) {
  const log = createTestLog();
  const server = createServer({ connectionsCheckingInterval: 20, ...options }, (_, response) =>
    response.end('ok'),
  );
  logUnreadableRequests(server, createGroupedLog(log));
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { server, log, connect: () => connect(port, '127.0.0.1') };
}

const message = 'a connection was closed: its request cannot be read';

test.each([
  ['no HTTP', 'PASSWORD hunter2\r\n\r\n', 400, 'HPE_INVALID_METHOD'],
  ['headers of 20 kB', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}`, 431, 'HPE_HEADER_OVERFLOW'],
])('%s gets a status, and leaves a line without its bytes', async (_, sent, status, code) => {
  const { log, connect } = await startServer();
  const socket = connect();
  socket.write(sent);
  expect(await text(socket)).toMatch(`HTTP/1.1 ${status}`);
  expect(log.lines).toEqual([
    { level: 'warn', fields: { reason: 'unreadable_request', code }, message },
  ]);
  expect(log.text()).not.toMatch(/hunter2|aaaa/);
});

test('a request that never ends gets a 408, and leaves a line', async () => {
  const { log, connect } = await startServer({ requestTimeout: 50 });
  const socket = connect();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  expect(await text(socket)).toMatch('HTTP/1.1 408');
  expect(log.lines).toMatchObject([{ fields: { code: 'ERR_HTTP_REQUEST_TIMEOUT' } }]);
});

test('many of them leave one line', async () => {
  const { log, connect } = await startServer();
  const sockets = Array.from({ length: 50 }, connect);
  await Promise.all(
    sockets.map((socket) => {
      socket.write('\x16\x03\x01 TLS on the wrong port');
      return text(socket);
    }),
  );
  expect(log.lines).toHaveLength(1);
});

test('a client that disconnects leaves no line', async () => {
  const { server, log, connect } = await startServer();
  const reached = once(server, 'connection');
  const socket = connect().on('error', () => {});
  socket.write('GET / HT');
  const [connection] = await reached;
  while (connection.bytesRead === 0) await nextTurn();
  const closed = once(connection, 'close').catch(() => {});
  socket.resetAndDestroy();
  await closed;
  expect(connection.errored).toMatchObject({ code: 'ECONNRESET' });
  expect(log.lines).toEqual([]);
});

test('a connection beyond the limit is closed, and leaves a line', async () => {
  const log = createTestLog();
  const server = createServer((_, response) => response.end('ok'));
  limitConnections(server, { log, descriptorsMax: 4 });
  await using listening = await listenOnLoopback(server);
  const { port } = listening;
  for (let count = 0; count < 3; count++) {
    connect(port, '127.0.0.1');
    await once(server, 'connection');
  }
  await once(connect(port, '127.0.0.1').resume(), 'close');
  const fields = { reason: 'connections_full', connectionsMax: 3 };
  expect(log.lines).toEqual([{ level: 'warn', fields, message: 'a connection was dropped' }]);
});
