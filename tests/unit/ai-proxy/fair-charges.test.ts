import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import type { Counts } from '../../support/upstreams/billed-replies.ts';
import { type Script, toPricing } from '../../support/upstreams/billing-upstream.ts';

const model = 'bill/one';
const models = { [model]: { pricing: toPricing(1, 2) } };
const paths = { chat: chatPath, responses: responsesPath, messages: messagesPath } as const;
type Format = keyof typeof paths;
const formats: readonly Format[] = ['chat', 'responses', 'messages'];
const cases = formats.flatMap((format) => [
  { format, stream: true },
  { format, stream: false },
]);

function toBody(format: Format, content: string, fields: object = {}): object {
  const prompt =
    format === 'responses' ? { input: content } : { messages: [{ role: 'user', content }] };
  return { model, ...prompt, ...(format === 'messages' && { max_tokens: 1000 }), ...fields };
}

/** Ten thousand tokens, as the upstream counts and the proxy estimates them. */
const longPrompt = 'abcd'.repeat(10_000);
const longTokens = 10_000;

/** Starts a stream, and leaves it in its middle. */
async function leaveStream({ proxy, upstream }: BilledProxy, key: string, format: Format) {
  const client = new AbortController();
  const { signal } = client;
  const body = toBody(format, longPrompt, { stream: true });
  const ended = proxy
    .post(paths[format], key, body, { signal })
    .then((response) => response.bytes())
    .catch(() => {});
  await upstream.reached(model);
  client.abort();
  await ended;
}

test.each(formats)(
  'the first stream that a member stops costs its prompt as it was sent, not what is reserved for it (%s)',
  async (format) => {
    const toScript = (): Script => ({
      reply: { counts: { input: longTokens, output: 60 } },
      outcome: 'left',
    });
    await using billed = await startBilledProxy({ models, toScript });
    const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });

    await leaveStream(billed, key.text, format);

    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(1);
    const { tokens, nanoUsd, estimated } = await billed.chargeOf(key);
    expect(estimated).toBe(1);
    expect(tokens).toBeGreaterThanOrEqual(longTokens);
    // A little more than ten thousand of a millionth: names of fields count, too.
    expect(tokens).toBeLessThan(longTokens * 1.02);
    expect(nanoUsd).toBeLessThan(longTokens * 1.02 * 1000);
  },
);

test('a stream that is stopped costs the tokens that prompts of its owner have really had', async () => {
  let outcome: NonNullable<Script['outcome']> = 'complete';
  // Twice the estimate.
  const counts = { input: 2 * longTokens, output: 60 };
  const toScript = (): Script => ({ reply: { counts }, outcome });
  await using billed = await startBilledProxy({ models, toScript });
  const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });
  await (await billed.proxy.post(chatPath, key.text, toBody('chat', longPrompt))).bytes();
  const before = (await billed.chargeOf(key)).tokens;
  outcome = 'left';

  await leaveStream(billed, key.text, 'chat');

  await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(2);
  const { tokens } = await billed.chargeOf(key);
  expect(tokens - before).toBeGreaterThanOrEqual(2 * longTokens);
  expect(tokens - before).toBeLessThan(2 * longTokens * 1.02);
});

test.each(cases)(
  'short prompts whose need is known do not pass a budget at once: $format, stream $stream',
  async ({ format, stream }) => {
    // The server adds more than 400 tokens to each.
    const toScript = (): Script => ({ reply: { counts: { input: 420, output: 6 } }, waitMs: 200 });
    await using billed = await startBilledProxy({ models, toScript });
    const { proxy, upstream } = billed;
    const key = await proxy.makeKey({ budget: parseBudget('0.02 USD/day') });
    const send = async () => {
      const body = toBody(format, 'Hello', { max_tokens: 16, max_output_tokens: 16, stream });
      const response = await proxy.post(paths[format], key.text, body);
      await response.bytes();
      return response.status;
    };
    expect(await send()).toBe(200);

    const statuses = await Promise.all(Array.from({ length: 100 }, send));

    expect(statuses).toContain(429);
    await expect.poll(() => upstream.unbilled()).toBe(0);
    // One more at most.
    expect(upstream.totalUsd()).toBeLessThanOrEqual(0.02 + 0.000432);
  },
);

/** A file with one upstream of all protocols and these settings. */
const toFileWith = (settings: object) => (origin: string) => ({
  upstreams: [
    {
      name: 'bill',
      url: `${origin}/v1`,
      keyEnv: 'BILL_KEY',
      protocols: ['chat', 'responses', 'messages'],
      ...settings,
    },
  ],
  models: [],
});

/** 100 and 60 tokens: 0.00022 dollars by the list. */
const counts = { input: 100, output: 60 };
const costing = (cost: number) => (): Script => ({
  reply: { counts, report: (usage) => ({ ...usage, cost }) },
});

test.each(cases)(
  'a low cost is believed down to a twentieth of the list, and below that if the operator says so: $format, stream $stream',
  async ({ format, stream }) => {
    const charged = [];
    for (const trustsLowCost of [false, true]) {
      for (const cost of [0.000011, 0.0000109, 0]) {
        const toFile = toFileWith({ trustsLowCost });
        await using billed = await startBilledProxy({ models, toScript: costing(cost), toFile });
        const key = await billed.proxy.makeKey();
        const body = toBody(format, 'Hello', { stream });
        await (await billed.proxy.post(paths[format], key.text, body)).bytes();
        charged.push((await billed.chargeOf(key)).nanoUsd);
        expect(billed.proxy.logText().includes('implausible_cost')).toBe(
          charged.at(-1) === 220_000,
        );
      }
    }
    expect(charged).toEqual([11_000, 220_000, 220_000, 11_000, 10_900, 0]);
  },
);

test.each(cases)(
  'a model that is listed as free and reports a cost reserves that from then on: $format, stream $stream',
  async ({ format, stream }) => {
    const free = { [model]: { pricing: toPricing(0, 0) } };
    const toScript = (): Script => ({
      ...costing(0.4)(),
      toBilledUsd: () => 0.4,
      waitMs: 300,
    });
    await using billed = await startBilledProxy({ models: free, toScript });
    const { proxy, upstream } = billed;
    const [other, key] = [
      await proxy.makeKey(),
      await proxy.makeKey({ budget: parseBudget('0.5 USD/day') }),
    ];
    const send = async (text: string) => {
      const response = await proxy.post(paths[format], text, toBody(format, 'Hello', { stream }));
      await response.bytes();
      return response.status;
    };
    const billedUsd = async () => {
      await expect.poll(() => upstream.unbilled()).toBe(0);
      return upstream.totalUsd();
    };
    expect(await send(other.text)).toBe(200);
    const before = await billedUsd();

    const statuses = await Promise.all(Array.from({ length: 60 }, () => send(key.text)));

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await billedUsd()) - before).toBeCloseTo(0.4, 9);
  },
);

const search: Readonly<Record<Format, object>> = {
  chat: { plugins: [{ id: 'web' }] },
  responses: { tools: [{ type: 'web_search' }] },
  messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
};

test.each(cases)(
  'without a budget in dollars extras cost what is reported, up to maxCostUsd: $format, stream $stream',
  async ({ format, stream }) => {
    const charged = [];
    for (const [cost, fields] of [
      [0.02002, search[format]],
      [2, search[format]],
      [0.02002, {}],
    ] as const) {
      const toFile = toFileWith({ maxCostUsd: 1 });
      await using billed = await startBilledProxy({ models, toScript: costing(cost), toFile });
      const key = await billed.proxy.makeKey();
      const body = toBody(format, 'Hello', { stream, ...fields });
      await (await billed.proxy.post(paths[format], key.text, body)).bytes();
      charged.push((await billed.chargeOf(key)).nanoUsd);
    }
    expect(charged).toEqual([20_020_000, 220_000, 220_000]);
  },
);

test.each<[string, Counts, number]>([
  // 700 of text, 300 of pictures, 60 out.
  ['pictures', { input: 1000, output: 60, picture: 300 }, 700 + 300 * 20 + 60 * 2],
  // 600 of text and 400 of sound, all from the cache, and 60 out.
  ['sound from the cache', { input: 1000, output: 60, cached: 1000, audio: 400 }, 60 + 2000 + 120],
])('tokens of %s cost what the operator says', async (_, counts, microUsd) => {
  const prices = {
    inputPerMillion: 1,
    outputPerMillion: 2,
    cacheReadPerMillion: 0.1,
    audioPerMillion: 10,
    audioCacheReadPerMillion: 5,
    imagePerMillion: 20,
  };
  const toFile = (origin: string) => ({
    ...toFileWith({})(origin),
    models: [{ id: model, targets: [{ upstream: 'bill' }], prices }],
  });
  await using billed = await startBilledProxy({
    models,
    toScript: () => ({ reply: { counts } }),
    toFile,
  });
  const key = await billed.proxy.makeKey();

  await (await billed.proxy.post(chatPath, key.text, toBody('chat', 'Hello'))).bytes();

  expect((await billed.chargeOf(key)).nanoUsd).toBe(microUsd * 1000);
});
