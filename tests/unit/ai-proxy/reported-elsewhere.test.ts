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
const begun = { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] };
const ended = { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const estimated = { prompt_tokens: 5000, completion_tokens: 1, total_tokens: 5001 };
/** More than ten tokens by its bytes. */
const long = 'Hello, hello, hello, hello, hello, hello, hello.';
const said = { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: long } }] };

const toMessage = (start: object, delta: object | undefined, stop = {}) =>
  [
    { type: 'message_start', message: { id: 'm1', type: 'message', content: [], usage: start } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: long } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: delta },
    { type: 'message_stop', ...stop },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
const ofMessage = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 10 };

const replies: Readonly<Record<string, string>> = {
  // pi 2017
  kimi: toText(
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] },
  ),
  // Helicone PR 3497
  groq: toText(begun, { ...ended, x_groq: { id: 'req_1', usage } }),
  // bifrost PR 528
  early: toText(said, { ...head, choices: [], usage }, ended),
  // dynamo PR 11030
  estimating: toText({ ...begun, usage: estimated }, ended, { ...head, choices: [], usage }),
  // lemma-platform PR 564, helix PR 3005
  counting: toText(
    { ...begun, usage: { ...usage, completion_tokens: 4, total_tokens: 1004 } },
    {
      ...ended,
      usage,
    },
  ),
  // CLIProxyAPI PR 3077
  zeros: toText(
    { ...begun, usage: { prompt_tokens: 0, completion_tokens: 0 } },
    {
      ...ended,
      usage,
    },
  ),
  'messages/estimating': toMessage({ input_tokens: 5000, output_tokens: 1 }, ofMessage),
  // cortex PR 811
  'messages/late': toMessage({ input_tokens: 9, output_tokens: 1 }, ofMessage),
  // envoy PR 1631
  'messages/zeros': toMessage(
    { ...ofMessage, output_tokens: 1 },
    { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 },
  ),
  'messages/last': toMessage({}, undefined, { usage: ofMessage }),
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
    const type = /^(?:data|event):/.test(reply) ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(reply);
  });
  const proxy = await startProxyWith({
    upstreams: [
      { name: 'u', url: upstream.url, keyEnv: 'UPSTREAM_KEY', protocols: ['chat', 'embeddings'] },
      { name: 'native', url: upstream.url, keyEnv: 'UPSTREAM_KEY', protocols: ['messages'] },
    ],
    models: Object.keys(replies).map((id) => {
      const name = id.startsWith('messages/') ? 'native' : 'u';
      return { id, targets: [{ upstream: name }], prices };
    }),
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

const ofChat = ['kimi', 'groq', 'early', 'estimating', 'counting', 'zeros'];
const ofMessages = Object.keys(replies).filter((model) => model.startsWith('messages/'));

test.each([
  ...ofChat.flatMap((model) => [
    [model, 'chat', chatPath, { messages }, 0.00029] as const,
    [model, 'Responses', responsesPath, { input: 'Hello' }, 0.00029] as const,
    [model, 'Messages', messagesPath, { messages, max_tokens: 50 }, 0.00029] as const,
  ]),
  ...ofMessages.map(
    (model) => [model, 'Messages', messagesPath, { messages, max_tokens: 50 }, 0.00029] as const,
  ),
  ['voyage', 'embeddings', embeddingsPath, { input: 'Hello' }, 0.0005],
] as const)('usage of %s is charged once, as it is, at %s', async (model, _, path, body, usd) => {
  const { proxy } = started;
  const { text } = await proxy.makeKey({});
  const stream = path === embeddingsPath ? {} : { stream: true };
  const response = await proxy.post(path, text, { model, ...body, ...stream });
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
