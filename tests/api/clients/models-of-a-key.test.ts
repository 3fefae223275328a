import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type InProcessProxy,
  startInProcessProxy,
} from '../../support/servers/in-process-proxy.ts';

let proxy: InProcessProxy;
let limited: string;
beforeAll(async () => {
  proxy = await startInProcessProxy();
  limited = (await proxy.makeKey({ models: ['lantern-demo/wick-3', 'lantern-demo/embed-large'] }))
    .text;
});
afterAll(() => proxy[Symbol.asyncDispose]());

const anthropic = { 'anthropic-version': '2023-06-01' } as const;
const paths = ['/models', '/embeddings/models', '/models/lantern-demo/wick-3'] as const;

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(proxy.baseUrl + path, { headers });

async function listIds(path: string, headers: Record<string, string> = {}): Promise<string[]> {
  const { data } = await (await read(path, headers)).json();
  return data.map(({ id }: { id: string }) => id);
}

test('without a key the lists are public, and all caches may store them', async () => {
  for (const path of paths) {
    const response = await read(path);
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(response.headers.get('vary')).toMatch(/\bAuthorization, X-Api-Key, Api-Key\b/);
  }
});

test('with a key they have what it may use, whichever header has it', async () => {
  const all = await listIds('/models');
  expect(all.length).toBeGreaterThan(1);
  const headers = [
    { authorization: `Bearer ${limited}` },
    { 'x-api-key': limited },
    { 'api-key': limited },
    { 'x-api-key': limited, ...anthropic },
  ];
  for (const sent of headers)
    expect(await listIds('/models', sent)).toEqual(['lantern-demo/wick-3']);
  const [first = {}] = headers;
  expect(await listIds('/embeddings/models', first)).toEqual(['lantern-demo/embed-large']);
  expect(await listIds('/models', { authorization: `Bearer ${proxy.key}` })).toEqual(all);
});

test('a reply to a key is private, counts, and is not given to anybody else', async () => {
  for (const path of paths) {
    const authorization = `Bearer ${limited}`;
    const own = await read(path, { authorization });
    expect(own.headers.get('cache-control')).toBe('private, no-cache');
    expect(own.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
    const text = await own.text();
    const everybody = await (await read(path)).text();
    expect(await (await read(path, { authorization })).text()).toBe(text);
    expect(await (await read(path)).text()).toBe(everybody);
    const etag = own.headers.get('etag') ?? '';
    const again = await read(path, { authorization, 'if-none-match': etag });
    expect(again.status).toBe(304);
  }
});

test('a key that is not valid gets the 401 of its API', async () => {
  const authorization = `Bearer mq_${'x'.repeat(49)}`;
  for (const path of paths) {
    const response = await read(path, { authorization });
    expect(response.status).toBe(401);
    expect((await response.json()).error).toMatchObject({ code: 'invalid_api_key' });
    const other = await read(path, { authorization, ...anthropic });
    expect(other.status).toBe(401);
    expect(await other.json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    });
  }
});

test('a model that a key may not use is a 404 that names none of the others', async () => {
  const authorization = `Bearer ${limited}`;
  const response = await read('/models/lantern-demo/wick-3-mini', { authorization });
  expect(response.status).toBe(404);
  const { error } = await response.json();
  expect(error.code).toBe('model_not_found');
  expect(error.message).not.toMatch(/mean "(?!lantern-demo\/(?:wick-3|embed-large)")/);
  const variant = await read('/models/lantern-demo/wick-3:free', { authorization });
  expect(variant.status).toBe(200);
  expect((await read('/models/lantern-demo/wick-3-mini')).status).toBe(200);
});
