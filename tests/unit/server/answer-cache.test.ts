import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { ResponseParts } from '#lib/http/prepared-response.ts';
import { withoutContent } from '#lib/http/representation.ts';
import { createAnswerCache } from '#lib/server/answer-cache.ts';
import { send } from '../../support/http-client.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Made = Readonly<{ incoming: IncomingMessage; outgoing: ServerResponse }>;

/** A server that answers from the cache, or makes the answer and keeps it. */
async function startCached(freshness: () => string | null, make = makeParts) {
  const cache = createAnswerCache();
  const made: string[] = [];
  const server = createServer((incoming, outgoing) => {
    if (cache.send(incoming, outgoing)) return;
    made.push(incoming.url ?? '');
    const parts = { ...make({ incoming, outgoing }), freshness };
    outgoing.writeHead(parts.status, parts.headers);
    outgoing.end(incoming.method === 'HEAD' ? undefined : parts.body);
    cache.keep(incoming, parts);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, made };
}

function makeParts({ incoming }: Made): ResponseParts {
  const { url, headers } = incoming;
  return {
    status: 200,
    headers: [
      ...['Content-Type', 'text/plain', 'ETag', '"a"', 'Link', '</x>; rel="y"'],
      ...['Last-Modified', 'Tue, 10 Mar 2026 12:00:00 GMT', 'Cache-Control', 'max-age=9'],
      ...['X-Request-Id', 'the-first-request'],
    ],
    body: Buffer.from(`${url} ${headers.accept} ${headers.rsc}`),
  };
}

test('an answer is sent again, with a new freshness and a new request id', async () => {
  let freshness = 'max-age=9';
  const server = await startCached(() => freshness);
  const first = await send(server, '/a');
  freshness = 'max-age=8';
  const second = await send(server, '/a');
  expect(server.made).toEqual(['/a']);
  expect(second.text).toBe(first.text);
  expect(second.header('cache-control')).toBe('max-age=8');
  expect(second.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const named = await send(server, '/a', { headers: { 'x-request-id': 'caller-1234' } });
  expect(named.header('x-request-id')).toBe('caller-1234');
});

test('an answer that no longer holds is made anew', async () => {
  let freshness: string | null = 'max-age=9';
  const server = await startCached(() => freshness);
  await send(server, '/a');
  freshness = null;
  await send(server, '/a');
  expect(server.made).toEqual(['/a', '/a']);
});

test('what an answer may be chosen by keeps answers apart', async () => {
  const server = await startCached(() => 'max-age=9');
  const questions = [
    { path: '/a', headers: {} },
    { path: '/a?b', headers: {} },
    { path: '/a', headers: { accept: 'text/markdown' } },
    { path: '/a', headers: { 'accept-encoding': 'br' } },
    { path: '/a', headers: { rsc: '1' } },
    { path: '/a', headers: { rsc: '1', 'next-router-state-tree': 'x' } },
  ];
  for (const { path, headers } of questions) await send(server, path, { headers });
  for (const { path, headers } of questions) await send(server, path, { headers });
  expect(server.made).toHaveLength(questions.length);
});

test('a caller who has the answer gets a 304 that describes no content', async () => {
  const server = await startCached(() => 'max-age=9');
  await send(server, '/a');
  for (const headers of [
    { 'if-none-match': 'W/"a"' },
    { 'if-modified-since': 'Tue, 10 Mar 2026 12:00:00 GMT' },
  ]) {
    const answer = await send(server, '/a', { headers });
    expect([answer.status, answer.text]).toEqual([304, '']);
    expect(answer.header('etag')).toBe('"a"');
    expect(answer.header('content-type')).toBe('');
  }
  expect(server.made).toHaveLength(1);
});

test('a 304 is kept for those who have the content too, and for nobody else', async () => {
  const server = await startCached(
    () => 'max-age=9',
    (made) => {
      const parts = makeParts(made);
      if (made.incoming.headers['if-none-match'] !== '"a"') return parts;
      return { status: 304, headers: withoutContent(parts.headers), body: null };
    },
  );
  const ifKnown = { headers: { 'if-none-match': '"a"' } };
  const first = await send(server, '/a', ifKnown);
  const second = await send(server, '/a', ifKnown);
  expect([first.status, second.status, server.made.length]).toEqual([304, 304, 1]);
  expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
  // Nobody else gets it, and what they get serves all from then on.
  const other = await send(server, '/a', { headers: { 'if-none-match': '"b"' } });
  expect([other.status, other.text.startsWith('/a')]).toEqual([200, true]);
  await send(server, '/a');
  await send(server, '/a', ifKnown);
  expect(server.made).toHaveLength(2);
});

test('HEAD is answered from what a GET left, and leaves nothing itself', async () => {
  const server = await startCached(() => 'max-age=9');
  await send(server, '/a', { method: 'HEAD' });
  await send(server, '/a');
  const head = await send(server, '/a', { method: 'HEAD' });
  expect(server.made).toEqual(['/a', '/a']);
  expect([head.status, head.text]).toEqual([200, '']);
});

test.for([
  ['a 404', { status: 404 }],
  ['an answer without a body', { body: null }],
] as const)('%s is not kept', async ([, change]) => {
  const server = await startCached(
    () => 'max-age=9',
    (made) => ({ ...makeParts(made), ...change }),
  );
  await send(server, '/a');
  await send(server, '/a');
  expect(server.made).toHaveLength(2);
});

test('POST is never answered from the cache', async () => {
  const server = await startCached(() => 'max-age=9');
  await send(server, '/a');
  await send(server, '/a', { method: 'POST' });
  expect(server.made).toHaveLength(2);
});
