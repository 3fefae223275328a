import { describe, expect, test } from 'vitest';
import { readRecording } from '../../agents/recordings.ts';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ModelRequest,
  type Script,
  toPricing,
} from '../../support/upstreams/billing-upstream.ts';
import { strictServers } from '../../support/upstreams/strict-servers.ts';

const model = 'strict/one';
const reply = { counts: { input: 100, output: 12 } };
type Toward = (request: ModelRequest) => Partial<Script> | null;

function start(reject: Toward, upstream: object = {}): Promise<BilledProxy> {
  return startBilledProxy({
    models: { [model]: { pricing: toPricing(1, 2) } },
    toScript: (request) => ({ reply, ...reject(request) }),
    toFile: (origin) => ({
      upstreams: [
        {
          name: 'strict',
          url: `${origin}/v1`,
          keyEnv: 'BILL_KEY',
          protocols: ['chat'],
          ...upstream,
        },
      ],
    }),
  });
}

const agents = [
  ['Codex', 'codex-cli', responsesPath, 'response.completed'],
  ['Claude Code', 'claude-code', messagesPath, 'message_stop'],
] as const;

describe.each(Object.entries(strictServers))('%s', (_, reject) => {
  test.each(agents)(
    'all that %s sends is served, the second time without a repeat',
    async (...agent) => {
      const [, name, path, ending] = agent;
      await using billed = await start(reject);
      const key = await billed.proxy.makeKey({});
      const bodies = readRecording({ name }).map(({ body }) => ({ ...(body as object), model }));
      const play = async () => {
        for (const body of bodies) {
          const response = await billed.proxy.post(path, key.text, body);
          const text = await response.text();
          expect([response.status, text]).toEqual([200, expect.stringContaining(ending)]);
        }
      };

      await play();
      const tries = billed.upstream.requests.length;
      await play();

      const records = 2 * bodies.length;
      expect(billed.upstream.requests.length).toBe(tries + bodies.length);
      // What was rejected costs nothing.
      expect(await billed.chargeOf(key)).toMatchObject({ records, tokens: records * 112 });
    },
  );
});

const unknownField = (name: string): Partial<Script> => ({
  status: 400,
  errorBody: { error: { message: `property '${name}' is unsupported` } },
});
const toBody = (more: object = {}) => ({ model, input: 'Hello', ...more });

async function send({ proxy }: BilledProxy, body: object, path: string = responsesPath) {
  const { text } = await proxy.makeKey({});
  const response = await proxy.post(path, text, body);
  return { status: response.status, body: await response.json() };
}

test('a field that is rejected by its value is the client’s mistake, and sent again', async () => {
  const message = "Unsupported value: 'verbosity' does not support 'low' with this model.";
  const error = { message, param: 'verbosity', code: 'unsupported_value' };
  await using billed = await start(() => ({ status: 400, errorBody: { error } }));

  for (const requests of [1, 2]) {
    const { status, body } = await send(billed, toBody({ text: { verbosity: 'low' } }));
    expect([status, body.error.param]).toEqual([400, 'verbosity']);
    expect(billed.upstream.requests).toHaveLength(requests);
  }
  expect(billed.upstream.requests[1]).toMatchObject({ verbosity: 'low' });
});

test('a client of chat gets the error that names its field', async () => {
  await using billed = await start(({ user }) =>
    user === undefined ? null : unknownField('user'),
  );
  const messages = [{ role: 'user', content: 'Hello' }];

  const { status } = await send(billed, { model, messages, user: 'u1' }, chatPath);

  expect(status).toBe(400);
  expect(billed.upstream.requests).toHaveLength(1);
  // Nor has it taught anything.
  await send(billed, toBody({ user: 'u1' }));
  expect(billed.upstream.requests[1]).toMatchObject({ user: 'u1' });
});

test('only the tiers that change nothing are left out', async () => {
  await using billed = await start(({ service_tier: tier }) =>
    tier === undefined ? null : unknownField('service_tier'),
  );

  expect((await send(billed, toBody({ service_tier: 'auto' }))).status).toBe(200);
  expect((await send(billed, toBody({ service_tier: 'default' }))).status).toBe(200);
  expect(billed.upstream.requests).toHaveLength(3);
  const flex = await send(billed, toBody({ service_tier: 'flex' }));
  expect(flex.status).toBe(400);
  expect(billed.upstream.requests[3]).toMatchObject({ service_tier: 'flex' });
});

test.each(['messages', 'model', 'max_tokens', 'temperature', 'tools', 'reasoning_effort'])(
  'no upstream makes the proxy leave out %s',
  async (name) => {
    await using billed = await start(() => unknownField(name));

    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }];
    const body = toBody({ temperature: 1, tools, reasoning: { effort: 'low' } });
    const { status } = await send(billed, { ...body, max_output_tokens: 50 });

    expect(status).toBe(400);
    expect(billed.upstream.requests).toHaveLength(1);
  },
);

test('an upstream that rejects without end gets each field once', async () => {
  await using billed = await start(() => unknownField('user'));

  const { status } = await send(billed, toBody({ user: 'u1' }));

  expect(status).toBe(400);
  expect(billed.upstream.requests).toHaveLength(2);
});

test('a rejection that reports usage is paid for, and ends the request', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 };
  const rejected = unknownField('user');
  await using billed = await start(() => ({
    ...rejected,
    errorBody: { ...rejected.errorBody, usage },
  }));
  const key = await billed.proxy.makeKey({});

  const response = await billed.proxy.post(responsesPath, key.text, toBody({ user: 'u1' }));

  expect(response.status).toBe(400);
  expect(billed.upstream.requests).toHaveLength(1);
  expect(await billed.chargeOf(key)).toMatchObject({ records: 1, tokens: 112 });
});

test('what an upstream accepts is sent, and nothing else of the optional fields', async () => {
  const accepts = ['developer', 'metadata', 'prompt_cache_key'];
  await using billed = await start(() => null, { accepts });

  await send(billed, {
    model,
    input: [{ role: 'developer', content: 'Be brief.' }],
    user: 'u1',
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
    service_tier: 'auto',
    text: { verbosity: 'low' },
  });

  const [sent] = billed.upstream.requests;
  expect(sent).toMatchObject({
    messages: [{ role: 'developer', content: 'Be brief.' }],
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
  });
  for (const name of ['user', 'service_tier', 'verbosity']) expect(sent).not.toHaveProperty(name);
});

test('an upstream of which nothing is known gets the role system, and no metadata', async () => {
  await using billed = await start(() => null);

  const input = [{ role: 'developer', content: 'Be brief.' }];
  await send(billed, { model, input, metadata: { a: 'b' }, user: 'u1' });

  const [sent] = billed.upstream.requests;
  expect(sent).toMatchObject({ messages: [{ role: 'system', content: 'Be brief.' }], user: 'u1' });
  expect(sent).not.toHaveProperty('metadata');
});
