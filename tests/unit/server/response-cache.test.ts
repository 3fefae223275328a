import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createResponse, type ResponseParts, withoutBody } from '#lib/http/response.ts';
import { toRequestId } from '#lib/http/route.ts';
import { createResponseCache } from '#lib/server/response-cache.ts';
import { sendResponse } from '#lib/server/send-response.ts';
import { send } from '../../support/clients/http-client.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';

/** A server that responds from the cache, or creates the response and stores it. */
async function startCached(
  toParts = makeParts,
  freshness: () => string | null = () => 'max-age=9',
) {
  const cache = createResponseCache();
  const created: string[] = [];
  const server = createServer((incoming, outgoing) => {
    incoming.headers['x-request-id'] = toRequestId(incoming.headers['x-request-id']);
    if (cache.send(incoming, outgoing) === '/label') return;
    created.push(incoming.url ?? '');
    const response = createResponse({ ...toParts(incoming), freshness });
    cache.store(incoming, response, '/label');
    void sendResponse(outgoing, incoming.method === 'HEAD' ? withoutBody(response) : response);
  });
  return { ...(await listenOnLoopback(server)), created };
}

function makeParts({ url, headers }: IncomingMessage): ResponseParts {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/plain'],
      ['ETag', '"a"'],
      ['Link', '</x>; rel="y"'],
      ['Last-Modified', 'Tue, 10 Mar 2026 12:00:00 GMT'],
      ['Cache-Control', 'max-age=9'],
      ['X-Request-Id', 'the-first-request'],
      ['X-Cache', 'miss'],
      ['Vary', 'Accept, Accept-Encoding'],
    ],
    body: Buffer.from(`${url} ${headers.accept} ä`),
  };
}

test('a stored response is sent with the same bytes, a new max-age and a new request id', async () => {
  let freshness = 'max-age=9';
  await using server = await startCached(makeParts, () => freshness);
  const first = await send(server, '/a');
  freshness = 'max-age=8';
  const second = await send(server, '/a');
  expect(server.created).toHaveLength(1);
  expect(second.body.equals(first.body)).toBe(true);
  expect(second.header('content-length')).toBe(first.header('content-length'));
  expect(second.header('cache-control')).toBe('max-age=8');
  expect(second.header('x-cache')).toBe('hit');
  expect(second.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const named = await send(server, '/a', { headers: { 'x-request-id': 'client-1234' } });
  expect(named.header('x-request-id')).toBe('client-1234');
});

test('a long body is sent with the same bytes', async () => {
  const body = Buffer.from('ä'.repeat(20_000));
  await using server = await startCached((incoming) => ({ ...makeParts(incoming), body }));
  await send(server, '/a');
  expect((await send(server, '/a')).body.equals(body)).toBe(true);
  expect(server.created).toHaveLength(1);
});

test('a stale response is created anew', async () => {
  let freshness: string | null = 'max-age=9';
  await using server = await startCached(makeParts, () => freshness);
  await send(server, '/a');
  freshness = null;
  await send(server, '/a');
  expect(server.created).toHaveLength(2);
});

test('responses are stored by the headers that each names in its Vary', async () => {
  await using server = await startCached((incoming) => {
    const parts = makeParts(incoming);
    if (incoming.url !== '/models') return parts;
    return { ...parts, headers: [...parts.headers, ['Vary', 'Anthropic-Version']] };
  });
  const anthropic = { 'anthropic-version': '2023-06-01' };
  const requests = [
    { path: '/a', headers: {} },
    { path: '/a?b', headers: {} },
    { path: '/a', headers: { accept: 'text/markdown' } },
    { path: '/a', headers: { 'accept-encoding': 'br' } },
    { path: '/models', headers: {} },
    { path: '/models', headers: anthropic },
  ];
  for (const { path, headers } of [...requests, ...requests]) await send(server, path, { headers });
  await send(server, '/a', { headers: anthropic });
  expect(server.created).toHaveLength(requests.length);
});

test('HEAD is served from a stored GET, and stores nothing itself', async () => {
  await using server = await startCached();
  await send(server, '/a', { method: 'HEAD' });
  await send(server, '/a');
  const head = await send(server, '/a', { method: 'HEAD' });
  expect(server.created).toHaveLength(2);
  expect([head.status, head.text]).toEqual([200, '']);
});

const body = Buffer.from('private');

// ASVS 14.2.2
test.for<[name: string, change: Partial<ResponseParts>]>([
  ['a 404', { status: 404 }],
  ['a response without a body', { body: null }],
  ['a private response', { body, headers: [['Cache-Control', 'private, max-age=60']] }],
  ['a response that must not be stored', { body, headers: [['Cache-Control', 'no-store']] }],
  ['a response that sets a cookie', { body, headers: [['Set-Cookie', 'a=b']] }],
  ['a response with Vary: *', { headers: [['Vary', '*']] }],
])('%s is not stored', async ([, change]) => {
  await using server = await startCached((incoming) => ({ ...makeParts(incoming), ...change }));
  await send(server, '/a');
  await send(server, '/a');
  expect(server.created).toHaveLength(2);
});

test('POST is never served from the cache', async () => {
  await using server = await startCached();
  await send(server, '/a');
  await send(server, '/a', { method: 'POST' });
  expect(server.created).toHaveLength(2);
});

test('a client that makes up long URLs fills no more than 8 MB with them', async () => {
  await using server = await startCached();
  await send(server, '/first');
  const long = 'x'.repeat(7000);
  for (let sent = 0; sent < 1300; sent++) await send(server, `/?${long}${sent}`);
  await send(server, '/first');
  // It is forgotten: these URLs take 9 MB, though with their responses they fit into the cache.
  expect(server.created.filter((url) => url === '/first')).toHaveLength(2);
  await send(server, '/first');
  expect(server.created.filter((url) => url === '/first')).toHaveLength(2);
});
