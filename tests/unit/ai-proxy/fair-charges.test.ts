import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import type { Counts } from '../../support/upstreams/billed-replies.ts';
import { type Script, toPricing } from '../../support/upstreams/billing-upstream.ts';

const paths = { chat: chatPath, responses: responsesPath, messages: messagesPath } as const;
type Format = keyof typeof paths;
const formats: readonly Format[] = ['chat', 'responses', 'messages'];
const cases = formats.flatMap((format) => [
  { format, stream: true },
  { format, stream: false },
]);

const protocols = ['chat', 'responses', 'messages'];
const prices = {
  inputPerMillion: 1,
  outputPerMillion: 2,
  cacheReadPerMillion: 0.1,
  audioPerMillion: 10,
  audioCacheReadPerMillion: 5,
  imagePerMillion: 20,
};
/** Settings of upstreams, whose models begin with their name. */
const upstreams = {
  plain: {},
  free: {},
  trusted: { trustsLowCost: true },
  bounded: { maxCostUsd: 1 },
};
type UpstreamName = keyof typeof upstreams;
const pictured = ['plain/pictures', 'plain/sound'];
const ids = [
  ...Object.keys(upstreams).flatMap((name) =>
    Array.from({ length: 40 }, (_, index) => `${name}/${index}`),
  ),
  ...pictured,
];
const scripts = new Map<string, Script>();

const billed = forTests(() =>
  startBilledProxy({
    models: Object.fromEntries(
      ids.map((id) => [
        id,
        { pricing: id.startsWith('free/') ? toPricing(0, 0) : toPricing(1, 2) },
      ]),
    ),
    toScript: ({ model }) => scripts.get(model) ?? toCosting(0),
    toFile: (origin) => ({
      upstreams: Object.entries(upstreams).map(([name, settings]) => {
        return {
          name,
          url: `${origin}/${name}/v1`,
          keyEnv: 'UPSTREAM_KEY',
          protocols,
          ...settings,
        };
      }),
      models: pictured.map((id) => ({ id, targets: [{ upstream: 'plain' }], prices })),
    }),
  }),
);

let modelCount = 0;

/** A model that nothing has been learned of. */
function makeModel(upstream: UpstreamName, script: Script): string {
  modelCount += 1;
  const model = `${upstream}/${modelCount}`;
  scripts.set(model, script);
  return model;
}

/** 100 and 60 tokens: 0.00022 dollars by the list. */
const counts = { input: 100, output: 60 };
const toCosting = (cost: number): Script => ({
  reply: { counts, report: (usage) => ({ ...usage, cost }) },
});

type Sent = Readonly<{ model: string; format: Format; key: string; stream: boolean }>;

function toPrompt(format: Format, content: string): object {
  if (format === 'responses') return { input: content };
  const messages = [{ role: 'user', content }];
  return format === 'messages' ? { messages, max_tokens: 1000 } : { messages };
}

async function send({ model, format, key, stream }: Sent, content: string, fields: object = {}) {
  const body = { model, stream, ...toPrompt(format, content), ...fields };
  const response = await billed.proxy.post(paths[format], key, body);
  await response.bytes();
  return response.status;
}

async function readBilledUsd(model: string): Promise<number> {
  await expect.poll(() => billed.upstream.unbilled()).toBe(0);
  return billed.upstream.billOf(model).reduce((sum, { usd }) => sum + usd, 0);
}

/** Ten thousand tokens, as the upstream counts and the proxy estimates them. */
const longPrompt = 'abcd'.repeat(10_000);
const longTokens = 10_000;

/** Starts a stream, and leaves it in its middle. */
async function leaveStream(model: string, key: string, format: Format): Promise<void> {
  const client = new AbortController();
  const body = { model, stream: true, ...toPrompt(format, longPrompt) };
  const ended = billed.proxy
    .post(paths[format], key, body, { signal: client.signal })
    .then((response) => response.bytes())
    .catch(() => {});
  await billed.upstream.reached(model);
  client.abort();
  await ended;
}

test.each(formats)(
  'the first stream that a member stops costs its prompt as it was sent, not what is reserved for it (%s)',
  async (format) => {
    const model = makeModel('plain', {
      reply: { counts: { input: longTokens, output: 60 } },
      outcome: 'left',
    });
    const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });

    await leaveStream(model, key.text, format);

    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(1);
    const { tokens, nanoUsd, estimated } = await billed.chargeOf(key);
    expect(estimated).toBe(1);
    expect(tokens).toBeGreaterThanOrEqual(longTokens);
    // A little more than ten thousand of a millionth: names of fields count, too.
    expect(tokens).toBeLessThan(longTokens * 1.02);
    expect(nanoUsd).toBeLessThan(longTokens * 1.02 * 1000);
  },
);

test.each([true, false])(
  'a reply without choices costs its prompt and at most its own length (stream: %s)',
  async (stream) => {
    const reply = { counts, isBare: true, report: () => null };
    const model = makeModel('plain', { reply });
    const { text: key, record } = await billed.proxy.makeKey();
    const sent = { model, format: 'chat', key, stream } as const;
    expect(await send(sent, longPrompt, { max_tokens: 9_000 })).toBe(502);
    const { tokens } = await billed.chargeOf({ text: key, record });
    expect(tokens).toBeGreaterThanOrEqual(longTokens);
    expect(tokens).toBeLessThan(longTokens * 1.02 + 100);
  },
);

test('a stream that is stopped costs the tokens that prompts of its owner have really had', async () => {
  // Twice the estimate.
  const reply = { counts: { input: 2 * longTokens, output: 60 } };
  const model = makeModel('plain', { reply });
  const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });
  await send({ model, format: 'chat', key: key.text, stream: false }, longPrompt);
  const before = (await billed.chargeOf(key)).tokens;
  scripts.set(model, { reply, outcome: 'left' });

  await leaveStream(model, key.text, 'chat');

  await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(2);
  const { tokens } = await billed.chargeOf(key);
  expect(tokens - before).toBeGreaterThanOrEqual(2 * longTokens);
  expect(tokens - before).toBeLessThan(2 * longTokens * 1.02);
});

test.each(cases)(
  'short prompts whose need is known do not pass a budget at once: $format, stream $stream',
  async ({ format, stream }) => {
    // The server adds more than 400 tokens to each.
    const reply = { counts: { input: 420, output: 6 } };
    const model = makeModel('plain', { reply, waitMs: 200 });
    const key = await billed.proxy.makeKey({ budget: parseBudget('0.02 USD/day') });
    const sent = { model, format, key: key.text, stream };
    const limits = { max_tokens: 16, max_output_tokens: 16 };
    expect(await send(sent, 'Hello', limits)).toBe(200);

    const statuses = await Promise.all(
      Array.from({ length: 100 }, () => send(sent, 'Hello', limits)),
    );

    expect(statuses).toContain(429);
    // One more at most.
    expect(await readBilledUsd(model)).toBeLessThanOrEqual(0.02 + 0.000432);
  },
);

test('a low cost is not believed, unless the operator says so', async () => {
  const key = await billed.proxy.makeKey();
  const charged: number[] = [];
  for (const upstream of ['plain', 'trusted'] as const) {
    const model = makeModel(upstream, toCosting(0.0000109));
    const before = (await billed.chargeOf(key)).nanoUsd;
    await send({ model, format: 'chat', key: key.text, stream: true }, 'Hello');
    charged.push((await billed.chargeOf(key)).nanoUsd - before);
  }
  expect(charged).toEqual([220_000, 10_900]);
  expect(billed.proxy.logText().match(/implausible_cost/g)).toHaveLength(1);
});

test.each(cases)(
  'a model that is listed as free and reports a cost reserves that from then on: $format, stream $stream',
  async ({ format, stream }) => {
    const script = { ...toCosting(0.4), toBilledUsd: () => 0.4, waitMs: 300 };
    const model = makeModel('free', script);
    const [other, key] = [
      await billed.proxy.makeKey(),
      await billed.proxy.makeKey({ budget: parseBudget('0.5 USD/day') }),
    ];
    expect(await send({ model, format, key: other.text, stream }, 'Hello')).toBe(200);
    const before = await readBilledUsd(model);

    const statuses = await Promise.all(
      Array.from({ length: 60 }, () => send({ model, format, key: key.text, stream }, 'Hello')),
    );

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await readBilledUsd(model)) - before).toBeCloseTo(0.4, 9);
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
      const model = makeModel('bounded', toCosting(cost));
      const key = await billed.proxy.makeKey();
      await send({ model, format, key: key.text, stream }, 'Hello', fields);
      charged.push((await billed.chargeOf(key)).nanoUsd);
    }
    expect(charged).toEqual([20_020_000, 220_000, 220_000]);
  },
);

test.each<[string, string, Counts, number]>([
  // 700 of text, 300 of pictures, 60 out.
  [
    'pictures',
    'plain/pictures',
    { input: 1000, output: 60, picture: 300 },
    700 + 300 * 20 + 60 * 2,
  ],
  // 600 of text and 400 of sound, all from the cache, and 60 out.
  [
    'sound from the cache',
    'plain/sound',
    { input: 1000, output: 60, cached: 1000, audio: 400 },
    60 + 2000 + 120,
  ],
])('tokens of %s cost what the operator says', async (_, model, counts, microUsd) => {
  scripts.set(model, { reply: { counts } });
  const key = await billed.proxy.makeKey();

  await send({ model, format: 'chat', key: key.text, stream: false }, 'Hello');

  expect((await billed.chargeOf(key)).nanoUsd).toBe(microUsd * 1000);
});
