import { expect, onTestFinished, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';

const model = 'bill/one';
const listing = { pricing: toPricing(1, 2), contextTokens: 200_000, replyTokensMax: 32_000 };

async function start(toScript: (request: ModelRequest) => Script): Promise<BilledProxy> {
  const billed = await startBilledProxy({ models: { [model]: listing }, toScript });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  return billed;
}

const toBody = (fields: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Hello' }],
  ...fields,
});

const read = async ({ proxy }: BilledProxy, key: string, fields: object = {}) => {
  const response = await proxy.post(chatPath, key, toBody(fields));
  return { status: response.status, text: await response.text() };
};

const shortDollar = { budget: parseBudget('0.001 USD/day') };

test.each([
  ['a server that takes no bound', {}, 'max_tokens is not supported here'],
  [
    'a server that takes no bound, in a stream',
    { stream: true },
    'max_tokens is not supported here',
  ],
])('%s gets no request that the budget does not cover', async (_, fields, message) => {
  const billed = await start(({ max_tokens: bound }) =>
    bound === undefined
      ? { reply: { counts: { input: 10, output: 32_000 } } }
      : {
          reply: { counts: { input: 10, output: 0 } },
          status: 400,
          errorBody: { error: { message, type: 'invalid_request_error', param: 'max_tokens' } },
        },
  );
  const { proxy } = billed;
  const [poor, rich] = [await proxy.makeKey(shortDollar), await proxy.makeKey()];

  const { status, text } = await read(billed, poor.text, fields);
  expect([status, JSON.parse(text).error.code]).toEqual([402, 'insufficient_quota']);
  expect(text).toContain('takes no bound');
  expect(billed.upstream.totalUsd()).toBe(0);
  // It costs 0.064 dollars.
  expect((await read(billed, rich.text, fields)).status).toBe(200);
});

test('many requests at once to a server that takes no bound use no more than the budget', async () => {
  const billed = await start(({ max_tokens: bound }) =>
    bound === undefined
      ? { reply: { counts: { input: 10, output: 32_000 } }, waitMs: 500 }
      : {
          reply: { counts: { input: 10, output: 0 } },
          status: 400,
          errorBody: { error: { message: 'no', param: 'max_tokens' } },
        },
  );
  const key = await billed.proxy.makeKey({ budget: parseBudget('0.2 USD/day') });
  const fields = { stream: true };
  await Promise.all(Array.from({ length: 20 }, () => read(billed, key.text, fields)));

  expect(billed.upstream.totalUsd()).toBeGreaterThan(0);
  expect(billed.upstream.totalUsd()).toBeLessThanOrEqual(0.2);
});

test.each([true, false])(
  'tokens of a prompt count up to the context of the model: stream %s',
  async (stream) => {
    const report = (usage: object) => ({
      ...usage,
      prompt_tokens: 2_000_000,
      total_tokens: 2_000_006,
    });
    const billed = await start(() => ({ reply: { counts: { input: 10, output: 6 }, report } }));
    const key = await billed.proxy.makeKey();
    expect((await read(billed, key.text, { stream })).status).toBe(200);

    const { tokens, nanoUsd } = await billed.chargeOf(key);
    expect([tokens, nanoUsd]).toEqual([200_006, 200_012_000]);
    // What was reported is kept beside that.
    expect(await billed.proxy.database.usage.countDisbelieved(0)).toEqual([
      { upstream: 'bill', count: 1 },
    ]);
  },
);

test.each([
  [
    'all of its usage',
    (usage: object) => ({ ...usage, completion_tokens: 9000, total_tokens: 9010 }),
  ],
  ['only its reply', () => ({ completion_tokens: 9000 })],
])(
  '30 streams with a bound of 300 use no more than their budget, where each reports 9,000: %s',
  async (_, report) => {
    const billed = await start(() => ({
      reply: { counts: { input: 10, output: 6 }, report },
      waitMs: 200,
    }));
    const key = await billed.proxy.makeKey({ budget: parseBudget('0.02 USD/day') });
    const fields = { stream: true, max_tokens: 300 };
    await Promise.all(Array.from({ length: 30 }, () => read(billed, key.text, fields)));

    const { nanoUsd, records } = await billed.chargeOf(key);
    expect(records).toBeGreaterThan(5);
    expect(nanoUsd).toBeLessThanOrEqual(20_000_000);
  },
);

test('output beyond the bound counts once two owners have shown how much, and is then reserved', async () => {
  const report = (usage: object) => ({ ...usage, completion_tokens: 1500, total_tokens: 1510 });
  const billed = await start(() => ({
    reply: { counts: { input: 10, output: 6 }, report },
    waitMs: 200,
  }));
  const { proxy } = billed;
  const fields = { max_tokens: 300 };
  const charges: number[] = [];
  for (let owner = 0; owner < 3; owner++) {
    const key = await proxy.makeKey();
    await read(billed, key.text, fields);
    charges.push((await billed.chargeOf(key)).tokens);
  }
  expect(charges).toEqual([310, 310, 1510]);

  const key = await proxy.makeKey({ tokensPerDay: 10_000 });
  await Promise.all(Array.from({ length: 30 }, () => read(billed, key.text, fields)));
  // The last prompt may be larger than its estimate.
  expect((await billed.chargeOf(key)).tokens).toBeLessThanOrEqual(10_000 + 10);
});

test.each([
  [chatPath, { max_tokens: 1 }],
  [messagesPath, { max_tokens: 1 }],
  [responsesPath, { max_output_tokens: 16, input: 'Hello', messages: undefined }],
])('a reply beyond its bound counts as far as it is there: %s', async (path, fields) => {
  // llama.cpp takes its own `n_predict` before the bound.
  const billed = await start(({ n_predict: output }) => ({
    reply: { counts: { input: 10, output: Number(output) } },
  }));
  const { proxy } = billed;
  const key = await proxy.makeKey();
  const response = await proxy.post(path, key.text, toBody({ n_predict: 9000, ...fields }));
  await response.bytes();

  const { tokens, nanoUsd } = await billed.chargeOf(key);
  expect([response.status, tokens, nanoUsd]).toEqual([200, 9010, 18_010_000]);
});

test('one owner alone moves no reservation of others, however much its replies report', async () => {
  const report = (usage: object) => ({
    ...usage,
    completion_tokens: 190_000,
    total_tokens: 190_010,
  });
  const billed = await start(({ user }) => ({
    reply: { counts: { input: 10, output: 6 }, ...(user === 'hostile' && { report }) },
  }));
  const { proxy } = billed;
  const hostile = await proxy.makeKey();
  for (let turn = 0; turn < 5; turn++) {
    await read(billed, hostile.text, { user: 'hostile', max_tokens: 1 });
  }
  const key = await proxy.makeKey({ tokensPerDay: 5000 });
  expect((await read(billed, key.text, { max_tokens: 300 })).status).toBe(200);
  expect((await billed.chargeOf(hostile)).tokens).toBe(5 * 16);
});

test('searches of the web that nobody can have made are not charged', async () => {
  const pricing = toPricing(1, 2, { web_search: '0.01' });
  const report = (usage: object) => ({
    ...usage,
    server_tool_use: { web_search_requests: 1_000_000 },
  });
  const billed = await startBilledProxy({
    models: { [model]: { ...listing, pricing } },
    toScript: () => ({ reply: { counts: { input: 10, output: 6 }, report } }),
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  const key = await billed.proxy.makeKey();
  await read(billed, key.text);

  expect((await billed.chargeOf(key)).nanoUsd).toBeLessThanOrEqual(1_000_022_000);
});

test('requests that cost more than the list reserve that once it is known', async () => {
  const billed = await start(() => ({
    reply: { counts: { input: 12, output: 6 }, report: (usage) => ({ ...usage, cost: 0.0004 }) },
    waitMs: 300,
  }));
  const { proxy } = billed;
  const key = await proxy.makeKey({ budget: parseBudget('0.02 USD/day') });
  expect((await read(billed, key.text, { max_tokens: 16 })).status).toBe(200);
  const send = () => read(billed, key.text, { max_tokens: 16 });
  await Promise.all(Array.from({ length: 100 }, send));

  expect((await billed.chargeOf(key)).nanoUsd).toBeLessThanOrEqual(20_000_000);
});
