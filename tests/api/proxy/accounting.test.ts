import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chatPath,
  type InProcessProxy,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';

const model = 'lantern-demo/wick-3-mini';

let proxy: InProcessProxy;
beforeAll(async () => {
  // Noon, since budgets are reset at midnight.
  const noon = Date.parse('2026-03-10T12:00:00Z') - performance.now();
  proxy = await startInProcessProxy({ now: () => Math.floor(noon + performance.now()) });
});
afterAll(() => proxy[Symbol.asyncDispose]());

async function sumOf(keyId: string) {
  const sums = await proxy.database.usage.sumByDayAndModel(keyId, '2000-01-01');
  return {
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
    tokens: sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0),
    costUsd: sums.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
  };
}

async function send(key: string, body: object): Promise<Response> {
  const response = await proxy.post(chatPath, key, body);
  await response.bytes();
  return response;
}

const tokensLeft = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining-tokens'));

describe('limits', () => {
  test('concurrent requests never exceed the token budget', async () => {
    // Room for three replies of 900 tokens with their prompts, and for nothing else.
    const { text: key, record } = await proxy.makeKey({ tokensPerDay: 2725 });
    const client = new AbortController();
    const hanging = { ...toRequestJson(chatPath, 'fault/hang', true), max_tokens: 900 };
    const reserving = Array.from({ length: 3 }, () =>
      proxy.post(chatPath, key, hanging, { signal: client.signal }).catch(() => null),
    );
    await expect.poll(() => proxy.modelServer.stats().openRequests).toBe(3);

    const body = { ...toRequestJson(chatPath, model), max_tokens: 900 };
    const rejected = await Promise.all(Array.from({ length: 20 }, () => send(key, body)));

    expect(rejected.map(({ status }) => status)).toEqual(Array(20).fill(429));
    expect(rejected[0]?.headers.get('retry-after')).toBe('1');
    client.abort();
    await Promise.all(reserving);
    await expect.poll(() => proxy.modelServer.stats().openRequests).toBe(0);
    expect((await send(key, body)).status).toBe(200);
    await expect.poll(async () => (await sumOf(record.id)).requests).toBe(4);
    await expect
      .poll(() => proxy.database.rejections.sum('2000-01-01', record.id))
      .toEqual([{ keyId: record.id, status: 429, code: 'rate_limit_exceeded', count: 20 }]);
  });

  test('concurrent requests never exceed the requests per minute', async () => {
    const { text: key } = await proxy.makeKey({ requestsPerMinute: 10 });

    const responses = await Promise.all(
      Array.from({ length: 40 }, () => send(key, toRequestJson(chatPath, model))),
    );

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('a failed request costs nothing and releases its reservation', async () => {
    const { text: key, record } = await proxy.makeKey({ tokensPerDay: 5000 });

    for (let round = 0; round < 12; round++) {
      expect((await send(key, toRequestJson(chatPath, `fault/500:${round}`))).status).toBe(502);
      expect(
        (await send(key, toRequestJson(chatPath, `fault/200-error:${round}`, true))).status,
      ).toBe(502);
    }

    const last = await send(key, { ...toRequestJson(chatPath, model), max_tokens: 10 });
    expect(last.status).toBe(200);
    // What it reserves for itself.
    expect(tokensLeft(last)).toBeGreaterThan(4800);
    await expect.poll(async () => (await sumOf(record.id)).requests).toBe(25);
  });

  test('a client that disconnects from a stream pays for what it received', async () => {
    const { text: key, record } = await proxy.makeKey({ tokensPerDay: 100_000 });
    const { text: other } = await proxy.makeKey({ tokensPerDay: 100_000 });
    const client = new AbortController();
    const body = toRequestJson(chatPath, 'fault/pace:20', true, 'count to 500');
    const response = await proxy.post(chatPath, key, body, { signal: client.signal });
    const reader = response.body?.getReader();
    for (let round = 0; round < 8; round++) await reader?.read();

    client.abort();

    await expect.poll(async () => (await sumOf(record.id)).requests).toBe(1);
    const { tokens } = await sumOf(record.id);
    expect(tokens).toBeGreaterThan(5);
    const [mine, others] = [
      await send(key, toRequestJson(chatPath, model)),
      await send(other, toRequestJson(chatPath, model)),
    ];
    expect(tokensLeft(others) - tokensLeft(mine)).toBe(tokens);
  });

  test('the budget decreases by the recorded tokens, and each record has a cost', async () => {
    const { text: key, record } = await proxy.makeKey({ tokensPerDay: 100_000 });
    await send(key, toRequestJson(chatPath, model));
    await expect.poll(async () => (await sumOf(record.id)).requests).toBe(1);
    const { tokens, costUsd } = await sumOf(record.id);

    // From now on prompts are reserved as the first one was counted.
    const second = await send(key, toRequestJson(chatPath, model));
    const third = await send(key, toRequestJson(chatPath, model));

    expect(tokensLeft(second) - tokensLeft(third)).toBe(tokens);
    expect(costUsd).toBeGreaterThan(0);
  });
});

test('no file of the database contains prompts, replies or keys', async () => {
  const { text: key, record } = await proxy.makeKey();
  for (const isStream of [false, true]) {
    const body = toRequestJson(chatPath, model, isStream, 'a prompt of plumbago and quinces');
    const response = await proxy.post(chatPath, key, body);
    expect(await response.text()).toContain('plumbago');
  }
  await expect.poll(async () => (await sumOf(record.id)).requests).toBe(2);

  const entries = await readdir(proxy.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.some(({ parentPath }) => parentPath.endsWith('usage'))).toBe(true);
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name), 'latin1');
    expect(bytes).not.toMatch(new RegExp(`plumbago|quinces|${key}`));
  }
});
