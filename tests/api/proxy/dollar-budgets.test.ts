import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { makeUsageRecord } from '../../support/factories/key-factory.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';
import { storeUsage } from '../../support/store-usage.ts';

const model = 'lantern-demo/wick-3-mini';
const noon = Date.parse('2026-03-11T12:00:00Z');
const now = () => noon;

test('a model without a price is refused where a budget in dollars applies, and only there', async () => {
  await using proxy = await startInProcessProxy({
    environment: { TOTAL_BUDGET: '5 USD/day', AI_MODELS: 'lantern-demo/*,unpriced/*' },
    now,
  });
  const { text } = await proxy.makeKey();
  for (const path of [chatPath, responsesPath, messagesPath]) {
    const response = await proxy.post(path, text, toRequestJson(path, 'unpriced/model'));
    const { error } = await response.json();
    expect([path, response.status, error.type]).toEqual([path, 403, 'permission_error']);
    expect(error.message).toContain('The price of the model "unpriced/model" is unknown');
    expect(error.message).toContain('AI_UPSTREAMS_FILE');
  }
  const priced = await proxy.post(chatPath, text, toRequestJson(chatPath, model));
  expect(priced.status).toBe(200);
});

test('a request is settled at its price, warned about from 80 % on, and shown by /key', async () => {
  await using proxy = await startInProcessProxy({
    environment: { TOTAL_BUDGET: '900 USD/month' },
    now,
  });
  const budget = parseBudget('1 USD/day');
  const { text, record } = await proxy.makeKey({ budget, tokensPerDay: 100_000 });
  await storeUsage(proxy.database, [
    makeUsageRecord({ keyId: record.id, at: noon, costUsd: 0.85 }),
  ]);
  const response = await proxy.post(chatPath, text, toRequestJson(chatPath, model));
  const { usage } = await response.json();
  expect(response.headers.get('x-marquee-budget-warning')).toBe(
    'This key has used more than 80% of its budget of the day, which ends at 2026-03-12T00:00:00Z.',
  );
  const spent = (usage.prompt_tokens * 200 + usage.completion_tokens * 800) / 1e9;
  const { data } = await (await proxy.view(text)).json();
  expect(data).toMatchObject({ limit: 1, limit_reset: 'daily' });
  expect(data.limit_remaining).toBeCloseTo(0.15 - spent, 9);
  expect(data.budgets).toEqual([
    {
      of: 'key',
      period: 'day',
      state: 'low',
      resets_at: '2026-03-12T00:00:00.000Z',
      tokens: expect.objectContaining({ limit: 100_000, used: 30 + usage.total_tokens }),
      usd: expect.objectContaining({ limit: 1 }),
    },
    { of: 'site', period: 'month', state: 'ok', resets_at: '2026-04-01T00:00:00.000Z' },
  ]);
});

test('a budget of a week is what was used since Monday', async () => {
  await using proxy = await startInProcessProxy({ now });
  const spend = async (usdByDay: Readonly<Record<string, number>>) => {
    const { text, record } = await proxy.makeKey({ budget: parseBudget('2 USD/week') });
    const records = Object.entries(usdByDay).map(([day, costUsd]) =>
      makeUsageRecord({ keyId: record.id, at: Date.parse(`${day}T23:59:59Z`), costUsd }),
    );
    await storeUsage(proxy.database, records);
    return text;
  };
  const low = await spend({ '2026-03-08': 7, '2026-03-09': 1, '2026-03-10': 0.5 });
  const { data } = await (await proxy.view(low)).json();
  expect(data).toMatchObject({ limit: 2, limit_remaining: 0.5, limit_reset: 'weekly' });

  const usedUp = await spend({ '2026-03-09': 2 });
  const rejected = await proxy.post(chatPath, usedUp, toRequestJson(chatPath, model));
  expect(rejected.status).toBe(402);
  const { error } = await rejected.json();
  expect(error.resets_at).toBe('2026-03-16T00:00:00Z');
  expect(error.message).toContain('This key may use 2.00 USD a week, and they are used up.');
});
