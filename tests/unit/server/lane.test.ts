import { once } from 'node:events';
import { Agent, request as ask, createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { onDisconnect, readBody } from '#lib/http/node-request.ts';
import { prepareResponse, type StreamedBody } from '#lib/http/prepared-response.ts';
import { createAnswerCache } from '#lib/server/answer-cache.ts';
import { createLane } from '#lib/server/lane.ts';
import type { RouteFunction } from '#lib/server/lane-table.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server whose every request goes to one route. */
async function serve(POST: RouteFunction): Promise<string> {
  const lane = createLane(createAnswerCache());
  const match = { module: { POST }, params: {} };
  const server = createServer((incoming, outgoing) => void lane(incoming, outgoing, match));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const stream = (body: StreamedBody) => prepareResponse({ status: 200, headers: [], body });

test('a body is read whole, and a longer one than allowed is a 413', async () => {
  const results: (number | string)[] = [];
  const url = await serve(async (request) => {
    const read = readBody(request, 10);
    results.push(
      await read.then(
        (bytes) => bytes.length,
        (error) => error.code,
      ),
    );
    return new Response('ok');
  });
  await fetch(url, { method: 'POST', body: '0123456789' });
  await fetch(url, { method: 'POST', body: '0123456789x' });
  const chunked = new ReadableStream({
    start(controller) {
      for (const part of ['0123456', '7890']) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const options = { method: 'POST', body: chunked, duplex: 'half' };
  await fetch(url, options).catch(() => null);
  expect(results).toEqual([10, 'payload_too_large', 'payload_too_large']);
});

test('who sends far too much still gets to see the 413, and may keep the connection', async () => {
  const url = await serve(async (request) => {
    const error = await readBody(request, 10).catch((thrown) => thrown);
    const headers = ['Content-Length', '0', ...Object.entries<string>(error.headers).flat()];
    return prepareResponse({ status: error.status, headers, body: Buffer.alloc(0) });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const _ of Array(5)) {
    const call = ask(url, { agent, method: 'POST' });
    call.end(Buffer.alloc(8 * 1024 * 1024));
    const [[answer]] = await Promise.all([once(call, 'response'), once(call, 'finish')]);
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('keep-alive');
    await once(answer.resume(), 'end');
  }
  agent.destroy();
});

test('a native Request made of it has the same body', async () => {
  const url = await serve(async (request) => new Response(await request.text()));
  const answer = await fetch(url, { method: 'POST', body: 'as it was' });
  expect(await answer.text()).toBe('as it was');
});

test('a streamed body leaves as it is made', async () => {
  const gate = Promise.withResolvers<void>();
  const url = await serve(() =>
    stream((sink) => {
      sink.write('one ');
      void gate.promise.then(() => {
        sink.write(Buffer.from('two'));
        sink.end();
      });
    }),
  );
  const answer = await fetch(url, { method: 'POST' });
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one ');
  gate.resolve();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('two');
});

test('a body that is cut reaches nobody as a whole one', async () => {
  const url = await serve(() =>
    stream((sink) => {
      sink.write('half');
      setImmediate(sink.cut);
    }),
  );
  await expect(fetch(url, { method: 'POST' }).then((answer) => answer.text())).rejects.toThrow();
});

test('a reader who does not keep up holds the writer back', async () => {
  let written = 0;
  const url = await serve(() =>
    stream((sink) => {
      const chunk = Buffer.alloc(64 * 1024);
      const fill = () => {
        do written += chunk.length;
        while (sink.write(chunk) && written < 1e9);
      };
      sink.onDrain(fill);
      fill();
    }),
  );
  const outgoing = ask(url, { method: 'POST' }, (incoming) => incoming.pause()).end();
  stops.push(() => outgoing.destroy());
  await sleep(300);
  const then = written;
  await sleep(200);
  expect(written).toBe(then);
  expect(written).toBeLessThan(32 * 1024 * 1024);
});

test.for([
  ['before the answer', () => new Promise<Response>(() => {})],
  ['in the middle of it', () => stream((sink) => void sink.write('begun'))],
] as const)('a caller who leaves %s is noticed, once', async ([, answer]) => {
  let left = 0;
  const arrived = Promise.withResolvers<void>();
  const url = await serve((request) => {
    onDisconnect(request, () => {
      left += 1;
    });
    arrived.resolve();
    return answer();
  });
  const controller = new AbortController();
  const asked = fetch(url, { method: 'POST', signal: controller.signal }).catch(() => null);
  await arrived.promise;
  controller.abort();
  await asked;
  await expect.poll(() => left).toBe(1);
});

test('a caller who has everything has not left', async () => {
  let left = 0;
  const url = await serve((request) => {
    onDisconnect(request, () => {
      left += 1;
    });
    return prepareResponse({
      status: 200,
      headers: ['Content-Length', '2'],
      body: Buffer.from('ok'),
    });
  });
  await fetch(url, { method: 'POST', headers: { connection: 'close' } });
  await sleep(50);
  expect(left).toBe(0);
});
