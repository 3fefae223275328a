import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { expectDocumented } from '../../support/responses/documented-errors.ts';
import {
  chatPath,
  messagesErrorTypes,
  messagesPath,
  rateLimitHeaders,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../support/servers/in-process-proxy.ts';

const model = 'lantern-demo/wick-3-mini';

/** Each group has its own: after twenty wrong keys in a minute a client has to wait. */
const runProxy = () =>
  forTests(() => startInProcessProxy({ environment: { PROXY_BODY_BYTES_MAX: '65536' } }));

type Expected = Readonly<{
  status: number;
  type?: string;
  code: string | null;
  param?: unknown;
  resetsAt?: unknown;
}>;

async function expectError(response: Response, expected: Expected) {
  const { status, type = 'invalid_request_error', code, param = null, resetsAt } = expected;
  const reset = resetsAt === undefined ? {} : { resets_at: resetsAt };
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.anything()]);
  const body = JSON.parse(text);
  if (new URL(response.url).pathname === messagesPath) {
    const message = expect.stringMatching(typeof param === 'string' ? param : /\S{3}/);
    const error = { type: messagesErrorTypes[status], message, ...reset };
    expect(body).toEqual({ type: 'error', error });
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
  } else {
    const message = expect.stringMatching(/\S{3}/);
    expect(body).toEqual({ error: { message, type, code, param, ...reset } });
    expectDocumented(status, { type, code });
  }
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return text;
}

// ASVS 2.2.2
describe.each([
  ['chat', chatPath, 'messages'],
  ['Responses', responsesPath, 'input'],
  ['Messages', messagesPath, 'messages'],
  ['Embeddings', '/proxy/v1/embeddings', 'input'],
])('invalid bodies of %s requests', (_, path, field) => {
  const proxy = runProxy();
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  const invalidJson = { status: 400, code: 'invalid_json' };

  test.each<[string, BodyInit, Expected]>([
    ['an empty body', '', invalidJson],
    ['incomplete JSON', '{"model":', invalidJson],
    ['gzip without Content-Encoding', gzipSync('{"model":"x"}'), invalidJson],
    ['too deep nesting', `{"${field}":${deep}}`, { status: 400, code: null }],
    ['no model', '{}', { status: 400, code: null, param: 'model' }],
    [
      'a field in another case',
      JSON.stringify({ ...toRequestJson(path, model), Model: 'other/model' }),
      { status: 400, code: null, param: 'Model' },
    ],
    ['no prompt', `{"model":"${model}","max_tokens":9}`, { status: 400, code: null, param: field }],
    [
      'a too long body',
      JSON.stringify(toRequestJson(path, model, false, 'x'.repeat(70_000))),
      { status: 413, code: 'request_too_large' },
    ],
  ])('%s', async (_name, body, expected) => {
    const response = await proxy.post(path, proxy.key, '', { body });

    await expectError(response, expected);
  });
});

describe.each([
  ['chat', chatPath],
  ['Responses', responsesPath],
  ['Messages', messagesPath],
])('rejected %s requests', (_, path) => {
  const proxy = runProxy();

  test('__proto__ and constructor are ordinary keys', async () => {
    const json = JSON.stringify(toRequestJson(path, model)).slice(1);
    const send = (fields: string) => proxy.post(path, proxy.key, `{${fields},${json}`);

    expect((await send('"__proto__":1,"constructor":1')).status).toBe(200);
    // Like any unknown object, where AI_MODELS restricts the models.
    await expectError(await send('"__proto__":{"model":"no/such"}'), {
      status: 400,
      code: 'unsupported_parameter',
      param: '__proto__',
    });
    expect({}).not.toHaveProperty('model');
  });

  test('a model that the key may not use is 403', async () => {
    const { text } = await proxy.makeKey({ models: ['lantern-demo/wick-2'] });

    await expectError(await proxy.post(path, text, toRequestJson(path, model)), {
      status: 403,
      type: 'permission_error',
      code: 'model_not_allowed',
      param: 'model',
    });
    expect((await proxy.post(path, text, toRequestJson(path, 'lantern-demo/wick-2'))).status).toBe(
      200,
    );
  });

  test.each([
    ['no content type', ''],
    ['plain text', 'text/plain'],
  ])('%s is 415', async (_name, type) => {
    const body = Buffer.from(JSON.stringify(toRequestJson(path, model)));
    const response = await proxy.post(path, proxy.key, '', {
      body,
      headers: { 'content-type': type },
    });

    await expectError(response, { status: 415, code: 'unsupported_media_type' });
  });

  test.each([
    ['no key', {}],
    ['another scheme', { authorization: 'Basic bXE6eA==' }],
    ['a key of another service', { authorization: 'Bearer sk-0123456789abcdef' }],
    ['an unknown key', { authorization: `Bearer mq_${'0'.repeat(43)}000000` }],
    ['a key in another header', { 'x-key': 'KEY', 'openai-api-key': 'KEY' }],
    ['a key in a cookie', { cookie: 'key=KEY' }],
  ])('%s is 401', async (_name, headers) => {
    const sentHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', proxy.key)]),
    );
    const response = await fetch(`${proxy.url}${path}?key=${proxy.key}&api_key=${proxy.key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sentHeaders },
      body: JSON.stringify(toRequestJson(path, model)),
    });

    const text = await expectError(response, { status: 401, code: 'invalid_api_key' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(text).not.toContain(proxy.key);
  });

  test('too many requests in a minute are 429 with Retry-After', async () => {
    const { text } = await proxy.makeKey({ requestsPerMinute: 2 });
    const first = await proxy.post(path, text, toRequestJson(path, model));
    expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '1']);
    await proxy.post(path, text, toRequestJson(path, model));

    let third = first;
    // When the next minute begins in between, one more gets through.
    await expect
      .poll(async () => {
        third = await proxy.post(path, text, toRequestJson(path, model));
        return third.status;
      })
      .toBe(429);

    await expectError(third, {
      status: 429,
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(third.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    for (const name of rateLimitHeaders.filter((header) => header.endsWith('requests'))) {
      expect(third.headers.get(name)).toMatch(/^\d/);
    }
  });
});

// Within five seconds; those of all APIs at once.
describe('keys that stop working', () => {
  const proxy = runProxy();

  test.concurrent.for([chatPath, responsesPath, messagesPath])(
    '%s: an expired key and a revoked key are 401',
    async (path, { expect }) => {
      const statusOf = async (text: string) =>
        (await proxy.post(path, text, toRequestJson(path, model))).status;
      const { text, record } = await proxy.makeKey();
      const short = await proxy.makeKey({ expiresAt: Date.now() + 1500 });
      expect(await statusOf(text)).toBe(200);

      await proxy.register.revoke(record.id);

      await expect.poll(() => statusOf(text), { interval: 250 }).toBe(401);
      await expect.poll(() => statusOf(short.text), { interval: 250 }).toBe(401);
      const expired = await proxy.post(path, short.text, toRequestJson(path, model));
      expect(await expectError(expired, { status: 401, code: 'invalid_api_key' })).toMatch(
        /expired/,
      );
    },
  );
});

describe('URLs and methods', () => {
  const proxy = runProxy();

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s is 405 with Allow', async (method) => {
    const response = await send(proxy, chatPath, { method });

    expect(response.status).toBe(405);
    expect(response.header('allow')).toBe('POST, OPTIONS');
    expect(response.header('x-request-id')).not.toBe('');
    if (method === 'HEAD') expect(response.text).toBe('');
    else expect(JSON.parse(response.text).error.code).toBe('method_not_allowed');
  });

  test('lists allow only GET and HEAD', async () => {
    const response = await send(proxy, '/proxy/v1/models', { method: 'POST' });

    expect(response.status).toBe(405);
    expect(response.header('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each([
    '/proxy/v1',
    '/proxy/v2/responses',
    '/proxy/v1/completions',
    '/proxy/v1/embeddings/lantern-demo%2Fwick-3',
    '/proxy/v1/chat%2fcompletions',
    '/proxy/v1/%72esponses',
    '/proxy/v1/responses;v=1',
    '/proxy/v1/responses/%00',
    '/proxy/v1/responses/%ff',
    '/proxy/v1/responses.json',
  ])('%s is a 404 of the proxy, with a key or without', async (path) => {
    for (const headers of [{}, { authorization: `Bearer ${proxy.key}` }]) {
      const response = await fetch(proxy.url + path, { method: 'POST', headers, body: '{}' });

      await expectError(response, { status: 404, code: 'unknown_url' });
    }
  });

  test('an unknown URL lists the endpoints', async () => {
    const response = await fetch(`${proxy.url}/proxy/v1/completions`);
    const { error } = await response.json();
    expect(error.message).toContain('POST /proxy/v1/responses, /proxy/v1/chat/completions, ');
    expect(error.message).toMatch(
      / and GET \/proxy\/v1\/models, .* and \/proxy\/v1\/generation\.$/,
    );
    expect(error.message).not.toContain('[');
  });

  test.each([
    ['/proxy/v1/v1/messages', '/proxy'],
    ['/v1/messages?beta=true', '/proxy'],
    ['/proxy/messages', '/proxy/v1'],
    ['/proxy/chat/completions', '/proxy/v1'],
    ['/proxy/v1/v1/responses', '/proxy/v1'],
    ['/v1/chat/completions', '/proxy/v1'],
    ['/proxy/embeddings/models', '/proxy/v1'],
    ['/proxy/api/v1/key', '/proxy/v1'],
  ])('%s names the base URL that the client wants', async (path, base) => {
    const response = await fetch(proxy.url + path, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
    const { error } = await response.json();
    expect(error.message).toContain(`base URL of this client to https://events.example${base}, `);
  });

  test.each([
    '//proxy/v1/responses',
    '/proxy/v1/responses/',
    '/proxy//v1///responses',
    '/proxy/v1/../v1/responses',
    '/proxy/v1/%2e%2e/v1/responses',
    '/./proxy/v1/responses',
    '/events/../proxy/v1/responses',
  ])('%s redirects to the canonical URL, and needs a key', async (path) => {
    const raw = await send(proxy, path, { method: 'POST' });
    expect(raw.status === 308 ? raw.header('location') : raw.status).toEqual(
      raw.status === 308 ? '/proxy/v1/responses' : 401,
    );

    const url = proxy.url + (raw.header('location') || path);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify(toRequestJson(responsesPath, model));
    expect((await fetch(url, { ...init, body })).status).toBe(401);
  });

  test('Host and forwarding headers do not change the response', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'host=evil.example',
      'x-original-url': '/proxy/v1/models',
      'x-rewrite-url': '/proxy/v1/models',
      'x-http-method-override': 'GET',
    };
    const response = await send(proxy, responsesPath, { method: 'POST', headers });

    expect(response.status).toBe(401);
    expect(JSON.stringify(response.headers) + response.text).not.toContain('evil');
  });

  // ASVS 3.4.2
  test('a preflight needs no key and allows any header', async () => {
    const wanted = 'authorization,content-type,x-stainless-retry-count';
    for (const path of [chatPath, responsesPath, '/proxy/v1/models', '/proxy/v1//responses']) {
      const response = await send(proxy, path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': wanted,
        },
      });

      expect(response.status).toBe(204);
      expect(response.header('access-control-allow-origin')).toBe('*');
      expect(response.header('access-control-allow-headers')).toBe(wanted);
      expect(response.header('access-control-allow-credentials')).toBe('');
      expect(response.header('x-request-id')).not.toBe('');
    }
  });
});

describe('whatever the API', () => {
  const proxy = runProxy();

  test('a too long body is 413, with Content-Length and chunked', async () => {
    const long = Buffer.alloc(2 * 1024 * 1024, 'x');
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(long);
        controller.close();
      },
    });
    const chunked: RequestInit & { duplex: 'half' } = { body: stream, duplex: 'half' };

    for (const init of [{ body: long }, chunked]) {
      await expectError(await proxy.post(chatPath, proxy.key, '', init), {
        status: 413,
        code: 'request_too_large',
      });
    }
  });

  test('the log contains no keys, prompts or secrets', async () => {
    await proxy.post(
      `${chatPath}?key=${proxy.key}`,
      proxy.key,
      toRequestJson(chatPath, 'fault/500', false, 'a secret'),
    );

    expect(proxy.logText()).not.toMatch(new RegExp(`${proxy.key}|a secret|${upstreamKey}`));
  });
});
