import { createServer, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRequestHeaders } from '#lib/ai-proxy/upstreams/upstream.ts';
import { anyText } from '../../../../support/factories/any-text.ts';
import { listenOnLoopback } from '../../../../support/servers/loopback-server.ts';
import { makeCall, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

/** Headers that an upstream receives for these client headers. */
async function see(headers: Readonly<Record<string, string>>) {
  let seen: IncomingHttpHeaders = {};
  let url = '';
  const receiving = createServer((request, response) => {
    seen = request.headers;
    url = request.url ?? '';
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await using server = await listenOnLoopback(receiving);
  const settings = { url: `${server.url}/api/v1`, key: 'sk-ours' };
  await using fixture = await startModelUpstream({}, settings);
  await makeCall(fixture.upstream, {
    method: 'POST',
    path: '/responses',
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

test('a value that is invalid in a header is dropped', () => {
  fc.assert(
    fc.property(anyText(), (value) => {
      const headers = toRequestHeaders({
        key: 'k',
        hasBody: false,
        isStream: false,
        clientHeaders: { get: () => value },
      });
      for (const one of headers) expect(one).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
