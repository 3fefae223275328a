import { expect, test } from 'vitest';
import { getPage, send, sendRaw } from '../../support/clients/http-client.ts';
import { expectCommonHeaders, readEventList } from '../../support/responses/api-responses.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

/** Sends a request target as it is, for which `fetch` has no way. */
const sendTarget = (target: string, { method = 'GET', host = 'a', more = '' } = {}) =>
  sendRaw(
    server,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more || 'Connection: close'}\r\n\r\n`,
  );

test.each([
  ['/api/v1/events/', '/api/v1/events'],
  ['/api/v1/events/?limit=2', '/api/v1/events?limit=2'],
  ['/api//v1///events?limit=2', '/api/v1/events?limit=2'],
  ['//api/v1/events', '/api/v1/events'],
  ['/api/', '/api'],
  ['/docs/', '/docs'],
  ['/llms.txt/', '/llms.txt'],
  ['//', '/'],
])('%s is a 308 to the canonical %s', async (path, location) => {
  for (const method of ['GET', 'HEAD']) {
    const response = await send(server, path, { method });
    expect(response.status).toBe(308);
    expect(response.header('location')).toBe(location);
    expect(response.header('access-control-allow-origin')).toBe('*');
  }
});

test('a POST is answered where it is sent', async () => {
  expect((await send(server, '/api/v1/events/', { method: 'POST' })).status).toBe(405);
});

test.each(['POST', 'PUT', 'DELETE'])('%s of a URL that nothing has is a 404', async (method) => {
  const response = await send(server, '/register', { method });
  expect([response.status, JSON.parse(response.text).code]).toEqual([404, 'not_found']);
});

test('a redirect within the API has the headers of every API response', async () => {
  expectCommonHeaders(await send(server, '/api/v1/events/'));
});

test.each([
  '//evil.example',
  '///evil.example/a',
  '/\\evil.example',
  '/.//evil.example/',
  '/..//evil.example//',
  '/%5C%5Cevil.example/',
  '//evil.example/%2e%2e',
])('%s does not redirect to another site', async (path) => {
  const response = await sendTarget(path);
  expect(response.status).toBeLessThan(500);
  if (response.status === 308) expect(response.header('location')).toMatch(/^\/(?![/\\])/);
});

test('an absolute URL as request target gives the same response', async () => {
  const plain = await send(server, '/api/v1/events?limit=2');
  const url = 'http://evil.example/api/v1/events?limit=2';
  const response = await sendTarget(url, { host: 'evil.example' });
  expect(response.status).toBe(200);
  expect(response.body.equals(plain.body)).toBe(true);
});

test.each([
  '/api/v1/events',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
  '/api/v1/openapi.json',
  '/api/v1/events/nobody',
  '/api/v1/events/',
  '/llms.txt',
  '/index.md',
  '/docs.md',
  '/nothing.md',
  '/',
  '/docs',
  '/nothing',
])('%s does not contain the value of the Host header', async (path) => {
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    'x-forwarded-proto': 'evil.example',
  };
  const response = await send(server, path, { headers });
  expect(response.status).toBeLessThan(500);
  expect(JSON.stringify(response.headers)).not.toContain('evil.example');
  expect(response.text).not.toContain('evil.example');
});

test('dot segments are resolved as in a browser', async () => {
  const plain = await send(server, '/api/v1/events?limit=2');
  const response = await send(server, '/docs/../api/./v1/events?limit=2');
  expect(response.body.equals(plain.body)).toBe(true);
});

test('OPTIONS * is no server error', async () => {
  expect((await sendTarget('*', { method: 'OPTIONS' })).status).toBeLessThan(500);
});

// ASVS 4.2.1
test.each([
  ['an unknown method', 'FOO /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no Host header', 'GET /api/v1/events HTTP/1.1\r\n\r\n'],
  ['a space in the URL', 'GET /api/v1/ev ents HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a header of 20 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['a URL of 20 kB', `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('%s is rejected, and the next request is served', async (_, message) => {
  const response = await sendRaw(server, message);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  readEventList(await send(server, '/api/v1/events?limit=1'));
});

test.each(['no-slash', 'ftp://other.example/', 'javascript:alert(1)', '?limit=1', '*'])(
  'the request target %s is rejected',
  async (target) => {
    expect((await sendTarget(target)).status).toBe(400);
  },
);

test('non-ASCII bytes in a URL give a 400 or 404', async () => {
  expect([400, 404]).toContain((await sendTarget('/api/v1/events/caf\xc3\xa9')).status);
});

test.each(['/events/%zz', '/events/%ff', '/docs/%zz', '/%zz', '/%ff.md', '/events/%zz.md'])(
  'a page at the malformed URL %s is a client error',
  async (path) => {
    for (const accept of ['text/html', 'text/markdown']) {
      const response = await send(server, path, { headers: { accept } });
      expect([400, 404]).toContain(response.status);
    }
  },
);

// ASVS 5.3.2, 13.4.3
test.each(['/_next', '/_next/static', '/_next/static/chunks', '/media', '/.well-known'])(
  'a folder is a 404: %s',
  async (path) => {
    expect((await send(server, path)).status).toBe(404);
  },
);

test('internal URLs of the request handler are a 404', async () => {
  expect((await send(server, '/unavailable')).status).toBe(404);
});

test.each(['/', '/docs', '/api/v1/events?limit=1', '/health', '/favicon.ico'])(
  'an Upgrade header is ignored: %s is served over HTTP/1.1',
  async (path) => {
    for (const more of [
      'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]) {
      expect((await sendTarget(path, { more })).status).toBe(200);
    }
  },
);

test('a query of thousands of parameters is served', async () => {
  const { status } = await getPage(server, `/?${'a&'.repeat(1_900)}q=jam`);
  expect(status).toBe(200);
});

test('a page with a path of thousands of characters is a 414', async () => {
  const { status } = await getPage(server, `/events/${'x'.repeat(5_000)}`);
  expect(status).toBe(414);
});

test('the Markdown of the directory is cached by its filters', async () => {
  const [ended, all] = [
    await send(server, '/index.md?status=ended'),
    await send(server, '/index.md'),
  ];
  expect(ended.text).not.toBe(all.text);
  expect((await send(server, '/index.md?utm_source=x&status=ended')).text).toBe(ended.text);
});
