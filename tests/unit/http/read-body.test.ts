import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NodeRequest } from 'srvx/node';
import { expect, onTestFinished, test } from 'vitest';
import { respondWithApiError } from '#lib/http/errors/api-error.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import { readBody } from '#lib/http/read-body.ts';
import { createTextResponse } from '#lib/http/response.ts';
import { sendResponse } from '#lib/server/send-response.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';

const silenceMs = 2_000;
const body = '{        }';

/** A server that reads bodies, and responds to each with its length after a while. */
async function startReading() {
  const server = createServer(async (req, res) => {
    const response = await readBody(new NodeRequest({ req, res }), 1_000, silenceMs).then(
      async (bytes) => {
        await delay(1.2 * silenceMs);
        return createTextResponse(200, `${bytes.length} bytes`);
      },
      (error: unknown) => respondWithApiError(toHttpError(error), 'https://events.example'),
    );
    await sendResponse(res, response);
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  return { socket, read: () => text };
}

test('a body of which no byte arrives for a while ends in a 400, and its connection with it', async () => {
  const { socket, read } = await startReading();
  socket.write('{');
  await once(socket, 'end');
  expect(read()).toMatch(/^HTTP\/1\.1 400 /);
  expect(read()).toContain('No byte of the request body has arrived');
});

test('a body that arrives in pieces is read, and its reply may take longer', async () => {
  const { socket, read } = await startReading();
  for (const piece of body) {
    await delay(1.2 * (silenceMs / body.length));
    socket.write(piece);
  }
  await expect.poll(read).toContain(`${body.length} bytes`);
});
