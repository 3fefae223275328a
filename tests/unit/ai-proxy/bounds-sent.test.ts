import { expect, test } from 'vitest';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type Listing,
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';

const model = 'bill/one';
/** A hundred tokens. */
const prompt = 'abc '.repeat(100);
const formats = [
  ['chat', chatPath],
  ['responses', responsesPath],
  ['messages', messagesPath],
] as const;

const short: Script = { reply: { counts: { input: 100, output: 12 } } };

function start(listing: Listing, toScript: (request: ModelRequest) => Script = () => short) {
  const models = { [model]: { pricing: toPricing(1, 2), ...listing } };
  return startBilledProxy({ models, toScript });
}

function toBody(path: string, bound: number | null): object {
  const messages = [{ role: 'user', content: prompt }];
  if (path === responsesPath) {
    return { model, input: prompt, ...(bound !== null && { max_output_tokens: bound }) };
  }
  if (path === messagesPath) return { model, messages, max_tokens: bound ?? 500_000 };
  return { model, messages, ...(bound !== null && { max_completion_tokens: bound }) };
}

const toBound = ({ max_tokens, max_completion_tokens, max_output_tokens }: ModelRequest) =>
  max_completion_tokens ?? max_tokens ?? max_output_tokens;

async function sendOne(
  { proxy, upstream }: BilledProxy,
  { path, bound, tokensPerDay = 100_000_000 }: SendOptions,
): Promise<{ status: number; bound: unknown; body: { error?: Record<string, unknown> } }> {
  const { text: key } = await proxy.makeKey({ tokensPerDay });
  const before = upstream.requests.length;
  const response = await proxy.post(path, key, toBody(path, bound));
  const body = await response.json();
  const [request] = upstream.requests.slice(before);
  return { status: response.status, bound: request && toBound(request), body };
}

type SendOptions = Readonly<{ path: string; bound: number | null; tokensPerDay?: number }>;

test.each(formats)('in %s the smallest bound is always sent upstream', async (_, path) => {
  await using billed = await start({ contextTokens: 400_000, replyTokensMax: 64_000 });
  const boundOf = async (options: Omit<SendOptions, 'path'>) => {
    const { status, bound } = await sendOne(billed, { path, ...options });
    expect(status).toBe(200);
    return bound;
  };

  // The client's own, the model's longest reply (also above 32,768), and what is left.
  expect(await boundOf({ bound: 70 })).toBe(70);
  expect(await boundOf({ bound: null })).toBe(64_000);
  expect(await boundOf({ bound: 100_000 })).toBe(64_000);
  expect(await boundOf({ bound: 1e30 })).toBe(64_000);
  const left = Number(await boundOf({ bound: null, tokensPerDay: 1000 }));
  expect(left).toBeLessThanOrEqual(900);
  expect(left).toBeGreaterThan(700);
});

test.each(formats)('in %s a reply is bounded by the context less the prompt', async (_, path) => {
  await using billed = await start({ contextTokens: 3000, replyTokensMax: 3000 });

  const { bound } = await sendOne(billed, { path, bound: null });

  expect(bound).toBeLessThanOrEqual(2900);
  expect(bound).toBeGreaterThan(2700);
});

test.each(formats)(
  'in %s less than 16 tokens left are a 402, and nothing is sent',
  async (_, path) => {
    await using billed = await start({});

    const { status } = await sendOne(billed, { path, bound: 4000, tokensPerDay: 108 });

    expect(status).toBe(402);
    expect(billed.upstream.requests).toEqual([]);
  },
);

test('a bound that would fall to thinking.budget_tokens is a 402, never changed silently', async () => {
  await using billed = await start({});
  const { text: key } = await billed.proxy.makeKey({ tokensPerDay: 1500 });
  const thinking = { type: 'enabled', budget_tokens: 2000 };

  const body = { ...toBody(messagesPath, 4000), thinking };
  const response = await billed.proxy.post(messagesPath, key, body);

  expect(response.status).toBe(402);
  expect((await response.json()).error.type).toBe('billing_error');
  expect(billed.upstream.requests).toEqual([]);
});

const tooLarge = (message: string, status: number): Script => ({
  reply: short.reply,
  status,
  errorBody: { error: { type: 'invalid_request_error', param: 'max_tokens', message } },
});

test.each([
  [400, 'max_tokens is too large: it supports at most 4096 completion tokens.', 4096],
  [422, 'max_tokens must be at most 4096', 4096],
  [402, 'You requested up to 64000 tokens of max_tokens, but can only afford 900.', 900],
  [400, 'max_tokens is not supported here.', undefined],
])(
  'a bound of ours that is rejected with a %i (%s) is sent once more',
  async (status, message, next) => {
    await using billed = await start({ replyTokensMax: 64_000 }, (request) =>
      toBound(request) === 64_000 ? tooLarge(message, status) : short,
    );

    const response = await sendOne(billed, { path: chatPath, bound: null });

    expect(response.status).toBe(200);
    expect(billed.upstream.requests.map(toBound)).toEqual([64_000, next]);
  },
);

test('a bound of the client that is rejected is the client’s mistake', async () => {
  const message = 'max_tokens is too large: it supports at most 4096 completion tokens.';
  await using billed = await start({}, () => tooLarge(message, 400));

  const response = await sendOne(billed, { path: chatPath, bound: 5000 });

  expect(response.status).toBe(400);
  expect(billed.upstream.requests).toHaveLength(1);
});

test('a repeated call whose bound is rejected again is not sent a third time', async () => {
  await using billed = await start({}, () => tooLarge('max_tokens is too large: at most 99.', 400));

  await sendOne(billed, { path: chatPath, bound: null });

  expect(billed.upstream.requests).toHaveLength(2);
});
