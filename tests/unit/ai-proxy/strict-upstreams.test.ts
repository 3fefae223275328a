import { describe, expect, test } from 'vitest';
import { readRecording } from '../../agents/recordings.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ErrorReply,
  expectLearned,
  setUpModels,
} from '../../support/servers/set-up-models.ts';
import { strictServers } from '../../support/upstreams/strict-servers.ts';

const addModel = setUpModels();
const prompt = [{ role: 'user', content: 'Hello' }];

const agents = [
  ['Codex', 'codex-cli', responsesPath, 'response.completed'],
  ['Claude Code', 'claude-code', messagesPath, 'message_stop'],
] as const;

describe.each(Object.entries(strictServers))('%s', (_, reject) => {
  test.each(agents)(
    'all that %s sends is served, the second time without a repeat',
    async (...agent) => {
      const [, name, path, ending] = agent;
      const model = addModel('chat', reject);
      const bodies = readRecording({ name }).map(({ body }) => {
        const { model: _, ...fields } = body as Record<string, unknown>;
        return fields;
      });
      const play = async () => {
        for (const body of bodies) {
          const { status, text } = await model.send(path, body);
          expect([status, text]).toEqual([200, expect.stringContaining(ending)]);
        }
      };

      await play();
      const tries = model.requests.length;
      await play();

      const records = 2 * bodies.length;
      expect(model.requests.length).toBe(tries + bodies.length);
      // What was rejected costs nothing.
      expect(await model.charge()).toEqual({ records, tokens: records * 112 });
    },
  );
});

const unknownField = (name: string): ErrorReply => ({
  status: 400,
  body: { error: { message: `property '${name}' is unsupported` } },
});
const toBody = (more: object = {}) => ({ input: 'Hello', ...more });

test('a field that is rejected by its value is the client’s mistake, and sent again', async () => {
  const message = "Unsupported value: 'verbosity' does not support 'lwo' with this model.";
  const error = { message, param: 'verbosity', code: 'unsupported_value' };
  const model = addModel('chat', () => ({ status: 400, body: { error } }));

  for (const requests of [1, 2]) {
    const { status, body } = await model.send(
      responsesPath,
      toBody({ text: { verbosity: 'lwo' } }),
    );
    expect([status, body.error.param]).toEqual([400, 'text.verbosity']);
    expect(model.requests).toHaveLength(requests);
  }
  expect(model.requests[1]).toMatchObject({ verbosity: 'lwo' });
});

test('a client of chat gets the error that names its field', async () => {
  const model = addModel('chat', ({ user }) => (user === undefined ? null : unknownField('user')));
  const messages = [{ role: 'user', content: 'Hello' }];

  const { status } = await model.send(chatPath, { messages, user: 'u1' });

  expect(status).toBe(400);
  expect(model.requests).toHaveLength(1);
  // Nor has it taught anything.
  await model.send(responsesPath, toBody({ user: 'u1' }));
  expect(model.requests[1]).toMatchObject({ user: 'u1' });
});

test('only the tiers that change nothing are left out', async () => {
  const model = addModel('chat', ({ service_tier: tier }) =>
    tier === undefined ? null : unknownField('service_tier'),
  );

  expect((await model.send(responsesPath, toBody({ service_tier: 'auto' }))).status).toBe(200);
  expect((await model.send(responsesPath, toBody({ service_tier: 'default' }))).status).toBe(200);
  expect(model.requests).toHaveLength(3);
  const flex = await model.send(responsesPath, toBody({ service_tier: 'flex' }));
  expect(flex.status).toBe(400);
  expect(model.requests[3]).toMatchObject({ service_tier: 'flex' });
});

test.each(['messages', 'model', 'max_tokens', 'tools'])(
  'no upstream makes the proxy leave out %s',
  async (name) => {
    const model = addModel('chat', () => unknownField(name));

    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }];
    const { status } = await model.send(responsesPath, toBody({ tools, max_output_tokens: 50 }));

    expect(status).toBe(400);
    expect(model.requests).toHaveLength(1);
  },
);

/** OpenAI’s words, of models without the field. */
const unrecognized = (name: string): ErrorReply => ({
  status: 400,
  body: {
    error: {
      message: `Unrecognized request argument supplied: ${name}`,
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
  },
});
test.each([
  ['reasoning_effort', responsesPath, toBody({ reasoning: { effort: 'low' } })],
  ['temperature', responsesPath, toBody({ temperature: 1 })],
  ['top_p', responsesPath, toBody({ top_p: 0.5 })],
  ['presence_penalty', responsesPath, toBody({ presence_penalty: 1 })],
  ['frequency_penalty', responsesPath, toBody({ frequency_penalty: 1 })],
  ['seed', responsesPath, toBody({ seed: 1 })],
  [
    'reasoning_effort',
    messagesPath,
    { max_tokens: 50, messages: prompt, output_config: { effort: 'low' } },
  ],
  ['top_k', messagesPath, { max_tokens: 50, messages: prompt, top_k: 5 }],
  ['stop', messagesPath, { max_tokens: 50, messages: prompt, stop_sequences: ['x'] }],
])(
  'a model without %s serves translated requests of %s: it is left out, and learned',
  async (name, path, body) => {
    const model = addModel('chat', (request) => (name in request ? unrecognized(name) : null));

    await expectLearned(model, path, body);
    expect(model.requests[0]).toHaveProperty(name);
    expect(model.requests[2]).not.toHaveProperty(name);
  },
);

/** OpenAI’s words, of a model that takes these. */
const limited = (field: string, ...values: string[]): ErrorReply => ({
  status: 400,
  body: {
    error: {
      message: `Unsupported value: '${field}' does not support 'x' with this model. Supported values are: ${values.map((value) => `'${value}'`).join(', ')}.`,
      type: 'invalid_request_error',
      param: field,
      code: 'unsupported_value',
    },
  },
});

test.each([
  ['Claude Code', 'max', ['low', 'medium', 'high'], 'high'],
  ['Claude Code', 'xhigh', ['low', 'high', 'max'], 'max'],
  ['Claude Code', 'medium', ['minimal', 'low'], 'low'],
  ['Codex', 'xhigh', ['low', 'medium', 'high'], 'high'],
  ['Codex', 'minimal', ['none', 'low', 'medium'], 'low'],
  ['Codex', 'none', ['none', 'low'], 'none'],
  ['Codex', 'none', ['low', 'medium'], 'low'],
  ['Codex', 'high', ['none'], undefined],
])(
  'what %s sends as %s becomes the nearest of %j, and is learned',
  async (client, effort, values, sent) => {
    const model = addModel('chat', ({ reasoning_effort: got }) =>
      got === undefined || values.includes(got as string)
        ? null
        : limited('reasoning_effort', ...values),
    );
    const messages = { max_tokens: 50, messages: prompt, output_config: { effort } };
    const [path, body] =
      client === 'Codex'
        ? [responsesPath, toBody({ reasoning: { effort } })]
        : [messagesPath, messages];

    const before = values.includes(effort) ? 1 : 2;
    for (const requests of [before, before + 1]) {
      expect((await model.send(path, body)).status).toBe(200);
      expect(model.requests).toHaveLength(requests);
      expect(model.requests.at(-1)?.reasoning_effort).toBe(sent);
    }
  },
);

test('what Codex sends as verbosity becomes the one that the model takes', async () => {
  const model = addModel('chat', ({ verbosity }) =>
    verbosity === undefined || verbosity === 'medium' ? null : limited('verbosity', 'medium'),
  );

  expect((await model.send(responsesPath, toBody({ text: { verbosity: 'low' } }))).status).toBe(
    200,
  );
  expect(model.requests[1]).toMatchObject({ verbosity: 'medium' });
});

test('a model that takes only the default temperature does without it', async () => {
  const message =
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.";
  const error = { message, param: 'temperature', code: 'unsupported_value' };
  const model = addModel('chat', ({ temperature }) =>
    temperature === undefined ? null : { status: 400, body: { error } },
  );

  expect((await model.send(responsesPath, toBody({ temperature: 0.2 }))).status).toBe(200);
  expect(model.requests[1]).not.toHaveProperty('temperature');
});

test.each([
  limited('reasoning_effort', 'low', 'high'),
  {
    status: 400,
    body: { error: { message: '`reasoning_effort` must be one of `low` or `high`' } },
  },
])('a client of chat that names an effort gets those that the model takes', async (rejected) => {
  const model = addModel('chat', () => rejected);

  const named = { messages: prompt, reasoning_effort: 'max' };
  const { status, body } = await model.send(chatPath, named);

  expect([status, body.error.param]).toEqual([400, 'reasoning_effort']);
  expect(body.error.message).toBe(
    'This model does not take this value of `reasoning_effort`: it may be `low` or `high`.',
  );
  expect(model.requests).toHaveLength(1);
});

test('a client of chat that names an effort gets a 400 that names the field', async () => {
  const model = addModel('chat', (request) =>
    'reasoning_effort' in request ? unrecognized('reasoning_effort') : null,
  );

  const named = { messages: prompt, reasoning_effort: 'low' };
  const { status, body } = await model.send(chatPath, named);

  expect([status, body.error.param]).toEqual([400, 'reasoning_effort']);
});

describe.each([
  [chatPath, { stream: true, messages: prompt }, '[DONE]'],
  [responsesPath, toBody({ stream: true }), 'response.completed'],
  [messagesPath, { stream: true, max_tokens: 50, messages: prompt }, 'message_stop'],
])('%s', (path, body, ending) => {
  test('a server without stream_options streams, and the usage is estimated', async () => {
    const model = addModel('chat', (request) =>
      'stream_options' in request
        ? unrecognized('stream_options')
        : { counts: { input: 100, output: 12 }, hasFinalUsage: false },
    );

    for (const requests of [2, 3]) {
      const { status, text } = await model.send(path, body);
      expect([status, text]).toEqual([200, expect.stringContaining(ending)]);
      expect(model.requests).toHaveLength(requests);
    }

    const charge = await model.charge();
    expect(charge.records).toBe(2);
    expect(charge.tokens).toBeGreaterThan(2);
  });
});

test('a client of chat that sends stream_options itself gets the 400', async () => {
  const model = addModel('chat', () => unrecognized('stream_options'));

  const streamOptions = { stream: true, stream_options: { include_usage: true } };
  const sent = { messages: prompt, ...streamOptions };
  const { status, body } = await model.send(chatPath, sent);

  expect([status, body.error.param]).toEqual([400, 'stream_options']);
  expect(model.requests).toHaveLength(1);
});

/** OpenAI’s words, of models that reason. */
const renamed: ErrorReply = {
  status: 400,
  body: {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  },
};

test.each([
  [responsesPath, toBody({ max_output_tokens: 50 })],
  [messagesPath, { max_tokens: 50, messages: prompt }],
])(
  'the bound of a client of %s is sent under the name that the model takes',
  async (path, body) => {
    const model = addModel('chat', (request) => ('max_tokens' in request ? renamed : null));

    for (const requests of [2, 3]) {
      expect((await model.send(path, body)).status).toBe(200);
      expect(model.requests).toHaveLength(requests);
      expect(model.requests.at(-1)).toMatchObject({ max_completion_tokens: 50 });
    }
  },
);

test('a client of chat that names max_tokens itself gets the 400', async () => {
  const model = addModel('chat', (request) => ('max_tokens' in request ? renamed : null));

  const { status, body } = await model.send(chatPath, { messages: prompt, max_tokens: 50 });

  expect([status, body.error.param]).toEqual([400, 'max_tokens']);
});

/** How servers that know only `max_tokens` reject its other name. */
const olderServers: readonly (readonly [server: string, ErrorReply])[] = [
  [
    'Mistral',
    {
      status: 422,
      body: {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'max_completion_tokens'],
              msg: 'Extra inputs are not permitted',
              input: 50,
            },
          ],
        },
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
  ],
  [
    'an old deployment of OpenAI',
    {
      status: 400,
      body: {
        error: {
          message: 'Unrecognized request argument supplied: max_completion_tokens',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
    },
  ],
  [
    'a model of OpenAI',
    {
      status: 400,
      body: {
        error: {
          message:
            "Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead.",
          type: 'invalid_request_error',
          param: 'max_completion_tokens',
          code: 'unsupported_parameter',
        },
      },
    },
  ],
];
const toOlder = (rejected: ErrorReply) =>
  addModel('chat', (request) => ('max_completion_tokens' in request ? rejected : null));

test.each(olderServers)(
  '%s gets max_tokens for max_completion_tokens, and that is learned',
  async (_, rejected) => {
    const model = toOlder(rejected);

    for (const requests of [2, 3]) {
      const sent = { messages: prompt, max_completion_tokens: 50 };
      expect((await model.send(chatPath, sent)).status).toBe(200);
      expect(model.requests).toHaveLength(requests);
      expect(model.requests.at(-1)).toMatchObject({ max_tokens: 50 });
    }
  },
);

test('a client that has set both bounds keeps its max_tokens', async () => {
  for (const [, rejected] of olderServers) {
    const model = toOlder(rejected);

    const sent = { messages: prompt, max_completion_tokens: 50, max_tokens: 40 };
    expect((await model.send(chatPath, sent)).status).toBe(200);
    expect(model.requests).toMatchObject([
      { max_completion_tokens: 50, max_tokens: 40 },
      { max_tokens: 40 },
    ]);
    expect(model.requests[1]).not.toHaveProperty('max_completion_tokens');
  }
});

test('a server that takes neither name gets each of them once', async () => {
  const [, mistral] = olderServers[0] ?? [];
  const model = addModel('chat', (request) =>
    'max_completion_tokens' in request ? (mistral ?? null) : renamed,
  );

  const sent = { messages: prompt, max_completion_tokens: 50 };
  const { status, body } = await model.send(chatPath, sent);

  expect([status, body.error.param]).toEqual([400, 'max_tokens']);
  expect(model.requests).toHaveLength(2);
});

test('a prompt that is quoted in an error renames no bound', async () => {
  const text = 'Unrecognized request argument supplied: max_completion_tokens';
  const model = addModel('chat', () => ({
    status: 400,
    body: { error: { message: text, type: 'invalid_request_error', param: null, code: null } },
  }));

  const sent = { messages: [{ role: 'user', content: text }], max_completion_tokens: 50 };
  expect((await model.send(chatPath, sent)).status).toBe(400);
  expect(model.requests).toHaveLength(1);
});

test('an upstream that rejects without end gets each field once', async () => {
  const model = addModel('chat', () => unknownField('user'));

  const { status } = await model.send(responsesPath, toBody({ user: 'u1' }));

  expect(status).toBe(400);
  expect(model.requests).toHaveLength(2);
});

test('a rejection that reports usage is paid for, and ends the request', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 };
  const rejected = unknownField('user');
  const model = addModel('chat', () => ({
    ...rejected,
    body: { ...(rejected.body as object), usage },
  }));

  const { status } = await model.send(responsesPath, toBody({ user: 'u1' }));

  expect(status).toBe(400);
  expect(model.requests).toHaveLength(1);
  expect(await model.charge()).toEqual({ records: 1, tokens: 112 });
});

test('what an upstream accepts is sent, and nothing else of the optional fields', async () => {
  const model = addModel('accepting', () => null);

  await model.send(responsesPath, {
    input: [{ role: 'developer', content: 'Be brief.' }],
    user: 'u1',
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
    service_tier: 'auto',
    text: { verbosity: 'low' },
  });

  const [sent] = model.requests;
  expect(sent).toMatchObject({
    messages: [{ role: 'developer', content: 'Be brief.' }],
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
  });
  for (const name of ['user', 'service_tier', 'verbosity']) expect(sent).not.toHaveProperty(name);
});

test('an upstream of which nothing is known gets the role system, and no metadata', async () => {
  const model = addModel('chat', () => null);

  const input = [{ role: 'developer', content: 'Be brief.' }];
  await model.send(responsesPath, { input, metadata: { a: 'b' }, user: 'u1' });

  const [sent] = model.requests;
  expect(sent).toMatchObject({ messages: [{ role: 'system', content: 'Be brief.' }], user: 'u1' });
  expect(sent).not.toHaveProperty('metadata');
});
