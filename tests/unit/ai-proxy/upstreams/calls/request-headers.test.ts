import { createServer, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeaders, type UpstreamConnection } from '#lib/ai-proxy/upstreams/connection.ts';
import { anyText } from '../../../../support/factories/any-text.ts';
import { listenOnLoopback } from '../../../../support/servers/loopback-server.ts';
import { makeCall, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

type Seen = Partial<Pick<UpstreamConnection, 'auth' | 'headers'>> &
  Readonly<{ query?: string; path?: `/${string}` }>;

/** Headers that an upstream receives for these client headers. */
async function see(
  headers: Readonly<Record<string, string>>,
  { query = '', path = '/responses', ...connection }: Seen = {},
) {
  let seen: IncomingHttpHeaders = {};
  let url = '';
  const receiving = createServer((request, response) => {
    seen = request.headers;
    url = request.url ?? '';
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await using server = await listenOnLoopback(receiving);
  const settings = { url: `${server.url}/api/v1${query}`, key: 'sk-ours', ...connection };
  await using fixture = await startModelUpstream({}, settings);
  await makeCall(fixture.upstream, {
    method: 'POST',
    path,
    body: '{"a":1}',
    isStream: true,
    headers: new Headers(headers),
  });
  return { seen, url, port: server.port };
}

test('the upstream gets our key and headers about the request, and none about the client', async () => {
  const { seen, url, port } = await see({
    authorization: 'Bearer mq_callers-own',
    cookie: 'session=1',
    host: 'elsewhere.example',
    'content-length': '99999',
    'transfer-encoding': 'chunked',
    'accept-encoding': 'gzip',
    'user-agent': 'OpenAI/JS 7',
    'x-forwarded-for': '203.0.113.9',
    'x-real-ip': '203.0.113.9',
    'openai-organization': 'org-other',
    'openai-project': 'proj-other',
    'idempotency-key': 'k1',
    'x-stainless-os': 'Linux',
    'openai-beta': 'assistants=v2',
    'http-referer': 'https://app.example',
    'x-title': 'An app',
  });
  expect(url).toBe('/api/v1/responses');
  expect(seen).toEqual({
    host: `127.0.0.1:${port}`,
    connection: 'keep-alive',
    authorization: 'Bearer sk-ours',
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'content-length': '7',
    'user-agent': 'marquee',
    'openai-beta': 'assistants=v2',
    'http-referer': 'https://app.example',
    'x-title': 'An app',
  });
});

test('a key can have a header of its own, and an upstream headers and a query', async () => {
  const { seen, url } = await see(
    { 'http-referer': 'https://app.example', 'x-title': 'An app' },
    {
      auth: 'api-key',
      headers: { 'http-referer': 'https://events.example', 'x-team': 'events' },
      query: '?api-version=v1',
    },
  );
  expect(url).toBe('/api/v1/responses?api-version=v1');
  expect(seen).toMatchObject({
    'api-key': 'sk-ours',
    'http-referer': 'https://events.example',
    'x-team': 'events',
    'x-title': 'An app',
  });
  expect(seen).not.toHaveProperty('authorization');
});

test.each([
  ['bearer', { authorization: 'Bearer sk-ours', 'x-api-key': 'sk-ours' }],
  ['x-api-key', { 'x-api-key': 'sk-ours' }],
  ['api-key', { 'api-key': 'sk-ours' }],
])('with auth %s the key of a Messages request is in its headers alone', async (auth, expected) => {
  const { seen } = await see({}, { auth, path: '/messages' });
  const { authorization, 'x-api-key': apiKey, 'api-key': ownKey } = seen;
  const sent = { authorization, 'x-api-key': apiKey, 'api-key': ownKey };
  expect(sent).toEqual({
    authorization: undefined,
    'x-api-key': undefined,
    'api-key': undefined,
    ...expected,
  });
  expect(seen['anthropic-version']).toBe('2023-06-01');
});

test('an upstream that fixes the version of the Messages API gets that alone', async () => {
  const headers = { 'anthropic-version': '2030-01-01' };
  const { seen } = await see({ 'anthropic-version': '2023-06-01' }, { headers, path: '/messages' });
  expect(seen['anthropic-version']).toBe('2030-01-01');
});

test('a value that is invalid in a header is dropped', () => {
  fc.assert(
    fc.property(anyText(), (value) => {
      const headers = createHeaders({ key: 'k' })({
        path: '/models',
        headers: { get: () => value },
      });
      for (const header of headers) expect(header).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
