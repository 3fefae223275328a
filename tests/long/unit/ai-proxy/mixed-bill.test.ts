import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { startBilledProxy } from '../../../support/servers/billed-proxy.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
} from '../../../support/servers/in-process-proxy.ts';
import type { BilledReply, Counts } from '../../../support/upstreams/billed-replies.ts';
import {
  type Listing,
  type Script,
  toPricing,
} from '../../../support/upstreams/billing-upstream.ts';

/** A thousand mixed requests, of which the upstream keeps a bill of its own: by what was done, however it is reported. */
const requestCount = 1000;
const concurrentClients = 16;

type Json = Readonly<Record<string, unknown>>;

type Report = (usage: Json, counts: Counts, listUsd: number) => Json;
/** How a chat service tells what a reply has used. */
type Telling = Readonly<{
  report?: Report;
  /** What it charges, as a factor of its list. */
  factor?: number;
  /** Of the request. */
  fields?: Json;
}>;

const plain = ({ prompt_tokens, completion_tokens, total_tokens }: Json) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});
const cachedAs =
  (name: string): Report =>
  (usage, { cached = 0, written = 0 }) => ({
    ...plain(usage),
    [name]: cached,
    prompt_tokens_details: { cache_write_tokens: written },
  });
const writtenAs =
  (name: string): Report =>
  (usage, { cached = 0, written = 0 }) => ({
    ...plain(usage),
    prompt_tokens_details: { cached_tokens: cached, [name]: written },
  });
const hiding =
  (details: (reasoning: number) => Json): Report =>
  (usage, { output, reasoning = 0 }) => ({
    ...usage,
    completion_tokens: output - reasoning,
    completion_tokens_details: details(reasoning),
  });

const services: Readonly<Record<string, Telling>> = {
  openai: {},
  anthropic: { report: cachedAs('cache_read_input_tokens') },
  deepseek: { report: cachedAs('prompt_cache_hit_tokens') },
  kimi: { report: cachedAs('cached_tokens') },
  mistral: { report: cachedAs('num_cached_tokens') },
  qwen: { report: writtenAs('cache_creation_input_tokens') },
  litellm: { report: writtenAs('cache_creation_tokens') },
  envoy: { report: writtenAs('cached_write_tokens') },
  bedrock: {
    report: (usage, { input, cached = 0, written = 0 }) => ({
      ...plain(usage),
      prompt_tokens: input - cached - written,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
    }),
  },
  gemini: { report: hiding(() => ({})) },
  xai: { report: hiding((reasoning) => ({ reasoning_tokens: reasoning })) },
  openrouter: { report: (usage, _, usd) => ({ ...usage, cost: usd * 1.1 }), factor: 1.1 },
  perplexity: {
    report: (usage, _, usd) => ({ ...plain(usage), cost: { total_cost: usd * 1.1 } }),
    factor: 1.1,
  },
  'xai-ticks': {
    report: (usage, _, usd) => ({ ...usage, cost_in_usd_ticks: Math.round(usd * 1.1 * 1e10) }),
    factor: 1.1,
  },
  priority: {
    report: (usage) => ({ ...usage, service_tier: 'priority' }),
    factor: 2,
    fields: { service_tier: 'priority' },
  },
};
const names = Object.keys(services);

const prices = { input: 1, output: 10, cached: 0.1, written: 1.25 };
const pricing = toPricing(prices.input, prices.output, {
  input_cache_read: '0.0000001',
  input_cache_write: '0.00000125',
  overrides: [
    {
      min_prompt_tokens: 1500,
      prompt: '0.000002',
      completion: '0.000015',
      input_cache_read: '0.0000002',
      input_cache_write: '0.0000025',
    },
  ],
});
const callUsd = 0.01;

type Mixed = Readonly<{
  model: string;
  path: string;
  body: Json;
  script: Script;
  hasLeft: boolean;
}>;

/** The list’s price, worked out apart: the report needs it before the bill is written. */
function toListUsd({ input, output, cached = 0, written = 0 }: Counts): number {
  const factor = input > 1500 ? 2 : 1;
  const prompt = (input - cached - written) * prices.input;
  const cache = cached * prices.cached + written * prices.written;
  return ((prompt + cache) * factor + output * (input > 1500 ? 15 : prices.output)) / 1e6;
}

function toMixed(index: number): Mixed {
  const stream = index % 2 === 0;
  const hasLeft = stream && index % 10 === 0;
  const kind = (['chat', 'chat', 'responses', 'messages'] as const)[index % 4] ?? 'chat';
  const isNative = kind !== 'chat' && index % 8 < 4;
  const input = 400 + 100 * (index % 15);
  const telling = services[names[index % names.length] ?? ''] ?? {};
  const hasCache = !hasLeft;
  const counts: Counts = {
    input,
    output: 60 + 6 * (index % 20),
    ...(hasCache && { cached: 10 * (index % 7), written: 10 * (index % 5) }),
    ...(hasCache && !isNative && { reasoning: 3 * (index % 4) }),
  };
  const content = 'abcd'.repeat(input);
  const path = { chat: chatPath, responses: responsesPath, messages: messagesPath }[kind];
  const messages = [{ role: 'user', content }];
  const prompt = {
    chat: { messages },
    responses: { input: content },
    messages: { messages, max_tokens: 4000 },
  }[kind];
  const model = `${isNative ? 'native' : 'chat'}/${index}`;
  if (isNative) {
    const searches = index % 3;
    const hosted = Array.from({ length: searches }, (_, at) =>
      kind === 'responses'
        ? { type: 'web_search_call', id: `ws_${at}`, status: 'completed' }
        : { type: 'server_tool_use', id: `srv_${at}`, name: 'web_search', input: {} },
    );
    const tool =
      kind === 'responses'
        ? { type: 'web_search' }
        : { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };
    const reply: BilledReply = { counts: { ...counts, callsUsd: searches * callUsd }, hosted };
    const script: Script = { reply, ...(hasLeft && { outcome: 'left' }) };
    return { model, path, hasLeft, script, body: { model, stream, ...prompt, tools: [tool] } };
  }
  const { factor = 1, fields = {}, report } = telling;
  const reply: BilledReply = {
    counts,
    ...(report && { report: (usage: Json) => report(usage, counts, toListUsd(counts)) }),
  };
  const script: Script = {
    reply,
    toBilledUsd: (usd) => usd * factor,
    ...(hasLeft && { outcome: 'left' }),
  };
  const own = kind === 'messages' ? {} : fields;
  const isTold = kind !== 'messages' || factor !== 2;
  const asked = { model, stream, ...prompt, ...own };
  return {
    model,
    path,
    hasLeft,
    // Chat has no tiers of Messages: nobody has asked for one.
    script: isTold ? script : { reply: { counts }, ...(hasLeft && { outcome: 'left' }) },
    body: asked,
  };
}

test('books and bill agree within a cent over a thousand requests, those that were left within a tenth', async () => {
  const mixed = Array.from({ length: requestCount }, (_, index) => toMixed(index));
  const byModel = new Map(mixed.map((each) => [each.model, each]));
  const models: Record<string, Listing> = Object.fromEntries(
    mixed.map(({ model }) => [model, { pricing }]),
  );
  const extras = { web_search: { perCall: callUsd }, priority: { factor: 2 } };
  await using billed = await startBilledProxy({
    models,
    toScript: ({ model }) => byModel.get(model)?.script ?? { reply: { counts: noCounts } },
    toFile: (origin) => ({
      upstreams: [
        ['native', ['chat', 'responses', 'messages']],
        ['chat', ['chat']],
      ].map(([name, protocols]) => ({
        name,
        url: `${origin}/${name}/v1`,
        keyEnv: 'UPSTREAM_KEY',
        protocols,
        extras,
      })),
    }),
  });
  const { proxy, upstream } = billed;
  const makeKeys = async () => [
    await proxy.makeKey({ budget: parseBudget('500 USD/day') }),
    await proxy.makeKey({}),
  ];
  const [keys, keysOfLeft] = [await makeKeys(), await makeKeys()];
  let next = 0;
  const statuses = new Map<number, number>();
  const client = async () => {
    for (let index = next++; index < mixed.length; index = next++) {
      const each = mixed[index];
      if (each === undefined) break;
      const key = (each.hasLeft ? keysOfLeft : keys)[index % 3 === 0 ? 0 : 1]?.text ?? '';
      const controller = new AbortController();
      const ended = proxy
        .post(each.path, key, each.body, { signal: controller.signal })
        .then(async (response) => {
          await response.bytes();
          return response.status;
        })
        .catch(() => 0);
      if (each.hasLeft) {
        await Promise.race([upstream.reached(each.model), ended]);
        controller.abort();
      }
      const status = await ended;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: concurrentClients }, client));
  await expect.poll(() => upstream.unbilled()).toBe(0);
  const leftCount = mixed.filter(({ hasLeft }) => hasLeft).length;
  expect(Object.fromEntries(statuses)).toEqual({ 0: leftCount, 200: requestCount - leftCount });

  const sumCharges = async (of: typeof keys) => {
    const charges = await Promise.all(of.map((key) => billed.chargeOf(key)));
    return {
      records: charges.reduce((sum, { records }) => sum + records, 0),
      usd: charges.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0) / 1e9,
    };
  };
  const sumBill = (isLeft: boolean) =>
    upstream.bill
      .filter(({ model }) => byModel.get(model)?.hasLeft === isLeft)
      .reduce((sum, { usd }) => sum + usd, 0);
  await expect.poll(async () => (await sumCharges(keysOfLeft)).records).toBe(leftCount);
  const [complete, left] = [await sumCharges(keys), await sumCharges(keysOfLeft)];
  expect(complete.records).toBe(requestCount - leftCount);
  expect(Math.abs(complete.usd - sumBill(false))).toBeLessThan(0.01);
  expect(Math.abs(left.usd - sumBill(true))).toBeLessThan(sumBill(true) / 10);
  process.stdout.write(
    `${requestCount} requests: books ${complete.usd} and ${left.usd}, bill ${sumBill(false)} and ${sumBill(true)} US dollars\n`,
  );
});

const noCounts: Counts = { input: 0, output: 0 };
