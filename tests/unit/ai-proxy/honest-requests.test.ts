import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';

const dear = { pricing: toPricing(1, 2), contextTokens: 200_000, replyTokensMax: 32_000 };
const models = {
  'bill/one': dear,
  'bill/two': dear,
  'bill/free': { pricing: toPricing(0, 0) },
};

/** As agents and chats send them: short and long, streams and JSON, with tools, pictures and bounds. */
function toRequest(index: number): readonly [path: string, body: object] {
  const model = ['bill/one', 'bill/two', 'bill/free'][index % 3];
  const text = 'Tell me more about it. '.repeat(1 + (index % 7) * 20);
  const common = { model, stream: index % 2 === 0 };
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  if (index % 5 === 0) return [responsesPath, { ...common, input: text, store: false }];
  if (index % 5 === 1) {
    const system = [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }];
    const tools = [{ name: 'read', input_schema: schema }];
    const messages = [{ role: 'user', content: text }];
    return [messagesPath, { ...common, system, tools, messages, max_tokens: 4096 }];
  }
  const messages = [{ role: 'user', content: text }];
  if (index % 5 === 2) {
    const tools = [{ type: 'function', function: { name: 'read', parameters: schema } }];
    return [chatPath, { ...common, messages, tools, tool_choice: 'auto', temperature: 0.2 }];
  }
  return [chatPath, { ...common, messages, ...(index % 4 === 0 && { max_tokens: 1000 }) }];
}

test('200 ordinary requests of three owners that fit their budgets get no 402 and no 429', async () => {
  const toScript = ({ model, max_tokens: bound }: ModelRequest): Script => ({
    reply: { counts: { input: 300, output: Math.min(200, Number(bound ?? 200)) } },
    ...(model === 'bill/free' && { toBilledUsd: () => 0 }),
    waitMs: 20,
  });
  await using billed = await startBilledProxy({
    models,
    toScript,
    environment: { TOTAL_BUDGET: '100 USD/day, 50000000 tokens/day' },
  });
  const { proxy } = billed;
  const budget = parseBudget('20 USD/day, 10000000 tokens/day');
  const keys = [
    await proxy.makeKey({ budget }),
    await proxy.makeKey({ budget }),
    await proxy.makeKey({ budget }),
  ];
  const statuses: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < 200) {
      const index = next++;
      const [path, body] = toRequest(index);
      const response = await proxy.post(path, keys[index % keys.length]?.text ?? '', body);
      await response.bytes();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 6 }, client));

  expect(statuses).toHaveLength(200);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  await expect.poll(() => billed.upstream.unbilled()).toBe(0);
  const charges = await Promise.all(keys.map((key) => billed.chargeOf(key)));
  const nanoUsd = charges.reduce((sum, charge) => sum + charge.nanoUsd, 0);
  expect(nanoUsd).toBe(Math.round(billed.upstream.totalUsd() * 1e9));
});
