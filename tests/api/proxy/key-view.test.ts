import { expect, test } from 'vitest';
import { generationSchema } from '#lib/ai-proxy/endpoints.ts';
import { makeUsageRecord } from '../../support/factories/key-factory.ts';
import { forTests } from '../../support/for-tests.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';
import { storeUsage } from '../../support/store-usage.ts';

const model = 'lantern-demo/wick-3-mini';
/** A Wednesday. */
const noon = Date.parse('2026-03-11T12:00:00Z');

const proxy = forTests(() => {
  const startedAt = noon - performance.now();
  return startInProcessProxy({ now: () => Math.floor(startedAt + performance.now()) });
});

async function view(key: string) {
  const response = await proxy.view(key);
  return { response, body: await response.json() };
}

test('a key sees its limits, what is left, and what it has spent', async () => {
  const expiresAt = Date.parse('2027-01-01T00:00:00Z');
  const limits = { requestsPerMinute: 10, tokensPerDay: 5000, models: ['lantern-demo/*'] };
  const { text, record } = await proxy.makeKey({ name: 'laptop', expiresAt, ...limits });
  const spent = (day: string, costUsd: number | null) =>
    makeUsageRecord({
      keyId: record.id,
      at: Date.parse(`${day}T12:00:00Z`),
      costUsd,
      cachedTokens: 4,
      cacheWriteTokens: 1,
    });
  await storeUsage(proxy.database, [
    spent('2026-03-10', 0.5),
    spent('2026-03-02', 0.25),
    spent('2026-02-01', 2),
    spent('2026-02-01', null),
    makeUsageRecord({ keyId: 'key_of_another', at: noon }),
  ]);
  const used = await proxy.post(chatPath, text, toRequestJson(chatPath, model));
  const { usage } = await used.json();
  const costUsd = (usage.prompt_tokens * 0.2 + usage.completion_tokens * 0.8) / 1_000_000;

  const { response, body } = await view(text);

  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(body.data).toMatchObject({
    name: 'laptop',
    label: 'laptop',
    models: ['lantern-demo/*'],
    limit: null,
    limit_remaining: null,
    is_free_tier: false,
    expires_at: '2027-01-01T00:00:00.000Z',
    rate_limit: { requests: 10, interval: '1m' },
    tokens_per_day: {
      limit: 5000,
      used: usage.total_tokens,
      remaining: 5000 - usage.total_tokens,
      resets_at: '2026-03-12T00:00:00.000Z',
    },
    tokens: {
      daily: usage.total_tokens,
      weekly: usage.total_tokens + 30,
      monthly: usage.total_tokens + 60,
      total: usage.total_tokens + 120,
    },
    tokens_cached: { daily: 0, weekly: 4, monthly: 8, total: 16 },
    tokens_cache_written: { daily: 0, weekly: 1, monthly: 2, total: 4 },
  });
  expect(body.data.usage_daily).toBeCloseTo(costUsd, 10);
  expect(body.data.usage_weekly).toBeCloseTo(costUsd + 0.5, 10);
  expect(body.data.usage_monthly).toBeCloseTo(costUsd + 0.75, 10);
  expect(body.data.usage).toBeCloseTo(costUsd + 2.75, 10);
});

test('looking counts as a request, and a key without tokens sees that it has none', async () => {
  const { text, record } = await proxy.makeKey({ requestsPerMinute: 2, tokensPerDay: 30 });
  await storeUsage(proxy.database, [makeUsageRecord({ keyId: record.id, at: noon })]);
  const { response, body } = await view(text);
  expect(response.status).toBe(200);
  expect(body.data.tokens_per_day).toMatchObject({ used: 30, remaining: 0 });
  const { text: other } = await proxy.makeKey({ requestsPerMinute: 2 });
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await view(other)).response.status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('without a valid key it is a 401', async () => {
  expect((await fetch(`${proxy.url}/proxy/v1/key`)).status).toBe(401);
  expect((await view('mq_wrong')).body.error.code).toBe('invalid_api_key');
});

test.each([
  [chatPath, false],
  [chatPath, true],
  [responsesPath, false],
  [responsesPath, true],
  [messagesPath, false],
  [messagesPath, true],
])(
  'the key of a reply of %s (stream: %s) finds it by its id and by that of its request',
  async (path, isStream) => {
    const { text: other } = await proxy.makeKey({ requestsPerMinute: 30 });
    const sent = await proxy.post(path, proxy.key, toRequestJson(path, model, isStream));
    const replyId = /"id":\s*"((?:chatcmpl|resp|msg)[^"]*)"/.exec(await sent.text())?.[1] ?? '';
    expect(replyId).not.toBe('');
    const find = async (id: string, key = proxy.key) => {
      const query = new URLSearchParams({ id });
      const response = await fetch(`${proxy.url}/proxy/v1/generation?${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return { status: response.status, body: await response.json() };
    };
    const requestId = sent.headers.get('x-request-id') ?? '';

    await expect.poll(async () => (await find(replyId)).status).toBe(200);
    const { body } = await find(replyId);
    expect(body.data).toMatchObject({
      id: replyId,
      request_id: requestId,
      model,
      streamed: isStream,
      cancelled: false,
      status: 200,
      error_code: null,
      total_cost: expect.any(Number),
    });
    expect(body.data.tokens_completion).toBeGreaterThan(0);
    expect(generationSchema.safeParse(body).error).toBeUndefined();
    expect((await find(requestId)).body).toEqual(body);
    expect((await find(replyId, other)).status).toBe(404);
    expect((await find('')).body.error.param).toBe('id');
  },
);

test('a failed request is found by its id, with its error', async () => {
  const body = toRequestJson(chatPath, 'fault/http-500-after');
  const sent = await proxy.post(chatPath, proxy.key, body, {
    headers: { 'x-request-id': 'request-0123' },
  });
  const { error } = await sent.json();
  const find = async () => {
    const response = await fetch(`${proxy.url}/proxy/v1/generation?id=request-0123`, {
      headers: { authorization: `Bearer ${proxy.key}` },
    });
    return (await response.json()).data;
  };
  await expect.poll(find).toMatchObject({ status: sent.status, error_code: error.code });
});

test('a key sees what it has used by day and model, and nothing of another', async () => {
  const { text, record } = await proxy.makeKey({ requestsPerMinute: 30 });
  const spent = (day: string, name: string, costUsd: number | null, keyId = record.id) =>
    makeUsageRecord({
      keyId,
      at: Date.parse(`${day}T23:59:00Z`),
      model: name,
      tokensIn: 100,
      tokensOut: 10,
      cachedTokens: 4,
      cacheWriteTokens: 1,
      costUsd,
    });
  await storeUsage(proxy.database, [
    spent('2026-03-11', 'north/a', 0.5),
    spent('2026-03-11', 'north/a', 0.25),
    spent('2026-03-11', 'north/b', null),
    spent('2026-02-10', 'north/a', 1),
    spent('2026-02-09', 'north/a', 2),
    spent('2026-03-11', 'north/a', 9, 'key_of_another'),
  ]);
  const authorization = `Bearer ${text}`;
  const read = async (query: string) => {
    const response = await fetch(`${proxy.url}/proxy/v1/usage${query}`, {
      headers: { authorization },
    });
    return { status: response.status, body: await response.json() };
  };
  const amounts = (requests: number, usage: number | null) => ({
    requests,
    prompt_tokens: requests * 100,
    completion_tokens: requests * 10,
    cached_tokens: requests * 4,
    cache_write_tokens: requests,
    usage,
  });

  expect(await read('')).toEqual({
    status: 200,
    body: {
      object: 'list',
      from: '2026-02-10',
      to: '2026-03-11',
      data: [
        { date: '2026-03-11', model: 'north/a', ...amounts(2, 0.75) },
        { date: '2026-03-11', model: 'north/b', ...amounts(1, null) },
        { date: '2026-02-10', model: 'north/a', ...amounts(1, 1) },
      ],
    },
  });
  expect((await read('?by=day&from=2026-02-09&to=2026-02-10')).body.data).toEqual([
    { date: '2026-02-10', ...amounts(1, 1) },
    { date: '2026-02-09', ...amounts(1, 2) },
  ]);
  expect((await read('?by=model&from=2025-03-11')).body.data).toEqual([
    { model: 'north/a', ...amounts(4, 3.75) },
    { model: 'north/b', ...amounts(1, null) },
  ]);
  for (const [query, param] of [
    ['?from=2026-02-30', 'from'],
    ['?from=2026-03-12', 'from'],
    ['?from=2025-03-10', 'from'],
    ['?to=tomorrow', 'to'],
    ['?by=hour', 'by'],
    ['?by=constructor', 'by'],
    ['?from=2026-03-01&from=2026-03-02', 'from'],
    ['?key=key_of_another', 'key'],
  ]) {
    const { status, body } = await read(query ?? '');
    expect([status, body.error.param], query).toEqual([400, param]);
  }
  const without = await fetch(`${proxy.url}/proxy/v1/usage`);
  expect(without.status).toBe(401);
});
