import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startProxyWith,
} from '../../support/servers/in-process-proxy.ts';
import { startRawUpstream } from '../../support/upstreams/raw-upstream.ts';

/** Reports that stand elsewhere than OpenAI’s, and what is charged for them: $1, $10 and cached $0.10 a million. */

const embeddingsPath = '/proxy/v1/embeddings';
const prices = { inputPerMillion: 1, outputPerMillion: 10, cacheReadPerMillion: 0.1 };
const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'kimi' };
const usage = {
  prompt_tokens: 1000,
  completion_tokens: 10,
  total_tokens: 1010,
  cached_tokens: 900,
};
const toText = (...chunks: object[]) =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;

const replies: Readonly<Record<string, string>> = {
  // pi 2017
  kimi: toText(
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] },
  ),
  // Voyage
  voyage: JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [1, 2] }],
    usage: { total_tokens: 500 },
  }),
  // xaibo PR 36
  limited: JSON.stringify({ code: 'daily', message: 'Error code: 429 - no' }),
};

const started = forTests(async () => {
  const upstream = await startRawUpstream((response, _, text) => {
    const reply = replies[text === '' ? '' : JSON.parse(text).model] ?? '{"data":[]}';
    const type = reply.startsWith('data:') ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(reply);
  });
  const proxy = await startProxyWith({
    upstreams: [
      { name: 'u', url: upstream.url, keyEnv: 'UPSTREAM_KEY', protocols: ['chat', 'embeddings'] },
    ],
    models: Object.keys(replies).map((id) => ({ id, targets: [{ upstream: 'u' }], prices })),
  });
  return {
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
});

const messages = [{ role: 'user', content: 'Hello' }];

test.each([
  ['Kimi’s usage in a choice, at chat', chatPath, { model: 'kimi', messages }, 0.00029],
  ['at Responses', responsesPath, { model: 'kimi', input: 'Hello' }, 0.00029],
  ['at Messages', messagesPath, { model: 'kimi', messages, max_tokens: 50 }, 0.00029],
  ['Voyage’s total', embeddingsPath, { model: 'voyage', input: 'Hello' }, 0.0005],
] as const)('%s is charged once, as it is', async (_, path, body, usd) => {
  const { proxy } = started;
  const { text } = await proxy.makeKey({});
  const stream = path === embeddingsPath ? {} : { stream: true };
  const response = await proxy.post(path, text, { ...body, ...stream });
  await response.bytes();
  expect(response.status).toBe(200);
  const spent = async () => (await (await proxy.view(text)).json()).data.usage;
  await expect.poll(spent).toBeCloseTo(usd, 9);
});

test('an error in place of a reply costs nothing, whatever its form', async () => {
  const { proxy } = started;
  const { text } = await proxy.makeKey({});
  const response = await proxy.post(chatPath, text, { model: 'limited', messages });
  await response.bytes();
  expect(response.status).toBe(429);
  await expect.poll(async () => (await (await proxy.view(text)).json()).data.usage).toBe(0);
});
