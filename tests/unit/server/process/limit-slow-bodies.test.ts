import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitSlowBodies } from '#lib/server/process/limit-slow-bodies.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { createTestLog } from '../../../support/test-log.ts';

/** A server that reads bodies to their end, behind a proxy. */
async function startServer() {
  const log = createTestLog();
  const server = createServer(async (incoming, outgoing) => {
    incoming.on('error', () => {});
    incoming.resume().once('end', () => outgoing.end('read'));
  });
  limitSlowBodies(server, { log, trustedHops: 1, slowMs: 20 });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return {
    log,
    /** Sends the beginning of a body. */
    post(client: string) {
      const socket = connect(port, '127.0.0.1');
      const state = { isClosed: false, text: '' };
      socket.on('error', () => {});
      socket.on('close', () => {
        state.isClosed = true;
      });
      socket.setEncoding('utf8').on('data', (part: string) => {
        state.text += part;
      });
      const head = `POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\nContent-Length: 5\r\n\r\n`;
      socket.write(`${head}abc`);
      return { state, finish: () => void socket.write('de') };
    },
  };
}

test('the slow body of a client that has 32 already is cut; those of others, and quick ones, are read', async () => {
  const { log, post } = await startServer();
  const greedy = Array.from({ length: 40 }, () => post('203.0.113.7'));
  const countClosed = () => greedy.filter(({ state }) => state.isClosed).length;
  await expect.poll(countClosed).toBe(8);
  const other = post('203.0.113.8');
  const quick = post('203.0.113.7');
  quick.finish();
  await expect.poll(() => quick.state.text).toContain('read');
  expect(log.lines).toHaveLength(8);
  expect(log.lines[0]).toMatchObject({
    level: 'warn',
    fields: { reason: 'slow_bodies', client: '203.0.113.0/24' },
  });
  // A body that ends makes room for another.
  const open = greedy.filter(({ state }) => !state.isClosed);
  expect(open).toHaveLength(32);
  open[0]?.finish();
  await expect.poll(() => open[0]?.state.text).toContain('read');
  const next = post('203.0.113.7');
  const late = post('203.0.113.7');
  await expect.poll(() => [next, late].filter(({ state }) => state.isClosed).length).toBe(1);
  other.finish();
  await expect.poll(() => other.state.text).toContain('read');
});
