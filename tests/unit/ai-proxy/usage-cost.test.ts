import { describe, expect, test } from 'vitest';
import { addCostToFrames } from '#lib/ai-proxy/stream/reply-cost.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { forTests } from '../../support/for-tests.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { toPricing } from '../../support/upstreams/billing-upstream.ts';

const model = 'strict/one';
const prompt = [{ role: 'user', content: 'Hello' }];
const usage = { include: true };

type StartOptions = Readonly<{
  protocols?: readonly string[];
  isPriced?: boolean;
  /** That the upstream reports. */
  cost?: unknown;
}>;

/** An upstream that rejects `usage`, as strict servers do. 100 tokens in, 12 out: 0.000124 dollars by the list. */
function start({ protocols = ['chat'], isPriced = true, cost }: StartOptions = {}) {
  const reply = {
    counts: { input: 100, output: 12 },
    report: (reported: JsonObject): JsonObject =>
      cost === undefined ? reported : { ...reported, cost },
  };
  const rejection = { error: { message: 'Extra inputs are not permitted: usage' } };
  return startBilledProxy({
    models: { [model]: isPriced ? { pricing: toPricing(1, 2) } : {} },
    toScript: (request) =>
      'usage' in request ? { reply, status: 400, errorBody: rejection } : { reply },
    settings: { protocols },
  });
}

const requests = [
  ['chat', chatPath, { model, messages: prompt }],
  ['responses', responsesPath, { model, input: 'Hello' }],
  ['messages', messagesPath, { model, max_tokens: 50, messages: prompt }],
] as const;

/** The costs in a body or a stream, in order. */
function findCosts(text: string): (number | null)[] {
  return [...text.matchAll(/"cost":(null|[\d.e-]+)/g)].map(([, cost = '']) => JSON.parse(cost));
}

async function post(billed: BilledProxy, path: string, body: object) {
  const key = await billed.proxy.makeKey({});
  const response = await billed.proxy.post(path, key.text, body);
  const text = await response.text();
  return { status: response.status, text, key };
}

test.each([-1, 1e308, 'NaN', 'Infinity', '-0.5', '1e308', 'free', true, [0.1], { usd: 1 }])(
  'a reported cost of %j is not believed, streamed or not',
  async (cost) => {
    await using billed = await start({ cost });
    for (const stream of [false, true]) {
      const body = { model, messages: prompt, stream, usage };
      const { status, text, key } = await post(billed, chatPath, body);
      expect([status, findCosts(text)]).toEqual([200, [0.000124]]);
      expect((await billed.chargeOf(key)).nanoUsd).toBe(124_000);
    }
  },
);

describe.each(requests)('of %s', (protocol, path, body) => {
  describe.each([
    ['native', [protocol]],
    ['translated', ['chat']],
  ])('%s', (_, protocols) => {
    const billed = forTests(() => start({ protocols }));

    test.each([false, true])(
      'the usage has its cost, as it is charged (stream: %s)',
      async (stream) => {
        const { status, text, key } = await post(billed, path, { ...body, stream, usage });
        expect([status, findCosts(text)]).toEqual([200, [0.000124]]);
        expect((await billed.chargeOf(key)).nanoUsd).toBe(124_000);
      },
    );

    test.each([false, true])(
      'without being asked nothing is added (stream: %s)',
      async (stream) => {
        for (const asked of [undefined, null, {}, { include: false }]) {
          const { status, text } = await post(billed, path, { ...body, stream, usage: asked });
          expect([status, findCosts(text)]).toEqual([200, []]);
        }
      },
    );
  });

  test('a cost that the upstream reports is what is charged, and shown', async () => {
    await using billed = await start({ protocols: [protocol], cost: 0.0001 });
    for (const stream of [false, true]) {
      const { text, key } = await post(billed, path, { ...body, stream, usage });
      // The upstream of Messages reports it at the start, too.
      expect(findCosts(text).at(-1)).toBe(0.0001);
      expect((await billed.chargeOf(key)).nanoUsd).toBe(100_000);
    }
    // One that is not believed is neither.
    await using wrong = await start({ protocols: [protocol], cost: 5 });
    expect(findCosts((await post(wrong, path, { ...body, usage })).text)).toEqual([0.000124]);
  });

  test('a cost that is not known is null, not zero', async () => {
    await using billed = await start({ protocols: [protocol], isPriced: false });
    const { text } = await post(billed, path, { ...body, stream: true, usage });
    expect(findCosts(text)).toEqual([null]);
  });

  test('what is no flag is a 400 that names it', async () => {
    await using billed = await start();
    const { status, text } = await post(billed, path, { ...body, usage: { include: 'yes' } });
    expect([status, text]).toEqual([400, expect.stringContaining('usage.include')]);
    expect(billed.upstream.requests).toHaveLength(0);
  });
});

test('texts that look like usage stay as they are, and so do numbers', () => {
  const said = JSON.stringify({ choices: [{ delta: { content: '{"usage":{"a":1}}' } }] });
  const start = '{"type":"message_start","message":{"usage":{"input_tokens":1}}}';
  const untouched = `data: ${said}\n\nevent: message_start\ndata: ${start}\n\n: \n\ndata: [DONE]\n\n`;
  expect(addCostToFrames(untouched, 1)).toBe(untouched);
  const exact = '{"seed":9007199254740993,"response":{"usage":{"total_tokens":1.0}}}';
  expect(addCostToFrames(`event: x\ndata: ${exact}\n\n`, 0.5)).toBe(
    'event: x\ndata: {"seed":9007199254740993,"response":{"usage":{"total_tokens":1.0,"cost":0.5}}}\n\n',
  );
});
