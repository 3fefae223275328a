import { expect, onTestFinished, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';

const model = 'bill/free';

/** A model that is listed as free, and what its replies cost all the same. */
async function start(
  toUsd: (request: ModelRequest) => number | undefined,
  {
    script = {},
    environment = {},
  }: Readonly<{ script?: Partial<Script>; environment?: object }> = {},
): Promise<BilledProxy> {
  const billed = await startBilledProxy({
    models: { [model]: { pricing: toPricing(0, 0) }, 'bill/dear': { pricing: toPricing(1, 2) } },
    toScript(request) {
      const usd = toUsd(request);
      const report = (usage: object) => ({ ...usage, ...(usd !== undefined && { cost: usd }) });
      return {
        reply: { counts: { input: 12, output: 6 }, report },
        toBilledUsd: () => usd ?? 0,
        waitMs: 300,
        ...script,
      };
    },
    environment: { ...environment },
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  return billed;
}

const body = { model, messages: [{ role: 'user', content: 'Hello' }] };

async function send({ proxy }: BilledProxy, key: string, fields: object = {}) {
  const response = await proxy.post(chatPath, key, { ...body, ...fields });
  const { error = null } = await response.json();
  return { status: response.status, code: error?.code, headers: response.headers };
}

const sendMany = (billed: BilledProxy, key: string, count: number, fields: object = {}) =>
  Promise.all(Array.from({ length: count }, () => send(billed, key, fields)));

const statusesOf = (responses: readonly { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

const halfDollar = { budget: parseBudget('0.5 USD/day') };

test.each([false, true])(
  '25 requests at once of 0.4 dollars each pass a budget of 0.5 by one at most: stream %s',
  async (stream) => {
    const billed = await start(() => 0.4);
    const key = await billed.proxy.makeKey(halfDollar);
    const responses = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const response = await billed.proxy.post(chatPath, key.text, { ...body, stream });
        await response.bytes();
        return response;
      }),
    );

    expect(statusesOf(responses, 200)).toBe(1);
    expect(statusesOf(responses, 402)).toBe(24);
    await expect.poll(() => billed.upstream.unbilled()).toBe(0);
    expect(billed.upstream.totalUsd()).toBeCloseTo(0.4, 9);
  },
);

test('25 requests at once of a model that costs nothing all pass, once one of them has shown it', async () => {
  const billed = await start(() => 0);
  const key = await billed.proxy.makeKey(halfDollar);

  expect(statusesOf(await sendMany(billed, key.text, 25), 200)).toBe(25);
});

test('a coding agent whose requests choose features sends several at once to a free model', async () => {
  const billed = await start(() => 0);
  const { text: key } = await billed.proxy.makeKey(halfDollar);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
  };
  const sendOne = async () => {
    const response = await billed.proxy.post(
      messagesPath,
      key,
      { ...body, max_tokens: 1000, metadata: { user_id: 'u' } },
      { headers },
    );
    await response.bytes();
    return response;
  };

  const responses = await Promise.all(Array.from({ length: 10 }, sendOne));
  expect(statusesOf(responses, 200)).toBe(10);
});

test('a free model that a second upstream has for failures is no less free', async () => {
  const targets = [{ upstream: 'a' }, { upstream: 'b' }];
  const prices = { inputPerMillion: 0, outputPerMillion: 0 };
  const billed = await startBilledProxy({
    models: { [model]: {} },
    toScript: () => ({ reply: { counts: { input: 12, output: 6 } }, waitMs: 300 }),
    toFile: (origin) => ({
      upstreams: ['a', 'b'].map((name) => ({
        name,
        url: `${origin}/v1`,
        keyEnv: 'UPSTREAM_KEY',
        protocols: ['chat'],
      })),
      models: [{ id: model, targets, prices }],
    }),
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  const key = await billed.proxy.makeKey(halfDollar);

  expect(statusesOf(await sendMany(billed, key.text, 25), 200)).toBe(25);
  expect(statusesOf(await sendMany(billed, key.text, 25), 200)).toBe(25);
});

test('where the cost does not show within two seconds, the others get a 429 that says when to try again', async () => {
  const billed = await start(() => 0, { script: { outcome: 'held', waitMs: 0 } });
  const key = await billed.proxy.makeKey(halfDollar);
  const ended: unknown[] = [];
  const sending = Array.from({ length: 4 }, async () => {
    const { status, code, headers } = await send(billed, key.text);
    ended.push([status, code, headers.get('retry-after')]);
  });
  await expect.poll(() => ended).toEqual(Array(3).fill([429, 'rate_limit_exceeded', '1']));
  billed.upstream.release(model);
  await Promise.all(sending);
  expect(ended[3]).toEqual([200, undefined, null]);
});

test('what a request with a provider of its own costs is learned for nobody, and is not known from plain ones', async () => {
  const billed = await start(({ provider }) => (provider === undefined ? 0 : 0.4));
  const { proxy, upstream } = billed;
  const [dear, key] = [await proxy.makeKey(), await proxy.makeKey(halfDollar)];
  const fields = { provider: { only: ['dear'] } };
  expect((await send(billed, dear.text, fields)).status).toBe(200);
  const before = upstream.totalUsd();

  // Of others.
  expect((await send(billed, key.text)).status).toBe(200);
  expect(statusesOf(await sendMany(billed, key.text, 25), 200)).toBe(25);
  // Its own: at most one passes the budget.
  await sendMany(billed, key.text, 25, fields);
  expect(upstream.totalUsd() - before).toBeLessThan(0.5 + 0.4);
});

test('a small request does not show what large ones cost', async () => {
  const usdOf = ({ messages }: ModelRequest) =>
    JSON.stringify(messages).length > 1000 ? 0.4 : 0.0001;
  const billed = await start(usdOf);
  const key = await billed.proxy.makeKey(halfDollar);
  expect((await send(billed, key.text)).status).toBe(200);

  const messages = [{ role: 'user', content: 'abcd '.repeat(20_000) }];
  await sendMany(billed, key.text, 25, { messages });

  expect(billed.upstream.totalUsd()).toBeLessThan(0.5 + 0.4);
});

test('a reply whose client leaves before its cost is known costs what such replies have cost', async () => {
  const billed = await start(() => 0.4, { script: { outcome: 'left', waitMs: 0 } });
  const { proxy, upstream } = billed;
  const [other, key] = [
    await proxy.makeKey(),
    await proxy.makeKey({ budget: parseBudget('1 USD/day') }),
  ];
  upstream.release(model);
  expect((await send(billed, key.text)).status).toBe(200);
  expect((await send(billed, other.text)).status).toBe(200);

  let count = 0;
  for (let turn = 0; turn < 6; turn++) {
    const client = new AbortController();
    const response = await proxy.post(
      chatPath,
      key.text,
      { ...body, stream: true },
      { signal: client.signal },
    );
    if (response.status !== 200) break;
    count += 1;
    await response.body?.getReader().read();
    client.abort();
    await expect.poll(() => upstream.open()).toBe(0);
    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(1 + count);
  }

  expect(count).toBe(1);
});

test('several owners whose costs are unknown leave each other room in the budget of the site', async () => {
  const billed = await start(() => 0.4, { environment: { TOTAL_BUDGET: '50 USD/day' } });
  const { proxy, upstream } = billed;
  const key = await proxy.makeKey(halfDollar);
  const others = [await proxy.makeKey(halfDollar), await proxy.makeKey(halfDollar)];

  const [responses] = await Promise.all([
    sendMany(billed, key.text, 10),
    ...others.map(({ text }) => sendMany(billed, text, 10)),
  ]);

  expect(statusesOf(responses, 200)).toBe(1);
  expect(upstream.totalUsd()).toBeCloseTo(1.2, 9);
  const priced = { model: 'bill/dear', max_tokens: 100 };
  expect((await send(billed, key.text, priced)).status).toBe(200);
});
