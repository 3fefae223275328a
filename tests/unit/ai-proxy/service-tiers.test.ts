import { describe, expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { toPricing } from '../../support/upstreams/billing-upstream.ts';

/** 1000 tokens in and 10 out at $1 and $10 a million: 0.0011 dollars, of which priority costs twice and flex half. */
const model = 'tiers/one';
const reports: Record<string, string | undefined> = {};
const requests = [
  ['chat', chatPath, { messages: [{ role: 'user', content: 'Hello' }] }],
  ['responses', responsesPath, { input: 'Hello' }],
  ['messages', messagesPath, { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }],
] as const;

describe.each(requests)('a reply to a request of %s', (protocol, path, body) => {
  const billed = forTests(() =>
    startBilledProxy({
      models: { [model]: { pricing: toPricing(1, 10) } },
      toScript: () => ({
        reply: {
          counts: { input: 1000, output: 10 },
          report: (usage) => ({ ...usage, service_tier: reports[protocol] }),
        },
      }),
      settings: {
        protocols: [protocol],
        extras: { priority: { factor: 2 }, flex: { factor: 0.5 } },
      },
    }),
  );

  test.each<[requested: string | undefined, served: string | undefined, nanoUsd: number]>([
    ['priority', 'priority', 2_200_000],
    ['priority', 'default', 1_100_000],
    ['priority', undefined, 2_200_000],
    ['flex', 'flex', 550_000],
    ['flex', 'default', 1_100_000],
    // The server may have ignored it.
    ['flex', undefined, 1_100_000],
    ['auto', 'priority', 2_200_000],
    [undefined, 'constructor', 1_100_000],
    [undefined, undefined, 1_100_000],
  ])('in tier %s that %s has served costs %i', async (requested, served, nanoUsd) => {
    reports[protocol] = served;
    for (const stream of [false, true]) {
      for (const budget of [parseBudget('1 USD/day'), null]) {
        const sent = { model, stream, service_tier: requested, ...body };
        const cost = await billed.costOf(path, sent, { budget });
        expect(cost).toEqual({ status: 200, nanoUsd });
      }
    }
  });
});

test.each<[served: string | undefined, nanoUsd: number]>([
  ['fast', 2_200_000],
  // Fast capacity was used up: litellm PR 38378.
  ['standard', 1_100_000],
  [undefined, 2_200_000],
])('a fast message that was served at the speed %s costs %i', async (served, nanoUsd) => {
  await using billed = await startBilledProxy({
    models: { [model]: { pricing: toPricing(1, 10) } },
    toScript: () => ({
      reply: {
        counts: { input: 1000, output: 10 },
        report: (usage) => ({ ...usage, service_tier: 'standard', speed: served }),
      },
    }),
    settings: { protocols: ['messages'], extras: { fast: { factor: 2 } } },
  });
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const stream of [false, true]) {
    const sent = { model, max_tokens: 50, messages, stream, speed: 'fast' };
    const cost = await billed.costOf(messagesPath, sent, { budget: parseBudget('1 USD/day') });
    expect(cost).toEqual({ status: 200, nanoUsd });
  }
});

test('a tier of Messages that is not translated does not lower the price', async () => {
  await using billed = await startBilledProxy({
    models: { [model]: { pricing: toPricing(1, 10) } },
    toScript: () => ({ reply: { counts: { input: 1000, output: 10 } } }),
    settings: { protocols: ['chat'], extras: { flex: { factor: 0.5 } } },
  });
  const messages = [{ role: 'user', content: 'Hello' }];
  const body = { model, max_tokens: 50, messages, service_tier: 'flex' };
  const cost = await billed.costOf(messagesPath, body);
  expect(cost).toEqual({ status: 200, nanoUsd: 1_100_000 });
});
