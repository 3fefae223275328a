import { expect, onTestFinished, test } from 'vitest';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, startProxyWith } from '../../support/servers/in-process-proxy.ts';
import type { ModelRequest, Script } from '../../support/upstreams/billing-upstream.ts';
import { startRawUpstream } from '../../support/upstreams/raw-upstream.ts';

const model = 'p/one';
const reply = { counts: { input: 100, output: 12 } };
const messages = [{ role: 'user', content: 'Hello' }];

/** A server that rejects what is said, and replies to all else. */
async function start(toMessage: (request: ModelRequest) => string | null): Promise<BilledProxy> {
  const billed = await startBilledProxy({
    models: { [model]: {}, 'p/two': {} },
    toScript(request): Script {
      const message = toMessage(request);
      if (message === null) return { reply };
      return {
        reply,
        status: 400,
        errorBody: { error: { message, type: 'invalid_request_error' } },
      };
    },
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  return billed;
}

/** Sends it, and returns the bound that reached the upstream last. */
async function send({ proxy, upstream }: BilledProxy, key: string, fields: object) {
  const response = await proxy.post(chatPath, key, { model, messages, ...fields });
  await response.bytes();
  return upstream.requests.at(-1)?.max_tokens;
}

const tooLarge = (max: number) =>
  `max_tokens: 100000 > ${max}, which is the maximum allowed number of output tokens for tiny`;
const boundTo =
  (max: number) =>
  ({ max_tokens: sent }: ModelRequest) =>
    Number(sent) > max ? tooLarge(max) : null;

test('the bound of a provider that one member has chosen holds for nobody else', async () => {
  const billed = await start(({ provider, ...request }) =>
    provider === undefined ? null : boundTo(1000)(request),
  );
  const [one, other] = [await billed.proxy.makeKey(), await billed.proxy.makeKey()];

  expect(await send(billed, one.text, { provider: { only: ['tiny'] } })).toBe(1000);
  expect(await send(billed, one.text, { max_tokens: 4000 })).toBe(1000);
  expect(await send(billed, other.text, { max_tokens: 4000 })).toBe(4000);
});

test('a bound holds for others after a second owner, and at once for the one that was told', async () => {
  const billed = await start(boundTo(1000));
  const [one, second, third] = [
    await billed.proxy.makeKey(),
    await billed.proxy.makeKey(),
    await billed.proxy.makeKey(),
  ];
  const requestsOf = async (key: string) => {
    const before = billed.upstream.requests.length;
    expect(await send(billed, key, {})).toBe(1000);
    return billed.upstream.requests.length - before;
  };

  expect([await requestsOf(one.text), await requestsOf(one.text)]).toEqual([2, 1]);
  expect(await requestsOf(second.text)).toBe(2);
  expect(await requestsOf(third.text)).toBe(1);
});

test('a bound below 256 holds for its request alone', async () => {
  const billed = await start(boundTo(200));
  const { text: key } = await billed.proxy.makeKey();

  for (const requests of [2, 4]) {
    expect(await send(billed, key, {})).toBe(200);
    expect(billed.upstream.requests).toHaveLength(requests);
  }
});

test.each([
  ['with an escape', 'max_tokens too large \\u0061t most', 'max_tokens too large at most 300'],
  ['in wide letters', 'max_tokens too large ａt most', 'max_tokens too large at most 300'],
  [
    'in an escape of wide letters',
    'max_tokens too large \\uff41t most',
    'max_tokens too large at most 300',
  ],
  ['in capitals', 'MAX_TOKENS TOO LARGE AT MOST', 'max_tokens too large at most 300'],
  [
    'in an escape within an escape',
    'max_tokens too large \\\\u0061t most',
    'max_tokens too large at most 300',
  ],
])('words of the request that a server repeats teach nothing: %s', async (_, words, said) => {
  const billed = await start((request) => (request.user === 'echo' ? said : null));
  const { proxy, upstream } = billed;
  const [one, other] = [await proxy.makeKey(), await proxy.makeKey()];
  // 1.0: the source text of the object is forwarded.
  const part = `{"type":"text","text":"Hello","${words} 300":1.0}`;
  const body = `{"model":"${model}","user":"echo","messages":[{"role":"user","content":[${part}]}]}`;

  for (const key of [one, other]) {
    const response = await proxy.post(chatPath, key.text, {}, { body });
    expect(response.status).toBe(400);
  }

  expect(upstream.requests).toHaveLength(2);
  expect(await proxy.database.upstreamFacts.list()).toEqual([]);
});

test.each([
  ['a provider', { provider: { sort: 'price' } }, {}],
  ['another model', { models: ['p/two'] }, {}],
  ['a variant', { model: `${model}:nitro` }, {}],
  ['a field that nobody knows', { choose_the_small_one: 1 }, {}],
  ['a field of an unusual size', { user: 'x'.repeat(3000) }, {}],
  ['a plugin', { plugins: [{ id: 'web' }] }, {}],
  ['a feature by a header', {}, { 'openai-beta': 'tiny=v1' }],
])('what a request with %s teaches holds for its owner alone', async (_, fields, headers) => {
  const billed = await start(({ stream_options: sent }) =>
    sent === undefined ? null : "Unknown parameter: 'stream_options'",
  );
  const { proxy, upstream } = billed;
  const [one, other] = [await proxy.makeKey(), await proxy.makeKey()];
  const stream = async (key: string, more: object, others: Record<string, string> = {}) => {
    const before = upstream.requests.length;
    const response = await proxy.post(
      chatPath,
      key,
      { model, messages, stream: true, ...more },
      {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...others },
      },
    );
    await response.bytes();
    return upstream.requests.length - before;
  };

  expect(await stream(one.text, fields, headers)).toBe(2);
  expect(await stream(one.text, fields, headers)).toBe(1);
  // The first request of another owner is rejected, and teaches all, since it is plain.
  expect(await stream(other.text, {})).toBe(2);
  const third = await proxy.makeKey();
  expect(await stream(third.text, {})).toBe(1);
});

test('features that a server does not know for one member are not taken from others', async () => {
  const betas: (string | undefined)[] = [];
  const upstream = await startRawUpstream((response, { method, headers }) => {
    const { 'anthropic-beta': sent } = headers;
    const isUnknown = sent?.includes('bogus');
    if (method === 'POST') betas.push(sent?.toString());
    const message = 'Unexpected value(s) `bogus-2025-01-01` for the `anthropic-beta` header';
    response.writeHead(isUnknown ? 400 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        method === 'GET'
          ? { data: [{ id: model }] }
          : isUnknown
            ? { type: 'error', error: { type: 'invalid_request_error', message } }
            : { ...messagesReply, model },
      ),
    );
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const named = { name: 'a', url: upstream.url, keyEnv: 'UPSTREAM_KEY', protocols: ['messages'] };
  const proxy = await startProxyWith({ upstreams: [named] });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const sendWith = async (beta: string) => {
    const { text: key } = await proxy.makeKey();
    const headers = { authorization: `Bearer ${key}`, 'anthropic-beta': beta };
    const body = { model, messages, max_tokens: 20 };
    const response = await proxy.post(messagesPath, key, body, {
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(response.status).toBe(200);
  };

  await sendWith('bogus-2025-01-01,tiny-2025-01-01');
  await sendWith('interleaved-thinking-2025-05-14');

  expect(betas).toEqual([
    'bogus-2025-01-01,tiny-2025-01-01',
    'tiny-2025-01-01',
    'interleaved-thinking-2025-05-14',
  ]);
});

const messagesReply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};

test('an owner that makes up any number of models takes no fact of others from the list', async () => {
  const billed = await start(({ stream_options: sent }) =>
    sent === undefined ? null : "Unknown parameter: 'stream_options'",
  );
  const { proxy } = billed;
  const store = proxy.database.upstreamFacts;
  const fact = { upstream: 'bill', field: 'user', taken: [], isPlain: true, reason: 'x' } as const;
  const learnedAt = Date.now();
  await store.save([{ ...fact, model, owner: 'honest', learnedAt }]);
  for (let batch = 0; batch < 6; batch++) {
    await store.save(
      Array.from({ length: 100 }, (_, index) => ({
        ...fact,
        model: `made-up-${batch}-${index}`,
        owner: 'hostile',
        learnedAt: learnedAt + 1 + batch,
      })),
    );
  }

  const list = await store.list();
  expect(list.filter(({ owner }) => owner === 'honest')).toHaveLength(1);
  expect(list.filter(({ owner }) => owner === 'hostile').length).toBeLessThanOrEqual(250);
});
