import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { watchEnds } from '../../support/servers/watch-ends.ts';
import {
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';

const model = 'bill/one';
const listed = { pricing: toPricing(1, 2), replyTokensMax: 200_000 };
const models = { [model]: listed };

const toBody = (content: string, fields: object = {}) => ({
  model,
  messages: [{ role: 'user', content }],
  ...fields,
});

/** A reply of so many tokens, unless a bound is lower. */
function toReply({ max_tokens, max_completion_tokens }: ModelRequest, wanted: number): number {
  const bounds = [max_tokens, max_completion_tokens].filter((bound) => typeof bound === 'number');
  return Math.min(wanted, ...bounds);
}

/** Sixteen tokens, as the upstream counts and the proxy estimates them. */
const shortPrompt = 'abc '.repeat(15);
const shortPromptTokens = 16;

test.each([
  ['JSON', 'as estimated', 16],
  ['stream', 'as estimated', 16],
  ['JSON', 'of twenty times its estimate', 320],
  ['stream', 'of twenty times its estimate', 320],
])(
  'one request cannot use 120,016 tokens of 33,000 (%s, a prompt %s)',
  async (mode, _, promptTokens) => {
    const toScript = (request: ModelRequest): Script => ({
      reply: { counts: { input: promptTokens, output: toReply(request, 120_000) } },
    });
    await using billed = await startBilledProxy({ models, toScript });
    const key = await billed.proxy.makeKey({ tokensPerDay: 33_000 });
    const body = toBody(shortPrompt, { stream: mode === 'stream' });

    await (await billed.proxy.post(chatPath, key.text, body)).bytes();

    await expect.poll(() => billed.upstream.open()).toBe(0);
    // The reply is bounded: only what a prompt has beyond its estimate can pass the budget.
    const beyondTokens = promptTokens - shortPromptTokens;
    expect(billed.upstream.totalTokens()).toBeGreaterThan(32_000);
    expect(billed.upstream.totalTokens()).toBeLessThanOrEqual(33_000 + beyondTokens);
    const { tokens } = await billed.chargeOf(key);
    expect(tokens).toBe(billed.upstream.totalTokens());
  },
);

/** Sends requests that the upstream holds: none of them ends before each is held, or rejected. */
async function sendAtOnce<T>(
  { upstream }: BilledProxy,
  count: number,
  send: () => Promise<T>,
): Promise<T[]> {
  let ended = 0;
  const responses = Array.from({ length: count }, () =>
    send().finally(() => {
      ended += 1;
    }),
  );
  await expect.poll(() => ended + upstream.requests.length).toBe(count);
  upstream.release(model);
  return Promise.all(responses);
}

test('forty requests at once, each of twenty times its estimate, pass a budget by one at most', async () => {
  const prompt = 'abcd'.repeat(4500);
  const toScript = (): Script => ({
    reply: { counts: { input: 90_000, output: 60 } },
    outcome: 'held',
  });
  await using billed = await startBilledProxy({ models, toScript });
  const key = await billed.proxy.makeKey({ tokensPerDay: 1_000_000 });

  const send = async () => {
    const response = await billed.proxy.post(
      chatPath,
      key.text,
      toBody(prompt, { max_tokens: 100 }),
    );
    const { status, headers } = response;
    const { error = null } = await response.json();
    return { status, code: error?.code, retryAfter: headers.get('retry-after') };
  };
  const responses = await sendAtOnce(billed, 40, send);

  expect(billed.upstream.totalTokens()).toBeLessThanOrEqual(1_000_000 + 90_060);
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  // What running requests have reserved passes by itself.
  for (const result of refused) {
    expect(result).toEqual({ status: 429, code: 'rate_limit_exceeded', retryAfter: '1' });
  }
  // One by one, more of them run.
  const before = billed.upstream.requests.length;
  expect((await send()).status).toBe(200);
  expect(billed.upstream.requests).toHaveLength(before + 1);
});

test('sixty files at once pass a budget by one at most, whatever has been learned before', async () => {
  const toScript = ({ user }: ModelRequest): Script =>
    user === 'many'
      ? { reply: { counts: { input: 400_000, output: 10 } }, outcome: 'held' }
      : { reply: { counts: { input: 5, output: 10 } } };
  await using billed = await startBilledProxy({ models, toScript });
  const { proxy, upstream } = billed;
  const key = await proxy.makeKey({ tokensPerDay: 1_000_000 });
  for (let count = 0; count < 3; count++) {
    await (await proxy.post(chatPath, key.text, toBody('Hello'))).bytes();
  }

  const content = [{ type: 'file', file: { file_data: 'https://example.org/thousand-pages.pdf' } }];
  const messages = [{ role: 'user', content }];
  const body = { model, messages, max_tokens: 100, user: 'many' };
  const send = async () => (await proxy.post(chatPath, key.text, body)).status;
  upstream.requests.length = 0;
  const statuses = await sendAtOnce(billed, 60, send);

  expect(statuses).toContain(429);
  expect(upstream.totalTokens()).toBeLessThanOrEqual(1_000_000 + 400_010);
});

test.each([
  ['a name', { ['abcd '.repeat(72_000)]: 1 }],
  ['numbers', { path: Array(50_000).fill(1234567) }],
  ['what looks like a picture', { url: `data:image/png;base64,${'abcd'.repeat(90_000)}` }],
])('a long prompt that is %s in the input of a call passes no budget', async (_, input) => {
  const toScript = ({ user }: ModelRequest): Script => ({
    reply: { counts: { input: user === 'many' ? 90_000 : 5, output: 10 } },
    outcome: user === 'many' ? 'held' : 'complete',
  });
  await using billed = await startBilledProxy({ models, toScript });
  const { proxy, upstream } = billed;
  const key = await proxy.makeKey({ tokensPerDay: 1_000_000 });
  await (await proxy.post(chatPath, key.text, toBody('Hello'))).bytes();

  const call = [{ type: 'tool_use', id: 'toolu_1', name: 'read', input }];
  const result = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'read' }];
  const messages = [
    { role: 'assistant', content: call },
    { role: 'user', content: result },
  ];
  const body = { model, messages, max_tokens: 100, user: 'many' };
  const send = async () => (await proxy.post(messagesPath, key.text, body)).status;
  upstream.requests.length = 0;
  const statuses = await sendAtOnce(billed, 40, send);

  expect(statuses).toContain(429);
  expect(upstream.totalTokens()).toBeLessThanOrEqual(1_000_000 + 90_010);
});

test.each([
  ['plugins', { plugins: [{ id: 'web' }] }],
  ['web_search_options', { web_search_options: {} }],
  ['service_tier', { service_tier: 'priority' }],
])(
  '%s costs beyond tokens: without a price it is a 400 under a dollar budget',
  async (param, fields) => {
    const toScript = (): Script => ({
      reply: { counts: { input: 10, output: 6 }, report: (usage) => ({ ...usage, cost: 0.5 }) },
      toBilledUsd: () => 0.5,
    });
    await using billed = await startBilledProxy({ models, toScript });
    const budgeted = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });
    const free = await billed.proxy.makeKey();

    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        billed.proxy.post(chatPath, budgeted.text, toBody('Hello', fields)),
      ),
    );

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
    const { error } = (await responses[0]?.json()) ?? {};
    expect(error.code).toBe('unsupported_parameter');
    expect(error.param).toMatch(new RegExp(`^${param}`));
    expect(billed.upstream.requests).toEqual([]);
    // Without a dollar budget it passes.
    const passed = await billed.proxy.post(chatPath, free.text, toBody('Hello', fields));
    expect(passed.status).toBe(200);
  },
);

const searchIsPriced = { extras: { web_search: { perCall: 0.01 } } };

test.each([
  [
    'a negative bound of calls',
    messagesPath,
    'tools[0]',
    { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: -1e6 }] },
  ],
  [
    'a bound that chat does not have',
    chatPath,
    'tools[0]',
    { tools: [{ type: 'web_search' }], max_tool_calls: -1e6 },
  ],
  [
    'a tool in an item of the conversation that is demanded',
    responsesPath,
    'input[1].tools[0]',
    {
      tool_choice: 'required',
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'additional_tools', tools: [{ type: 'image_generation' }] },
      ],
    },
  ],
  ['an online fallback', chatPath, 'model', { models: [model, `${model}:online`] }],
])('%s does not make a hosted tool free', async (_, path, param, fields) => {
  const toScript = (): Script => ({
    reply: { counts: { input: 10, output: 6 } },
    toBilledUsd: () => 0.5,
  });
  await using billed = await startBilledProxy({ models, toScript, settings: searchIsPriced });
  const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });

  const body = { ...toBody('Hello', { max_tokens: 100 }), ...fields };
  const response = await billed.proxy.post(path, key.text, body);

  const { error } = await response.json();
  expect([response.status, error.param ?? error.message]).toEqual([
    400,
    path === messagesPath ? expect.stringContaining(param) : param,
  ]);
  expect(billed.upstream.requests).toEqual([]);
});

test('a priced tool of Responses is bounded upstream: by the client, or by ten calls', async () => {
  const toScript = (): Script => ({ reply: { counts: { input: 10, output: 6 } } });
  await using billed = await startBilledProxy({ models, toScript, settings: searchIsPriced });
  const key = await billed.proxy.makeKey({ budget: parseBudget('1 USD/day') });
  const send = (fields: object) =>
    billed.proxy.post(responsesPath, key.text, { model, input: 'Hello', ...fields });

  const tools = [{ type: 'web_search' }];
  for (const fields of [{ tools }, { tools, max_tool_calls: 3 }, {}]) {
    expect((await send(fields)).status).toBe(200);
  }

  const bounds = billed.upstream.requests.map((request) => request.max_tool_calls);
  expect(bounds).toEqual([10, 3, undefined]);
});

test.each([
  ['chat', chatPath, 'insufficient_quota'],
  ['responses', responsesPath, 'insufficient_quota'],
  ['messages', messagesPath, 'billing_error'],
])('in %s a spent budget is a 402 that says when it is reset', async (_, path, type) => {
  const toScript = (): Script => ({ reply: { counts: { input: 900, output: 60 } } });
  await using billed = await startBilledProxy({ models, toScript });
  const tokens = await billed.proxy.makeKey({ tokensPerDay: 900 });
  const dollars = await billed.proxy.makeKey({ budget: parseBudget('0.0009 USD/day') });
  const body = {
    ...toBody('Hello', { max_tokens: 100 }),
    ...(path === responsesPath && { input: 'Hello' }),
  };

  for (const { text: key } of [tokens, dollars]) {
    await (await billed.proxy.post(path, key, body)).bytes();
    const response = await billed.proxy.post(path, key, body);

    expect(response.status).toBe(402);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('x-should-retry')).toBe('false');
    const { error } = await response.json();
    expect(error.type).toBe(type);
    if (path !== messagesPath) expect(error.code).toBe('insufficient_quota');
    expect(error.resets_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00(?:\.000)?Z$/);
    const resetsInMs = Date.parse(error.resets_at) - Date.now();
    expect(resetsInMs).toBeGreaterThan(0);
    expect(resetsInMs).toBeLessThanOrEqual(86_400_000);
  }
});

test('replies that report absurd costs do not stop the books', async () => {
  const toScript = ({ user }: ModelRequest): Script => ({
    reply: {
      counts: { input: 10, output: 6 },
      ...(user === 'absurd' && { report: (usage) => ({ ...usage, cost: 1e9 }) }),
    },
  });
  await using billed = await startBilledProxy({ models, toScript });
  const [absurd, honest] = [await billed.proxy.makeKey(), await billed.proxy.makeKey()];
  const send = async (key: string, user: string) => {
    await (await billed.proxy.post(chatPath, key, toBody('Hello', { user }))).bytes();
  };
  let left = 950;
  const client = async () => {
    while (left-- > 0) await send(absurd.text, 'absurd');
  };
  await Promise.all(Array.from({ length: 16 }, client));
  await send(honest.text, 'honest');

  // All of it is written, at the list's price.
  await expect.poll(async () => (await billed.chargeOf(honest)).records).toBe(1);
  const { records, tokens, nanoUsd } = await billed.chargeOf(absurd);
  expect({ records, tokens }).toEqual({ records: 950, tokens: 950 * 16 });
  expect(nanoUsd).toBe(950 * 22_000);
  expect(billed.proxy.logText()).toMatch(/implausible_cost/);
});

const detachedMax = 100;
const own = (index: number) => `bill/own-${index}`;

function startHeld(count: number) {
  const ownModels = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [own(index), listed]),
  );
  const reply = { counts: { input: 1000, output: 500, reasoning: 440 } };
  return startBilledProxy({
    models: ownModels,
    toScript: () => ({ reply, outcome: 'held' }),
  });
}

async function leave(
  { proxy, upstream }: Awaited<ReturnType<typeof startHeld>>,
  key: string,
  index: number,
): Promise<void> {
  using ends = watchEnds();
  const client = new AbortController();
  const body = { ...toBody('Hello', { max_tokens: 600 }), model: own(index) };
  const headers = { 'X-Request-Id': `request-${index}` };
  const init = { signal: client.signal, headers };
  const response = proxy.post(chatPath, key, body, init).catch(() => null);
  await upstream.reached(own(index));
  client.abort();
  await response;
  await ends.untilEnded(headers['X-Request-Id']);
}

test('three hundred JSON requests whose clients leave are charged what the upstream bills', async () => {
  await using billed = await startHeld(300);
  const key = await billed.proxy.makeKey();

  for (let from = 0; from < 300; from += 60) {
    const batch = Array.from({ length: 60 }, (_, index) => from + index);
    await Promise.all(batch.map((index) => leave(billed, key.text, index)));
    for (const index of batch) billed.upstream.release(own(index));
    await expect.poll(() => billed.upstream.open()).toBe(0);
  }

  await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(300);
  const { nanoUsd, tokens, estimated } = await billed.chargeOf(key);
  expect(estimated).toBe(0);
  expect(tokens).toBe(billed.upstream.totalTokens());
  expect(nanoUsd).toBe(Math.round(billed.upstream.totalUsd() * 1e9));
  expect(billed.upstream.seen.aborted).toBe(0);
});

test('of who has a hundred calls without a client, the last one is aborted for that of another', async () => {
  await using billed = await startHeld(detachedMax + 1);
  const [many, other] = [await billed.proxy.makeKey(), await billed.proxy.makeKey()];
  for (let index = 0; index < detachedMax; index++) await leave(billed, many.text, index);
  expect(billed.upstream.open()).toBe(detachedMax);

  await leave(billed, other.text, detachedMax);

  await expect.poll(() => billed.upstream.seen.aborted).toBe(1);
  for (let index = 0; index <= detachedMax; index++) billed.upstream.release(own(index));
  await expect.poll(async () => (await billed.chargeOf(other)).records).toBe(1);
  expect(await billed.chargeOf(other)).toMatchObject({ estimated: 0, tokens: 1500 });
  await expect.poll(async () => (await billed.chargeOf(many)).records).toBe(detachedMax);
  const { estimated, tokens } = await billed.chargeOf(many);
  expect(estimated).toBe(1);
  // It is charged its reservation.
  expect(tokens).toBeGreaterThanOrEqual((detachedMax - 1) * 1500 + 600);
});
