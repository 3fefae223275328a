import { beforeEach, expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';
import { startRawUpstream } from '../../support/upstreams/raw-upstream.ts';

/** What reaches an upstream that speaks the client's protocol, and what comes back. */
type Received = Readonly<{ path: string; headers: Record<string, unknown>; body: object }>;

const model = 'a/model';
const json = { 'content-type': 'application/json' };
const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'short' };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};
const replies: Readonly<Record<string, object>> = {
  '/v1/models': { data: [{ id: model }] },
  '/v1/responses/compact': {
    id: 'resp_1',
    object: 'response.compaction',
    output: [compaction],
    usage,
  },
  '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 7 },
  '/v1/messages': message,
};

const received: Received[] = [];
const upstream = forTests(() =>
  startRawUpstream((response, request, body) => {
    const path = request.url ?? '';
    const reply = replies[path];
    if (request.method === 'POST') {
      received.push({ path, headers: request.headers, body: JSON.parse(body) });
    }
    response.writeHead(reply === undefined ? 404 : 200, json);
    response.end(JSON.stringify(reply ?? { error: { message: 'Unknown URL' } }));
  }),
);
const proxy = forTests(() =>
  startInProcessProxy({
    environment: {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_MESSAGES: 'native',
      AI_MODELS: model,
    },
  }),
);
beforeEach(() => void received.splice(0));

test('a conversation is made shorter where the upstream can do it, and that is charged', async () => {
  const { text, record } = await proxy.makeKey();
  const input = [{ role: 'user', content: 'Hello' }, compaction];
  const response = await proxy.post(`${responsesPath}/compact`, text, {
    model,
    input,
    store: true,
  });

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ output: [compaction], usage });
  expect(received).toMatchObject([
    { path: '/v1/responses/compact', body: { model, store: false } },
  ]);
  expect(received[0]?.body).toMatchObject({
    input: [{ content: [{ text: 'Hello' }] }, compaction],
  });
  await expectTokens(record.id, { tokensIn: 7, tokensOut: 3 });
});

test('the tokens of an input are counted, which costs nothing', async () => {
  const { text, record } = await proxy.makeKey();
  const response = await proxy.post(`${responsesPath}/input_tokens`, text, {
    model,
    input: 'Hello',
  });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(replies['/v1/responses/input_tokens']);
  await expectTokens(record.id, { tokensIn: 0, tokensOut: 0 });
});

test.each(['compact', 'input_tokens'])(
  'state of the upstream’s account is rejected by %s',
  async (name) => {
    const body = { model, input: 'x', previous_response_id: 'resp_1' };
    const response = await proxy.post(`${responsesPath}/${name}`, proxy.key, body);

    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ param: 'previous_response_id' });
    expect(received).toEqual([]);
  },
);

test('Messages pass on betas, versions and cache marks, and neither the client’s key nor its query', async () => {
  const cached = {
    type: 'text',
    text: 'Be brief.',
    cache_control: { type: 'ephemeral', ttl: '1h' },
  };
  const body = {
    model,
    max_tokens: 9,
    system: [cached],
    messages: [{ role: 'user', content: 'Hi' }],
  };
  const betas = Array.from({ length: 50 }, (_, index) => `some-beta-${index}-2026-01-01`).join();
  const response = await fetch(`${proxy.url}${messagesPath}?beta=true`, {
    method: 'POST',
    headers: {
      ...json,
      'x-api-key': proxy.key,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': betas,
      'anthropic-organization': 'org_1',
    },
    body: JSON.stringify({ ...body, context_management: { edits: [] } }),
  });

  expect(response.status).toBe(200);
  expect(received).toMatchObject([
    {
      path: '/v1/messages',
      headers: {
        'anthropic-version': '2023-06-01',
        'anthropic-beta': betas,
      },
      body: { ...body, context_management: { edits: [] } },
    },
  ]);
  expect(JSON.stringify(received)).not.toContain(proxy.key);
  expect(JSON.stringify(received)).not.toContain('org_1');
});

test.each<[number, string, RequestInit & { body: string }]>([
  [400, chatPath, { body: '{' }],
  [404, messagesPath, { body: JSON.stringify(toRequestJson(messagesPath, 'no/model')) }],
  [413, responsesPath, { body: `{"input":"${'x'.repeat(33 * 1024 * 1024)}"}` }],
  [415, '/proxy/v1/embeddings', { body: '{}', headers: { 'content-type': 'text/plain' } }],
])('a request that is rejected with %i counts in its minute', async (status, path, init) => {
  const { text } = await proxy.makeKey({ requestsPerMinute: 1 });

  expect((await proxy.post(path, text, '', init)).status).toBe(status);
  // When the next minute begins in between, one more gets through.
  await expect.poll(async () => (await proxy.post(path, text, '', init)).status).toBe(429);
});

test('the list of models is the same for clients that state their version', async () => {
  // Codex has a catalogue of its own, and does not ask another provider for one.
  const plain = await (await fetch(`${proxy.url}/proxy/v1/models`)).json();
  const stated = await fetch(`${proxy.url}/proxy/v1/models?client_version=0.169.0`);
  expect(stated.status).toBe(200);
  expect(await stated.json()).toEqual(plain);
});

// Last, since these servers take the place of the one above.
test.each([
  ['compact', 'chat'],
  ['input_tokens', 'chat'],
  ['compact', 'native'],
] as const)(
  '%s at an upstream (%s) that lacks it is told apart from a missing model',
  async (name, kind) => {
    await using lacking = await startInProcessProxy({ upstream: kind });
    const body = toRequestJson(responsesPath, 'lantern-demo/wick-3');
    const response = await lacking.post(`${responsesPath}/${name}`, lacking.key, body);
    const { error } = await response.json();
    expect([response.status, error.code]).toEqual([404, 'unknown_url']);
    if (kind === 'chat') expect(error.message).toContain(`has no /responses/${name}`);
  },
);

function expectTokens(keyId: string, tokens: object) {
  return expect
    .poll(() => proxy.database.usage.sumByDayAndModel(keyId, '2000-01-01'))
    .toMatchObject([{ requests: 1, ...tokens }]);
}
