import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createUpstreamSet } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { makeUpstreamSettings } from '../../../support/factories/upstream-settings.ts';
import { createTestLog } from '../../../support/test-log.ts';
import { startRawUpstream } from '../../../support/upstreams/raw-upstream.ts';

type Respond = (request: IncomingMessage, url: URL) => object | null;

const never = () => Promise.reject(new Error('Nothing is limited.'));

/** The lists of an upstream whose servers respond like this; null: 404. */
async function readLists(respond: Respond, more: Partial<UpstreamSettings> = {}, path = '') {
  const server = await startRawUpstream((response, request) => {
    const body = respond(request, new URL(request.url ?? '', 'http://here'));
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: { message: 'not found' } }));
  });
  const url = server.url.replace(/\/v1$/, path || '/v1');
  const set = createUpstreamSet({
    settings: { upstreams: [makeUpstreamSettings('north', url, more)], models: [] },
    firstByteMs: 5000,
    worker: { index: 0, count: 1 },
    sharedSlots: { slots: { take: never, renew: never, free: never }, readClock: never },
    now: Date.now,
    log: createTestLog(),
  });
  onTestFinished(async () => {
    await set.close();
    await server[Symbol.asyncDispose]();
  });
  const [upstream] = set.upstreams();
  return (await upstream?.lists.current())?.value;
}

test('Anthropic’s list is read with its headers, all pages of it', async () => {
  const ids = ['claude-opus', 'claude-sonnet', 'claude-haiku'];
  const lists = await readLists(
    ({ headers }, { pathname, searchParams }) => {
      if (pathname !== '/v1/models' || headers['x-api-key'] !== 'k') return null;
      if (headers['anthropic-version'] === undefined) return null;
      const at = ids.indexOf(searchParams.get('after_id') ?? '') + 1;
      const id = ids[at] ?? '';
      const created_at = '2026-02-19T00:00:00Z';
      const data = [{ type: 'model', id, display_name: `The ${id}`, created_at }];
      return { data, has_more: at < 2, first_id: id, last_id: id };
    },
    { protocols: ['messages'] },
  );
  expect(lists?.language).toMatchObject(
    ids.map((id) => ({
      id,
      created: 1_771_459_200,
      kind: 'language',
      listed: { name: `The ${id}` },
    })),
  );
});

// Codewhale 6009, Agora 41
test.each([true, false])(
  'a gateway’s list is read, all pages of it; it has pages: %s',
  async (hasPages) => {
    const ids = ['m/one', 'm/two', 'm/three'];
    let requests = 0;
    const lists = await readLists((_, { pathname, searchParams }) => {
      if (pathname !== '/v1/models') return null;
      requests += 1;
      const at = hasPages ? ids.indexOf(searchParams.get('after') ?? '') + 1 : 0;
      const data = [{ id: ids[at], object: 'model' }];
      return { data, has_more: at < 2, first_id: ids[at], last_id: ids[at] };
    });
    expect([...(lists?.byId.keys() ?? [])]).toEqual(hasPages ? ids : ids.slice(0, 1));
    expect(requests).toBe(hasPages ? 3 : 2);
  },
);

test('Gemini’s own list is read, all pages of it, with lengths and kinds', async () => {
  const lists = await readLists((_, { pathname, searchParams }) => {
    if (pathname !== '/v1/models') return null;
    const isSecond = searchParams.get('pageToken') === 'next page';
    const model = (name: string, method: string) => ({
      name: `models/${name}`,
      displayName: name.toUpperCase(),
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: [method, 'countTokens'],
    });
    return isSecond
      ? { models: [model('vectors-1', 'embedContent')] }
      : { models: [model('gemini-flash', 'generateContent')], nextPageToken: 'next page' };
  });
  expect(lists?.language).toMatchObject([
    {
      id: 'gemini-flash',
      listed: {
        name: 'GEMINI-FLASH',
        context_length: 1_048_576,
        top_provider: { max_completion_tokens: 65_536 },
      },
    },
  ]);
  expect(lists?.embedding.map(({ id }) => id)).toEqual(['vectors-1']);
});

test('Gemini’s list for clients of OpenAI has ids without a prefix', async () => {
  const lists = await readLists(
    (_, { pathname }) =>
      pathname === '/v1beta/openai/models'
        ? { object: 'list', data: [{ id: 'models/gemini-flash', object: 'model' }] }
        : null,
    {},
    '/v1beta/openai',
  );
  expect([...(lists?.byId.keys() ?? [])]).toEqual(['gemini-flash']);
});

test('the list of an Ollama without /v1/models is the one of its tags', async () => {
  const lists = await readLists((_, { pathname }) =>
    pathname === '/api/tags'
      ? {
          models: [
            {
              name: 'qwen3:8b',
              model: 'qwen3:8b',
              modified_at: '2026-02-19T01:00:00.123+01:00',
              size: 5_200_000_000,
              details: { family: 'qwen3', parameter_size: '8.2B' },
            },
            { name: 'nomic-embed-text:latest', model: 'nomic-embed-text:latest' },
          ],
        }
      : null,
  );
  expect(lists?.language).toMatchObject([{ id: 'qwen3:8b', created: 1_771_459_200 }]);
  expect(lists?.embedding.map(({ id }) => id)).toEqual(['nomic-embed-text:latest']);
});

test.each([
  ['Groq', { context_window: 131_072, max_completion_tokens: 8192 }, 131_072, 8192],
  ['vLLM', { max_model_len: 32_768 }, 32_768, undefined],
  ['Mistral', { max_context_length: 131_072 }, 131_072, undefined],
])('%s lists how much a model takes', async (_, record, context, reply) => {
  const lists = await readLists((_, { pathname }) =>
    pathname === '/v1/models' ? { object: 'list', data: [{ id: 'm', ...record }] } : null,
  );
  const listed = lists?.byId.get('m')?.listed;
  expect(listed?.context_length).toBe(context);
  expect(listed?.top_provider?.max_completion_tokens).toBe(reply);
});

test('the query of Azure’s URL is part of the list’s, whatever page it is', async () => {
  const urls: string[] = [];
  const lists = await readLists(
    ({ headers, url = '' }, { pathname, searchParams }) => {
      urls.push(url);
      const isRight = headers['api-key'] === 'k' && headers.authorization === undefined;
      if (!isRight || searchParams.get('api-version') !== '2024-10-21') return null;
      if (pathname !== '/openai/models') return null;
      const isSecond = searchParams.has('after_id');
      return { data: [{ id: isSecond ? 'b' : 'a' }], has_more: !isSecond, last_id: 'a' };
    },
    { auth: 'api-key' },
    '/openai?api-version=2024-10-21',
  );
  expect([...(lists?.byId.keys() ?? [])]).toEqual(['a', 'b']);
  expect(urls).toContain('/openai/models?after_id=a&api-version=2024-10-21');
});

// bifrost 6711 and one-api 128; zed 23764; forgecode 3507; openai-api-rs 175; localmind 11
test.each([
  ['an array, as of Together', [{ id: 'm/one', organization: 'Org', context_length: 4096 }]],
  [
    'an array, with other types of fields',
    [{ id: 'm/one', permission: {}, root: 'm', parent: null }],
  ],
  [
    'entries without fields that others have',
    { data: [{ id: 'm/one', type: 'vlm', arch: null }, {}] },
  ],
  [
    'llama.cpp as a router',
    { data: [{ id: 'm/one', aliases: [], tags: [], status: { value: 'unloaded', args: ['x'] } }] },
  ],
  ['no `object`', { data: [{ id: 'm/one' }] }],
  [
    'names beside ids, as of llama.cpp',
    { models: [{ name: 'm/one', model: 'm/one' }], object: 'list', data: [{ id: 'm/one' }] },
  ],
])('a list is read: %s', async (_, list) => {
  const lists = await readLists((_request, { pathname }) =>
    pathname === '/v1/models' ? list : null,
  );
  expect([...(lists?.byId.keys() ?? [])]).toEqual(['m/one']);
});
