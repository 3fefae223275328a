import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { isInstalled } from '../../../programs.ts';
import { send } from '../../../support/clients/http-client.ts';
import { connectHttp2, sendHttp2 } from '../../../support/clients/http2-client.ts';
import { startNginx } from '../../../support/programs/nginx.ts';
import { callTableHook, startEditedTable } from '../../../support/servers/edited-table.ts';
import {
  type MarqueeServer,
  startMarquee,
  startMarqueeInProcess,
} from '../../../support/servers/marquee-server.ts';

/** Streams of changes as they are in operation: many of them, behind nginx, and when an instance stops. */

const path = '/api/v1/events/changes';
const accept = 'text/event-stream';

async function startEdited<T extends MarqueeServer>(start: (settings: Environment) => Promise<T>) {
  const table = await startEditedTable();
  onTestFinished(table.close);
  const server = await start(table.settings);
  onTestFinished(server.stop);
  await send(server, '/api/v1/events');
  return {
    server,
    /** Renames the event as an organiser does, and has its table call the hook. */
    async rename(value: string) {
      table.rename(value);
      await callTableHook(server);
    },
  };
}

test.skipIf(!isInstalled('nginx') || !isInstalled('openssl'))(
  'nginx sends each change on at once, to several streams of one URL, and never from its cache',
  async () => {
    const { server, rename } = await startEdited(startMarqueeInProcess);
    const nginx = await startNginx([server.port]);
    const session = await connectHttp2(nginx.url, nginx.certificate);
    onTestFinished(async () => {
      session.destroy();
      await nginx.close();
    });
    const streams = [0, 1, 2].map(() => {
      const stream = session.request({ ':path': path, accept });
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      return { opened: once(stream, 'response'), text: () => text };
    });
    for (const { opened, text } of streams) {
      const [headers] = await opened;
      expect(headers).toMatchObject({
        ':status': 200,
        'cache-control': 'no-store',
        'x-cache-status': 'MISS',
      });
      await expect.poll(text).toContain(': connected');
    }
    await rename('Candle Jam');
    for (const { text } of streams) {
      await expect.poll(text).toContain('"name":"Candle Jam"');
    }
    // The list of the same URL is another representation, and is not what nginx has of the streams.
    const { headers, text } = await sendHttp2(session, path);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(text).data).toHaveLength(1);
  },
);

test('three hundred streams get the change, and all end when the instance is told to stop', async () => {
  const { server, rename } = await startEdited(startMarquee);
  const streams = await Promise.all(
    Array.from({ length: 300 }, (_, index) => open(server.port, `127.0.0.${1 + (index % 2)}`)),
  );
  await rename('Candle Jam');
  await expect
    .poll(() => streams.filter(({ text }) => text().includes('Candle Jam')).length)
    .toBe(300);
  expect(await server.terminate()).toBe(0);
  await expect.poll(() => streams.filter(({ isComplete }) => isComplete()).length).toBe(300);
});

test('a client has 256 streams at most, of all its requests; one that ends makes room', async () => {
  const { server } = await startEdited(startMarqueeInProcess);
  const streams = await Promise.all(Array.from({ length: 256 }, () => open(server.port)));
  const head = await send(server, path, { method: 'HEAD', headers: { accept } });
  expect(head.status).toBe(429);
  const { status, headers, text } = await send(server, path, { headers: { accept } });
  expect([status, headers['retry-after']]).toEqual([429, '60']);
  expect(JSON.parse(text).code).toBe('too_many_requests');
  expect((await send(server, path)).status).toBe(200);
  const other = await open(server.port, '127.0.0.2');
  expect(other.status).toBe(200);
  streams[0]?.close();
  await expect
    .poll(async () => (await send(server, path, { method: 'HEAD', headers: { accept } })).status)
    .toBe(200);
  // A HEAD opens none.
  const another = await open(server.port);
  expect(another.status).toBe(200);
});

async function open(port: number, localAddress = '127.0.0.1') {
  const outgoing: ClientRequest = request({
    host: '127.0.0.1',
    localAddress,
    port,
    path,
    headers: { accept },
  });
  outgoing.end();
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  let text = '';
  incoming?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  incoming?.on('error', () => {});
  return {
    status: incoming?.statusCode,
    text: () => text,
    isComplete: () => incoming?.complete ?? false,
    close: () => void outgoing.destroy(),
  };
}
