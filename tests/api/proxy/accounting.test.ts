import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chatPath,
  type InProcessProxy,
  startInProcessProxy,
  toRequestJson,
} from '../../support/in-process-proxy.ts';

const model = 'lantern-demo/wick-3-mini';

let house: InProcessProxy;
beforeAll(async () => {
  // Noon: no test goes over midnight, when budgets begin anew.
  const noon = Date.parse('2026-03-10T12:00:00Z') - performance.now();
  house = await startInProcessProxy({ now: () => Math.floor(noon + performance.now()) });
});
afterAll(() => house[Symbol.asyncDispose]());

async function sumOf(keyId: string) {
  const sums = await house.database.usage.sumByDayAndModel(keyId, '2000-01-01');
  return {
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
    tokens: sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0),
    costUsd: sums.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
  };
}

async function ask(key: string, body: object): Promise<Response> {
  const response = await house.post(chatPath, key, body);
  await response.bytes();
  return response;
}

const tokensLeft = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining-tokens'));

describe('limits', () => {
  test('requests at the same time never spend a budget twice', async () => {
    const { text: key, record } = await house.makeKey({ tokensPerDay: 3000 });
    const left = new AbortController();
    const hanging = { ...toRequestJson(chatPath, 'fault/hang', true), max_tokens: 900 };
    const holders = Array.from({ length: 3 }, () =>
      house.post(chatPath, key, hanging, { signal: left.signal }).catch(() => null),
    );
    await vi.waitFor(() => expect(house.modelServer.stats().openRequests).toBe(3), 5000);

    const sound = { ...toRequestJson(chatPath, model), max_tokens: 900 };
    const refused = await Promise.all(Array.from({ length: 20 }, () => ask(key, sound)));

    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(429));
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    left.abort();
    await Promise.all(holders);
    await vi.waitFor(() => expect(house.modelServer.stats().openRequests).toBe(0), 5000);
    expect((await ask(key, sound)).status).toBe(200);
    await vi.waitFor(async () => expect((await sumOf(record.id)).requests).toBe(24), 5000);
  });

  test('requests at the same time never slip through the minute', async () => {
    const { text: key } = await house.makeKey({ requestsPerMinute: 10 });

    const responses = await Promise.all(
      Array.from({ length: 40 }, () => ask(key, toRequestJson(chatPath, model))),
    );

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('what failed costs nothing, and holds nothing', async () => {
    const { text: key, record } = await house.makeKey({ tokensPerDay: 5000 });

    for (let round = 0; round < 12; round++) {
      expect((await ask(key, toRequestJson(chatPath, `fault/500:${round}`))).status).toBe(502);
      expect(
        (await ask(key, toRequestJson(chatPath, `fault/200-error:${round}`, true))).status,
      ).toBe(502);
    }

    const last = await ask(key, { ...toRequestJson(chatPath, model), max_tokens: 10 });
    expect(last.status).toBe(200);
    expect(tokensLeft(last)).toBeGreaterThan(4900);
    await vi.waitFor(async () => expect((await sumOf(record.id)).requests).toBe(25), 5000);
  });

  test('whoever leaves a stream early has paid for what came until then', async () => {
    const { text: key, record } = await house.makeKey({ tokensPerDay: 100_000 });
    const { text: other } = await house.makeKey({ tokensPerDay: 100_000 });
    const left = new AbortController();
    const body = toRequestJson(chatPath, 'fault/pace:20', true, 'count to 500');
    const response = await house.post(chatPath, key, body, { signal: left.signal });
    const reader = response.body?.getReader();
    for (let round = 0; round < 8; round++) await reader?.read();

    left.abort();

    await vi.waitFor(async () => expect((await sumOf(record.id)).requests).toBe(1), 5000);
    const { tokens } = await sumOf(record.id);
    expect(tokens).toBeGreaterThan(5);
    const [mine, others] = [
      await ask(key, toRequestJson(chatPath, model)),
      await ask(other, toRequestJson(chatPath, model)),
    ];
    expect(tokensLeft(others) - tokensLeft(mine)).toBe(tokens);
  });

  test('a budget falls by what a record says, and each record has its price', async () => {
    const { text: key, record } = await house.makeKey({ tokensPerDay: 100_000 });
    const first = await ask(key, toRequestJson(chatPath, model));
    await vi.waitFor(async () => expect((await sumOf(record.id)).requests).toBe(1), 5000);
    const { tokens, costUsd } = await sumOf(record.id);

    const second = await ask(key, toRequestJson(chatPath, model));

    expect(tokensLeft(first) - tokensLeft(second)).toBe(tokens);
    expect(costUsd).toBeGreaterThan(0);
  });
});

test('neither prompts nor replies nor keys are in any file of the database', async () => {
  const { text: key, record } = await house.makeKey();
  for (const isStream of [false, true]) {
    const body = toRequestJson(chatPath, model, isStream, 'a prompt of plumbago and quinces');
    const response = await house.post(chatPath, key, body);
    expect(await response.text()).toContain('plumbago');
  }
  await vi.waitFor(async () => expect((await sumOf(record.id)).requests).toBe(2), 5000);

  const names = await readdir(house.dataDir);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const bytes = await readFile(join(house.dataDir, name), 'latin1');
    expect(bytes).not.toMatch(new RegExp(`plumbago|quinces|${key}`));
  }
});
