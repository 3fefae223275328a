import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { discardBody } from '#lib/http/read-body.ts';

/** A server that rejects every request without reading its body. */
async function startRejecting(timeoutMs?: number) {
  const pieces: number[] = [];
  let requests = 0;
  const server = createServer(async (incoming, outgoing) => {
    const number = requests++;
    incoming.on('newListener', (name) => {
      if (name === 'end') incoming.on('data', () => pieces.push(number));
    });
    const hasEnded = await discardBody(incoming, timeoutMs);
    outgoing.writeHead(429, hasEnded ? {} : { Connection: 'close' }).end('no');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    pieces,
    /** The response, and the port of its connection. */
    async send(body: Buffer | null, headers: Record<string, string> = {}) {
      const outgoing = request({ port, agent, method: 'POST', headers });
      if (body === null) outgoing.write('{');
      else outgoing.end(body);
      const [response]: IncomingMessage[] = await once(outgoing, 'response');
      const localPort = outgoing.socket?.localPort;
      if (body === null) outgoing.on('error', () => {});
      if (response !== undefined) await once(response.resume(), 'end');
      return { status: response?.statusCode, headers: response?.headers, localPort };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const fourMb = Buffer.alloc(4 * 1024 * 1024, 'x');

test('a client that sends 4 MB gets its response, and keeps its connection', async () => {
  await using server = await startRejecting();

  const first = await server.send(fourMb);
  const second = await server.send(Buffer.from('{}'));

  expect([first.status, second.status]).toEqual([429, 429]);
  expect(second.localPort).toBe(first.localPort);
});

test('the bodies of several clients take turns', async () => {
  await using server = await startRejecting();

  await Promise.all([1, 2, 3, 4].map(() => server.send(fourMb)));

  // In turns, no two clients are ever far from each other; one after the other, one is done before the next.
  const half = server.pieces.slice(0, server.pieces.length / 2);
  const counts = [0, 1, 2, 3].map((number) => half.filter((sent) => sent === number).length);
  expect(Math.min(...counts)).toBeGreaterThan(Math.max(...counts) / 2);
});

test('a body that never ends is not awaited for long', async () => {
  await using server = await startRejecting(50);
  const { status, headers } = await server.send(null, { 'Content-Length': '1000000' });
  expect({ status, connection: headers?.connection }).toEqual({ status: 429, connection: 'close' });
});
