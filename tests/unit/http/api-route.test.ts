import { expect, test } from 'vitest';
import { createApiRoute } from '#lib/http/api-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { createTestLog } from '../../support/test-log.ts';

const produces = 'application/json';
const context = { params: Promise.resolve({}) };

function makeRoute(
  handle: (request: Request) => Response | Promise<Response>,
  options: { produces?: string } = {},
) {
  const log = createTestLog();
  const services = { site: { url: 'https://events.example' }, log };
  return { log, ...createApiRoute(() => services, handle, options) };
}

function createRequest(method: string, headers: Record<string, string> = {}) {
  return new Request('http://localhost/api/v1/events', { method, headers });
}

function hello(): Response {
  return createResponse({ status: 200, headers: [['ETag', '"a"']], body: 'hello' });
}

test.for([
  ['a response of ours', hello],
  ['any other Response', () => new Response('hello', { headers: { etag: '"a"' } })],
] as const)('HEAD has the headers of GET and no body, for %s', async ([, handle]) => {
  const { GET, HEAD } = makeRoute(handle);
  const whole = await GET(createRequest('GET', { 'x-request-id': 'same-for-both' }), context);
  const head = await HEAD(createRequest('HEAD', { 'x-request-id': 'same-for-both' }), context);
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(whole.headers));
  expect(head.body).toBeNull();
  expect(await whole.text()).toBe('hello');
});

test('a wildcard, no header and the type itself are accepted', async () => {
  const { GET } = makeRoute(hello, { produces });
  for (const accept of ['*/*', 'application/*;q=0.1', 'text/html, application/json;q=0.5', '']) {
    expect((await GET(createRequest('GET', { accept }), context)).status).toBe(200);
  }
});

test.for<[name: string, accept: string, vary: string | null, status: number, sent: string]>([
  ['a response', '*/*', null, 200, 'Accept'],
  [
    'a response that is also selected by another header',
    '*/*',
    'Accept-Encoding',
    200,
    'Accept, Accept-Encoding',
  ],
  ['a response that says so itself', '*/*', 'Accept', 200, 'Accept'],
  ['a 406', 'image/png', null, 406, 'Accept'],
])('%s of an endpoint that looks at Accept says so', async ([, accept, vary, status, sent]) => {
  const headers: HeaderFields = vary === null ? [] : [['Vary', vary]];
  const { GET } = makeRoute(() => createResponse({ status: 200, headers, body: '{}' }), {
    produces,
  });
  const response = await GET(createRequest('GET', { accept }), context);
  expect([response.status, response.headers.get('vary')]).toEqual([status, sent]);
});

// ASVS 16.3.4
test('an unknown error is a 500 without details, logged with its cause', async () => {
  const cause = new Error('canary: connection string postgres://user:secret@db');
  const { GET, log } = makeRoute(() => {
    throw cause;
  });
  const response = await GET(createRequest('GET', { 'x-request-id': 'request-1' }), context);
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 });
  expect(text).not.toMatch(/canary|secret|stack/);
  expect(log.lines).toEqual([
    {
      level: 'error',
      fields: expect.objectContaining({ requestId: 'request-1', err: cause }),
      message: expect.any(String),
    },
  ]);
});

test('rejected params are an error like any other', async () => {
  const { GET } = makeRoute(hello);
  const params = Promise.reject(new Error('canary'));
  expect((await GET(createRequest('GET'), { params })).status).toBe(500);
});

test('an upstream failure is logged with its reason, a client error is not logged', async () => {
  const failing = makeRoute(() => {
    throw createApiError('upstream_error', { message: 'No.', reason: 'timeout' });
  });
  await failing.GET(createRequest('GET'), context);
  expect(failing.log.lines).toMatchObject([{ level: 'warn', fields: { reason: 'timeout' } }]);
  const rejecting = makeRoute(() => {
    throw createApiError('bad_request', { message: 'No.' });
  });
  await rejecting.GET(createRequest('GET'), context);
  expect(rejecting.log.lines).toEqual([]);
});

test('a plain request id is used, any other is replaced', async () => {
  const { GET } = makeRoute(hello);
  const responseIdFor = async (id: string) =>
    (await GET(createRequest('GET', { 'x-request-id': id }), context)).headers.get('x-request-id');
  expect(await responseIdFor('trace.id_1-2')).toBe('trace.id_1-2');
  for (const id of [
    'short',
    'x'.repeat(65),
    'with blank',
    '<script>alert',
    'caf\u00e9-caf\u00e9',
    '{jndi:ldap}',
  ]) {
    expect(await responseIdFor(id)).toMatch(/^[0-9a-f-]{36}$/);
  }
});
