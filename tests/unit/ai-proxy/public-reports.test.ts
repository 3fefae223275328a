import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { prompts, type Reply, setUpModels } from '../../support/servers/set-up-models.ts';
import type { ModelRequest } from '../../support/upstreams/billing-upstream.ts';
import { examineMessagesStream } from '../../support/upstreams/messages-stream.ts';
import { examineResponsesStream } from '../../support/upstreams/responses-stream.ts';

/** What public reports say of upstreams, and in which other programs it broke something. */

const addModel = setUpModels();
const done: Reply = { message: { content: 'Done.' } };

/** What Azure sends when its filter runs beside the stream: a chunk before the reply, and one within without a delta. */
const filtered = `data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

data: {"id":"","object":"","created":0,"model":"","choices":[{"finish_reason":null,"index":0,"content_filter_results":{"hate":{"filtered":false}},"content_filter_offsets":{"check_offset":44,"start_offset":44,"end_offset":198}}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"id":"","object":"","created":0,"model":"","choices":[{"finish_reason":null,"index":0,"content_filter_results":{"hate":{"filtered":false}}}]}

data: [DONE]

`;

// langchain 18977, autogen 6465, archive-old-cli-mentat 429
test.each([chatPath, responsesPath, messagesPath])(
  'chunks of Azure’s content filter have what clients read: %s',
  async (path) => {
    const model = addModel('chat', () => filtered);
    const { text } = await model.send(path, { stream: true, ...prompts[path] });

    expect(text).toContain('Hello');
    expect(text).not.toContain('"error":{');
    if (path !== chatPath) return;
    for (const line of text.split('\n').filter((line) => line.startsWith('data: {'))) {
      const chunk = JSON.parse(line.slice(6));
      expect(chunk).toMatchObject({ id: 'c1', object: 'chat.completion.chunk', model: 'gpt-4o' });
      expect(chunk.choices[0].delta).toBeTypeOf('object');
    }
  },
);

const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const toStream = (...choices: object[]) =>
  `${choices.map((choice) => `data: ${JSON.stringify({ ...head, choices: [choice] })}\n\n`).join('')}data: [DONE]\n\n`;
const toChoice = (delta: object, finish_reason: string | null = null) => ({
  index: 0,
  delta,
  finish_reason,
});
const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } };
const unnamed = { id: null, type: null, function: { name: null, arguments: '{"a":1}' } };

test.each([
  [
    'vercel/ai 20203: no calls, in an empty list',
    toStream(
      toChoice({ role: 'assistant', reasoning_content: 'Hm', tool_calls: [] }),
      toChoice({ content: 'Hi', tool_calls: null }),
      toChoice({}, 'stop'),
    ),
    [{ role: 'assistant', reasoning_content: 'Hm' }, { content: 'Hi' }, {}],
  ],
  [
    'MiniMax-M2.5 2, langchainjs 11468: a role without a name',
    toStream(toChoice({ role: '', content: 'Hi' }), toChoice({ role: '' }, 'stop')),
    [{ role: 'assistant', content: 'Hi' }, {}],
  ],
  [
    'effect 8333: `null` for a role, and for what a call has said already',
    toStream(
      toChoice({ role: null, tool_calls: [call] }),
      toChoice({ role: null, tool_calls: [{ index: 0, ...unnamed }] }),
      toChoice({}, 'tool_calls'),
    ),
    [
      { role: 'assistant', tool_calls: [call] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] },
      {},
    ],
  ],
  [
    'a whole message in place of deltas',
    toStream({ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }),
    [{ role: 'assistant', content: 'Hi' }, {}],
  ],
])('%s: clients get only what says something', async (_, reply, deltas) => {
  const model = addModel('chat', () => reply);
  const { text } = await model.send(chatPath, { stream: true, ...prompts[chatPath] });
  const chunks = text.split('\n').filter((line) => line.startsWith('data: {'));
  const choices = chunks.flatMap((line) => JSON.parse(line.slice(6)).choices);
  expect(choices.map(({ delta }) => delta)).toEqual(deltas);
  expect(choices.some((choice) => 'message' in choice)).toBe(false);
});

test.each([responsesPath, messagesPath])(
  'a whole message in a stream is read at %s, too',
  async (path) => {
    const message = { role: 'assistant', content: 'Hi there' };
    const model = addModel('chat', () => toStream({ index: 0, message, finish_reason: 'stop' }));
    const { text } = await model.send(path, { stream: true, ...prompts[path] });
    expect(text).toContain('Hi there');
  },
);

// MCP-Bridge 48
test.each([responsesPath, messagesPath])(
  'a reply in two choices is one with text and call: %s',
  async (path) => {
    const named = { ...call, function: { name: 'f', arguments: '{"a":1}' } };
    const choices = [
      { finish_reason: 'tool_calls', message: { role: 'assistant', content: 'I look.' } },
      { finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: [named] } },
    ];
    const model = addModel('chat', () => JSON.stringify({ ...head, choices }));
    const { text } = await model.send(path, prompts[path] ?? {});
    expect(text).toContain('I look.');
    expect(text).toContain('"call_1"');
    expect(text).toMatch(/"function_call"|"stop_reason":"tool_use"/);
  },
);

const invalid = (status: number, error: object): Reply => ({ status, body: error });
const claude = {
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
};
test.each<[string, string, (request: ModelRequest) => boolean, Reply, string, object]>([
  [
    'any-llm 1312: no parallel_tool_calls',
    messagesPath,
    (sent) => 'parallel_tool_calls' in sent,
    invalid(400, { error: { message: "'parallel_tool_calls' is not supported for this model" } }),
    'parallel_tool_calls',
    claude,
  ],
  [
    'promptfoo 3781: no reasoning_effort',
    responsesPath,
    (sent) => 'reasoning_effort' in sent,
    invalid(400, {
      error: {
        message: "Unknown parameter: 'reasoning_effort'.",
        type: 'invalid_request_error',
        param: 'reasoning_effort',
        code: 'unknown_parameter',
      },
    }),
    'reasoning_effort',
    { input: 'hi', reasoning: { effort: 'medium' } },
  ],
  [
    'gonka 1177: no user',
    responsesPath,
    (sent) => 'user' in sent,
    invalid(400, {
      error: { message: "Unsupported parameter: 'user'", code: 'unsupported_parameter' },
    }),
    'user',
    { input: 'hi', user: 'u1' },
  ],
])('%s', async (_, path, isRejected, rejected, field, body) => {
  const model = addModel('chat', (sent) => (isRejected(sent) ? rejected : done));
  expect((await model.send(path, body)).status).toBe(200);
  expect(model.requests.map((sent) => field in sent)).toEqual([true, false]);
});

test.each([
  [responsesPath, { input: 'hi', reasoning: { effort: 'xhigh' } }],
  [
    messagesPath,
    {
      max_tokens: 50,
      messages: [{ role: 'user', content: 'hi' }],
      output_config: { effort: 'xhigh' },
    },
  ],
] as const)(
  'vllm: the nearest effort of those that it names, from then on (%s)',
  async (path, body) => {
    const message = `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': 'xhigh'}]`;
    const error = { message, type: 'BadRequestError', code: 400 };
    const model = addModel('chat', ({ reasoning_effort: effort }) =>
      effort === 'xhigh' ? invalid(400, { error }) : done,
    );
    for (const stream of [false, true]) {
      expect((await model.send(path, { ...body, stream })).status).toBe(200);
    }
    const sent = model.requests.map(({ reasoning_effort: effort }) => effort);
    expect(sent).toEqual(['xhigh', 'high', 'high']);
  },
);

test('litellm 30835: no reasoning of the former turn, which the server has sent itself', async () => {
  const model = addModel('chat', (sent) => {
    const at = sent.messages.findIndex((message) => 'reasoning_content' in message);
    if (at < 0) return { message: { content: 'Done.', reasoning_content: 'I think.' } };
    const detail = {
      type: 'extra_forbidden',
      loc: ['body', 'messages', at, 'assistant', 'reasoning_content'],
      msg: 'Extra inputs are not permitted',
      input: 'I think.',
    };
    return invalid(422, {
      object: 'error',
      message: { detail: [detail] },
      type: 'invalid_request_error',
      code: null,
    });
  });
  const first = await model.send(responsesPath, { input: 'hi' });
  const input = [
    { role: 'user', content: 'hi' },
    ...first.body.output,
    { role: 'user', content: 'more' },
  ];
  const second = await model.send(responsesPath, { input });
  expect(second.status).toBe(200);
  expect(JSON.stringify(model.requests[1])).toContain('"reasoning_content":"I think."');
  expect(model.requests[2]?.messages).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'more' },
  ]);
  await model.send(responsesPath, { input });
  expect(model.requests).toHaveLength(4);
});

const chunkOf = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const toFrames = (...chunks: readonly object[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const doneFrame = 'data: [DONE]\n\n';

test.each(Object.keys(prompts))(
  'LibreChat 13987: arguments under another index than the call: %s',
  async (path) => {
    const called = { id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
    const pieces = ['{"x":', '1}'].map((text) =>
      chunkOf({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    );
    const model = addModel(
      'chat',
      () =>
        toFrames(
          chunkOf({ role: 'assistant', content: '' }),
          chunkOf({ tool_calls: [{ index: 1, ...called }] }),
          ...pieces,
          chunkOf({}, 'tool_calls'),
        ) + doneFrame,
    );
    const { text } = await model.send(path, { stream: true, ...prompts[path] });
    expect(text).not.toContain('"error":{');
    const places = [...text.matchAll(/"index":(\d+),"(?:function":\{"arg|id":"a")/g)];
    if (path === chatPath) expect(places.map(([, index]) => index)).toEqual(['0', '0', '0']);
    if (path === responsesPath) expect(text).toContain('"arguments":"{\\"x\\":1}","status"');
    if (path === messagesPath) expect(text).toContain('"partial_json":"1}"');
  },
);

test.each(Object.keys(prompts))(
  'vllm-mlx 628, ollama 4357, openai-workflow 52: a stream that ends with [DONE] and no reason: %s',
  async (path) => {
    const model = addModel(
      'chat',
      () => toFrames(chunkOf({ role: 'assistant', content: 'Hi' }, '')) + doneFrame,
    );
    const { text } = await model.send(path, { stream: true, ...prompts[path] });
    expect(text).toContain('Hi');
    expect(text).not.toContain('"error":{');
    expect(text).toMatch(/"finish_reason":"stop"|response\.completed|"stop_reason":"end_turn"/);
  },
);

test('a call that is cut before [DONE] is none that an agent could run', async () => {
  const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{"path":"/' } };
  const model = addModel(
    'chat',
    () => toFrames(chunkOf({ role: 'assistant', tool_calls: [call] })) + doneFrame,
  );
  const { text } = await model.send(responsesPath, { stream: true, ...prompts[responsesPath] });
  expect(text).toContain('event: response.failed');
});

test.each(Object.keys(prompts))(
  'argo-proxy 91: Azure’s filter within a stream is named, so that agents do not repeat: %s',
  async (path) => {
    const error = { message: 'The response was filtered', code: 'content_filter', type: null };
    const model = addModel('chat', () =>
      toFrames(chunkOf({ role: 'assistant', content: 'Hi' }), { error }),
    );
    const { text } = await model.send(path, { stream: true, ...prompts[path] });
    expect(text).toContain('The content filter of the service behind this model rejects');
    expect(text).toContain('invalid_request_error');
  },
);

test('claude-code-router 1725: each time that a model thinks is a block of its own', async () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const model = addModel(
    'chat',
    () =>
      toFrames(
        chunkOf({ role: 'assistant', reasoning_content: 'one' }),
        chunkOf({ tool_calls: [call] }),
        chunkOf({ reasoning_content: 'two' }),
        chunkOf({ content: 'Text' }),
        chunkOf({ reasoning_content: 'three' }),
        chunkOf({}, 'tool_calls'),
      ) + doneFrame,
  );
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const { text } = await model.send(messagesPath, {
    stream: true,
    thinking,
    ...prompts[messagesPath],
  });
  const { problems, blocks } = examineMessagesStream(text);
  expect(problems).toEqual([]);
  expect(blocks.map(({ type, text: shown }) => [type, shown])).toEqual([
    ['thinking', 'one'],
    ['tool_use', '{}'],
    ['thinking', 'two'],
    ['text', 'Text'],
    ['thinking', 'three'],
  ]);
});

const ok = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'ok' }],
  usage: { input_tokens: 1, output_tokens: 1 },
};
const rejectedMessage = (message: string) =>
  invalid(400, { type: 'error', error: { type: 'invalid_request_error', message } });
const toolTurns = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
];

test.each([
  [
    'hermes-agent 22313',
    'The `content[].thinking` in the thinking mode must be passed back to the API.',
  ],
  ['GCMP 26', 'Missing thinking block in the assistant message at message index 1. For more …'],
])('%s: DeepSeek’s Messages want thinking before calls of other models', async (_, message) => {
  const model = addModel('native', (_, { text }) =>
    text.includes('"type":"thinking"') ? JSON.stringify(ok) : invalid(400, { error: { message } }),
  );
  const { body: reply } = await model.send(messagesPath, { max_tokens: 100, messages: toolTurns });
  expect(reply.content).toEqual(ok.content);
  expect(model.requests[1]?.messages[1]?.content).toEqual([
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'tool_use', id: 'a', name: 'f', input: {} },
  ]);
});

test('opencode 48637: thinking that is bound to another conversation is left out', async () => {
  const message =
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set …';
  const model = addModel('native', (_, { text }) =>
    text.includes('"signature"') ? rejectedMessage(message) : JSON.stringify(ok),
  );
  const [user, assistant, result] = toolTurns;
  const block = { type: 'thinking', thinking: 'Hm', signature: 'sig' };
  const turn = { ...assistant, content: [block, ...((assistant?.content as object[]) ?? [])] };
  const { body: reply } = await model.send(messagesPath, {
    max_tokens: 100,
    messages: [user, turn, result],
  });
  expect(reply.content).toEqual(ok.content);
  expect(model.requests).toHaveLength(2);
});

test('litellm 28553: Responses of Azure get no stream_options', async () => {
  const model = addModel('native', () => '{}');
  await model.send(responsesPath, { stream: true, input: 'hi' });
  expect(model.sent[0]?.text).not.toContain('stream_options');
});

test.each(Object.keys(prompts))(
  'neon-pkgs 308, chatlas 392: what a model of Databricks thinks, in parts of a stream: %s',
  async (path) => {
    const summary = [{ type: 'summary_text', text: 'I think.' }];
    const model = addModel(
      'chat',
      () =>
        toFrames(
          chunkOf({ role: 'assistant', content: [{ type: 'reasoning', summary }] }),
          chunkOf({ content: [{ type: 'text', text: 'Hello' }] }),
          chunkOf({}, 'stop'),
        ) + doneFrame,
    );
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const body = { stream: true, ...prompts[path] };
    const { text } = await model.send(
      path,
      JSON.stringify(path === messagesPath ? { ...body, thinking } : body),
    );
    if (path === chatPath) {
      expect(text).toContain('"content":"","reasoning_content":"I think."');
      expect(text).toContain('"delta":{"content":"Hello"}');
    }
    if (path === responsesPath) {
      expect(text).toContain('"summary":[{"type":"summary_text","text":"I think."}]');
      expect(text).toContain('"type":"output_text","text":"Hello"');
    }
    if (path === messagesPath) {
      expect(text).toContain('"delta":{"type":"thinking_delta","thinking":"I think."}');
      expect(text).toContain('"delta":{"type":"text_delta","text":"Hello"}');
    }
  },
);

const toEvents = (...events: readonly Readonly<{ type: string; [name: string]: unknown }>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const begun = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
const beginning = { type: 'response.created', sequence_number: 0, response: begun };

test.each([true, false])(
  'codex 24973: an error that stands beside the response that has failed (stream: %s)',
  async (stream) => {
    const response = { ...begun, status: 'failed', error: null };
    const error = {
      message: 'Try again in 5 s.',
      type: 'server_error',
      code: 'rate_limit_exceeded',
    };
    const failed = { type: 'response.failed', sequence_number: 1, response, error };
    const model = addModel('native', () => toEvents(beginning, failed));
    const { body: reply } = await model.send(responsesPath, { stream, input: 'hi' });
    expect(reply.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
  },
);

test('siclaw 275: a call that is empty at its end has the arguments that were streamed', async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '' };
  const place = { item_id: 'fc_1', output_index: 0 };
  const completed = { ...begun, status: 'completed', output: [{ ...call, arguments: '{}' }] };
  const model = addModel('native', () =>
    toEvents(
      beginning,
      { type: 'response.output_item.added', output_index: 0, item: call },
      { type: 'response.function_call_arguments.delta', ...place, delta: '{"x":' },
      { type: 'response.function_call_arguments.delta', ...place, delta: '1}' },
      { type: 'response.function_call_arguments.done', ...place, arguments: '' },
      { type: 'response.output_item.done', output_index: 0, item: { ...call, arguments: '{}' } },
      { type: 'response.completed', response: completed },
    ),
  );
  const { text } = await model.send(responsesPath, { stream: true, input: 'hi' });
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));
  const find = (type: string) => events.find((event) => event.type === `response.${type}`);
  expect(find('function_call_arguments.done').arguments).toBe('{"x":1}');
  expect(find('output_item.done').item.arguments).toBe('{"x":1}');
  expect(find('completed').response.output[0].arguments).toBe('{"x":1}');
});

const answered = JSON.stringify({ ...begun, status: 'completed', output: [] });
const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
const toTurns = (reasoning: object) => [
  { role: 'user', content: 'hi' },
  reasoning,
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
  { role: 'user', content: 'more' },
];

test('mecatl 406: an empty id of an item is none', async () => {
  const model = addModel('native', () => answered);
  const input = toTurns({ ...thought, id: '', encrypted_content: 'abc' });
  await model.send(responsesPath, { input });
  expect(model.requests[0]?.input[1]).toEqual({
    type: 'reasoning',
    summary: [],
    encrypted_content: 'abc',
  });
});

test('claude-code-router 1783: what another model has thought is left out where it is rejected', async () => {
  const message =
    "Invalid 'input[1].content': array too long. Expected an array with maximum length 0, but got an array with length 1 instead.";
  const error = { message, param: 'input[1].content', code: 'array_above_max_length' };
  const model = addModel('native', (_, { text }) =>
    text.includes('reasoning_text') ? { status: 400, body: { error } } : answered,
  );
  const content = [{ type: 'reasoning_text', text: 'We think.' }];
  const input = toTurns({ ...thought, content });
  expect((await model.send(responsesPath, { input })).body.status).toBe('completed');
  const [first, second] = model.requests.map((request) => request.input);
  expect(first?.[1]).toEqual({ ...thought, content });
  expect(second).toEqual(first?.toSpliced(1, 1));
});

test('CLIProxyAPI 3608: instructions where a server takes no message of the role system', async () => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request.messages).includes('"system"')
      ? invalid(400, { error: { message: 'System messages are not allowed' } })
      : done,
  );
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Be brief.' },
  ];
  const body = { max_tokens: 100, system: 'You help.', messages };
  expect((await model.send(messagesPath, body)).status).toBe(200);
  expect(model.requests.at(-1)?.messages).toEqual([
    { role: 'user', content: 'You help.\n\nHello\n\nBe brief.' },
  ]);
});

test('OpenAgentsControl 317: Cerebras takes no reasoning back', async () => {
  const message =
    "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported";
  const model = addModel('chat', (request) =>
    JSON.stringify(request.messages).includes('reasoning_content')
      ? invalid(400, { message, type: 'invalid_request_error', code: 'wrong_api_format' })
      : done,
  );
  const reply = { role: 'assistant', content: 'Hello.', reasoning_content: 'I think.' };
  const user = { role: 'user', content: 'Hello' };
  expect((await model.send(chatPath, { messages: [user, reply, user] })).status).toBe(200);
});

const betas = 'interleaved-thinking-2025-05-14,advisor-tool-2026-03-01, effort-2025-11-24';
test.each([
  [
    'claude-agent-sdk 307, higress 3904',
    'Unexpected value(s) `effort-2025-11-24`, `advisor-tool-2026-03-01` for the `anthropic-beta` header. Please consult our documentation',
    'interleaved-thinking-2025-05-14',
  ],
  ['CLIProxyAPI 4750', 'ValidationException: invalid beta flag', undefined],
  [
    'one that was not sent',
    'Unexpected value(s) `x-1` for the `anthropic-beta` header.',
    undefined,
  ],
])('%s: features that a server of Messages does not know', async (_, message, rest) => {
  const isKnown = (sent = '') => !/advisor|effort/.test(sent);
  const model = addModel('native', (_, { headers }) =>
    isKnown(String(headers['anthropic-beta'] ?? ''))
      ? JSON.stringify(ok)
      : rejectedMessage(message),
  );
  const body = prompts[messagesPath] ?? {};
  const sent = () => model.sent.map(({ headers }) => headers['anthropic-beta']);
  const reply = await model.send(messagesPath, body, { 'anthropic-beta': betas });
  expect(reply.body.content).toEqual(ok.content);
  expect(sent()).toEqual([betas, rest]);
  // A client can make them up: nothing is learned for others.
  const known = 'files-api-2025-04-14';
  await model.send(messagesPath, body, { 'anthropic-beta': known });
  expect(sent().slice(2)).toEqual([known]);
});

test('features of which a server rejects one after the other', async () => {
  const model = addModel('native', (_, { headers }) => {
    const sent = String(headers['anthropic-beta'] ?? '');
    const unknown = ['advisor-tool-2026-03-01', 'effort-2025-11-24'].find((name) =>
      sent.includes(name),
    );
    return unknown === undefined
      ? JSON.stringify(ok)
      : invalid(400, {
          error: {
            message: `Unexpected value(s) \`${unknown}\` for the \`anthropic-beta\` header.`,
          },
        });
  });
  const body = prompts[messagesPath] ?? {};
  const reply = await model.send(messagesPath, body, { 'anthropic-beta': betas });
  expect(reply.body.content).toEqual(ok.content);
  // Then none is sent: a client could name any number.
  expect(model.sent.at(-1)?.headers['anthropic-beta']).toBeUndefined();
  expect(model.requests).toHaveLength(3);
});

const hello = { type: 'output_text', text: 'Hello', annotations: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [hello] };
const ended = {
  type: 'response.completed',
  response: { ...begun, status: 'completed', output: [message], usage: { input_tokens: 1 } },
};
const inMessage = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const empty = { ...message, content: [] };

// sub2api 4468, hermes-agent 119758, gemini-web2api 57: SDKs add texts only to a part that has begun
test.each<[string, readonly Readonly<{ type: string; [name: string]: unknown }>[]]>([
  [
    'no events of parts',
    [
      { type: 'response.output_item.added', output_index: 0, item: empty },
      { type: 'response.output_text.delta', ...inMessage, delta: 'Hel' },
      { type: 'response.output_text.delta', ...inMessage, delta: 'lo' },
      { type: 'response.output_item.done', output_index: 0, item: message },
    ],
  ],
  [
    'no events of parts, but the end of its text',
    [
      { type: 'response.output_item.added', output_index: 0, item: empty },
      { type: 'response.output_text.delta', ...inMessage, delta: 'Hello' },
      { type: 'response.output_text.done', ...inMessage, text: 'Hello' },
      { type: 'response.output_item.done', output_index: 0, item: message },
    ],
  ],
  ['no deltas', [{ type: 'response.output_item.done', output_index: 0, item: message }]],
  ['no items', [{ type: 'response.output_text.delta', delta: 'Hello' }]],
  ['a text alone', [{ type: 'response.output_text.done', ...inMessage, text: 'Hello' }]],
  ['only its end', []],
])('a message of a native Responses stream can be collected: %s', async (_, events) => {
  const model = addModel('native', () => toEvents(beginning, ...events, ended));
  const client = model.openai();
  const stream = client.responses.stream({ model: model.name, input: 'hi' });
  let text = '';
  stream.on('response.output_text.delta', ({ delta }) => {
    text += delta;
  });
  expect((await stream.finalResponse()).output_text).toBe('Hello');
  expect(text).toBe('Hello');
  const { text: sent } = await model.send(responsesPath, { stream: true, input: 'hi' });
  expect(examineResponsesStream(sent).problems).toEqual([]);
  expect(sent.match(/event: response\.output_text\.done/g)).toHaveLength(1);
});

test('a call that comes only at the end of a native Responses stream is shown before it', async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{"x":1}' };
  const response = { ...begun, status: 'completed', output: [call] };
  const model = addModel('native', () =>
    toEvents(beginning, { type: 'response.completed', response }),
  );
  const { text } = await model.send(responsesPath, { stream: true, input: 'hi' });
  expect(text.match(/event: response\.output_item\.done/g)).toHaveLength(1);
  expect(examineResponsesStream(text).problems).toEqual([]);
});

const messageStart = (usage: object | null, content: object[] | null = []) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, usage },
});
const messageEnd = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 45 },
  },
  { type: 'message_stop' },
];

test.each([
  ['sglang 20678: a prompt of no tokens', messageStart({ input_tokens: 0, output_tokens: 0 })],
  ['openclaw 27479, free-claude-code 209: no usage', messageStart(null)],
  ['cc-switch-cli 323: no list as the content', messageStart({ input_tokens: 9 }, null)],
])('%s at the beginning of a native Messages stream', async (_, start) => {
  const model = addModel('native', () => toEvents(start, ...messageEnd));
  const client = model.anthropic();
  const messages = [{ role: 'user' as const, content: 'Hello, who are you?' }];
  const body = { model: model.name, max_tokens: 100, messages };
  const reply = await client.messages.stream(body).finalMessage();
  expect(reply.content).toMatchObject([{ type: 'text', text: 'Hi' }]);
  expect(reply.usage.input_tokens).toBeGreaterThan(3);
  expect(reply.usage.input_tokens).toBeLessThan(20);
});

test.each([
  'This response_format type is unavailable now',
  'output_config.format: Extra inputs are not permitted',
])('9router 4050: a server of Messages that takes no schema of a reply: %s', async (text) => {
  const model = addModel('native', (request) =>
    JSON.stringify(request).includes('json_schema')
      ? { status: 400, body: { code: 'InvalidParameter', message: text } }
      : JSON.stringify(ok),
  );
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const format = { type: 'json_schema', schema };
  const body = {
    ...prompts[messagesPath],
    system: 'You name sessions.',
    output_config: { effort: 'low', format },
  };
  const { body: reply } = await model.send(messagesPath, body);
  expect(reply.content).toEqual(ok.content);
  const sent = model.requests.at(-1);
  expect(sent?.output_config).toEqual({ effort: 'low' });
  expect(sent?.system).toEqual([
    { type: 'text', text: 'You name sessions.' },
    { type: 'text', text: expect.stringContaining(JSON.stringify(schema)) },
  ]);
  // It is learned.
  await model.send(messagesPath, body);
  expect(model.requests).toHaveLength(3);
});

const everyReason = (more: object = {}) =>
  [
    chunkOf({ role: 'assistant', reasoning_content: 'Hm.' }, 'stop'),
    chunkOf({ content: 'Hel' }, 'stop'),
    chunkOf({ content: 'lo' }, 'stop'),
    chunkOf({}, 'stop'),
  ].map((chunk) => ({ ...chunk, ...more }));

// gcli2api 403, one-api 1408, litellm 2195; 9router 2869
test.each(Object.keys(prompts))(
  'a reason in every chunk ends nothing before the last: %s',
  async (path) => {
    const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
    for (const more of [{}, { usage }]) {
      const model = addModel('chat', () => toFrames(...everyReason(more)) + doneFrame);
      const { text } = await model.send(path, { stream: true, ...prompts[path] });
      expect(text).not.toContain('"error":{');
      if (path === chatPath) {
        expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
        expect(text.indexOf('"finish_reason":"stop"')).toBeGreaterThan(text.indexOf('"lo"'));
      }
      if (path === responsesPath) expect(text).toContain('"type":"output_text","text":"Hello"');
      if (path === messagesPath)
        expect(examineMessagesStream(text).blocks.at(-1)?.text).toBe('Hello');
    }
  },
);

const openCall = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '' };
const inCall = { item_id: 'fc_1', output_index: 0 };
const argumentsEvent = 'response.function_call_arguments';
// litellm 27144, workers 1020: no deltas; hermes-agent 92764, opencode 37159: no end of the item
test.each<[string, readonly Readonly<{ type: string; [name: string]: unknown }>[]]>([
  [
    'without deltas',
    [
      { type: `${argumentsEvent}.done`, ...inCall, arguments: '{"x":1}' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...openCall, arguments: '{"x":1}' },
      },
    ],
  ],
  [
    'without the end of its item',
    [
      { type: `${argumentsEvent}.delta`, ...inCall, delta: '{"x":' },
      { type: `${argumentsEvent}.delta`, ...inCall, delta: '1}' },
    ],
  ],
])('a call of a native Responses stream %s', async (_, events) => {
  const added = { type: 'response.output_item.added', output_index: 0, item: openCall };
  for (const output of [[{ ...openCall, arguments: '{"x":1}' }], []]) {
    const response = { ...begun, status: 'completed', output };
    const model = addModel('native', () =>
      toEvents(beginning, added, ...events, { type: 'response.completed', response }),
    );
    const { text } = await model.send(responsesPath, { stream: true, input: 'hi' });
    const { problems, response: shown } = examineResponsesStream(text);
    expect(problems).toEqual([]);
    const call = { type: 'function_call', name: 'f', arguments: '{"x":1}', status: 'completed' };
    expect(shown.output).toMatchObject([call]);
    const [done] = text.match(/event: response\.output_item\.done\ndata: .*/) ?? [];
    expect(done).toContain('"arguments":"{\\"x\\":1}"');
    const deltas = text
      .split('\n')
      .filter((line) => line.includes(`"type":"${argumentsEvent}.delta"`))
      .map((line) => JSON.parse(line.slice(6)).delta);
    expect(deltas.join('')).toBe('{"x":1}');
  }
});

const filteredByAzure = {
  code: 'content_policy_violation',
  message: 'This request has been flagged for potentially violating our usage policy.',
};

// bifrost 6419, PR 6652
test.each([
  ['in an error', { type: 'error', error: filteredByAzure }],
  ['as an error', { type: 'error', ...filteredByAzure }],
])(
  'a request that Azure has refused is not repeated, with its reason after the failure: %s',
  async (_, reason) => {
    const failed = { id: 'resp_1', status: 'failed', error: null, output: [] };
    const events = toEvents(
      { type: 'response.created', response: { ...failed, status: 'in_progress' } },
      { type: 'response.failed', response: failed },
      reason,
    );
    for (const stream of [true, false]) {
      const model = addModel('responses', () => events);
      const { status, body } = await model.send(responsesPath, { stream, input: 'Hello' });
      expect([status, body.error.code]).toEqual([400, 'content_filter']);
      expect(model.requests).toHaveLength(1);
    }
  },
);

test('a failure whose reason never comes is one of the service', async () => {
  const failed = { id: 'resp_1', status: 'failed', error: null, output: [] };
  const events = toEvents({ type: 'response.failed', response: failed });
  for (const stream of [true, false]) {
    const model = addModel('responses', () => events);
    const { status, body } = await model.send(responsesPath, { stream, input: 'Hello' });
    expect([status, body.error.code]).toEqual([502, 'upstream_error']);
  }
});

test.each(Object.keys(prompts))(
  'a complete reply to a request for a stream becomes a stream, with its usage: %s',
  async (path) => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };
    const message = { role: 'assistant', content: 'Hello', tool_calls: [call] };
    const reply = {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 },
    };
    const model = addModel('chat', () => JSON.stringify(reply));
    const { status, text, body } = await model.send(path, { stream: true, ...prompts[path] });

    expect([status, body]).toEqual([200, null]);
    if (path === responsesPath) expect(examineResponsesStream(text).problems).toEqual([]);
    if (path === messagesPath) expect(examineMessagesStream(text).problems).toEqual([]);
    if (path === chatPath) expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text).toContain('Hello');
    expect(text).toContain('"name":"f"');
    expect(text).toContain(String.raw`{\"x\":1}`);
    expect(await model.charge()).toEqual({ records: 1, tokens: 42 });
  },
);

// open-webui 23188
test.each([true, false])(
  'search results over chat are their text, with title and source (stream: %s)',
  async (stream) => {
    const found = {
      type: 'search_result',
      title: 'Opening hours',
      source: 'https://example.com/hours',
      content: [
        { type: 'text', text: 'Open from nine' },
        { type: 'text', text: 'to five.' },
      ],
      citations: { enabled: true },
    };
    const text = 'Opening hours\nhttps://example.com/hours\nOpen from nine\nto five.';
    const call = { type: 'tool_use', id: 'call_1', name: 'search', input: {} };
    const model = addModel('chat', () => done);
    const { status } = await model.send(messagesPath, {
      max_tokens: 100,
      stream,
      messages: [
        { role: 'user', content: [found] },
        { role: 'assistant', content: [call] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [found] }],
        },
      ],
    });

    expect(status).toBe(200);
    expect(model.requests[0]?.messages).toMatchObject([
      { role: 'user', content: text },
      { role: 'assistant' },
      { role: 'tool', content: text },
    ]);
    expect(model.requests[0]?.messages).toHaveLength(3);
  },
);

// openai-python 3125
test('an item that is null is left out until it is known', async () => {
  const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const model = addModel('native', () =>
    toEvents(
      beginning,
      { type: 'response.output_item.added', output_index: 0, item: null },
      { type: 'response.output_item.done', output_index: 0, item: message },
      {
        type: 'response.completed',
        response: { ...begun, status: 'completed', output: [message] },
      },
    ),
  );
  const { text } = await model.send(responsesPath, { stream: true, input: 'Hello' });

  const { problems, response } = examineResponsesStream(text);
  expect(problems).toEqual([]);
  expect(response.output).toMatchObject([{ id: 'msg_1', type: 'message' }]);
  expect(text.match(/^event: response\.output_item\.added$/gm)).toHaveLength(1);
});

// pydantic-ai 2499
test.each([true, false])(
  'a service tier that OpenAI does not name is left out (stream: %s)',
  async (stream) => {
    const ofChat = (tier: string) => {
      const head = { id: 'c1', created: 1, model: 'm', service_tier: tier };
      const choice = { index: 0, finish_reason: 'stop' };
      const said = { role: 'assistant', content: 'Hello' };
      if (!stream) return JSON.stringify({ ...head, choices: [{ ...choice, message: said }] });
      const chunk = { ...head, object: 'chat.completion.chunk' };
      return `data: ${JSON.stringify({ ...chunk, choices: [{ ...choice, delta: said }] })}\n\ndata: [DONE]\n\n`;
    };
    const ofResponses = (tier: string) => {
      const response = { ...begun, status: 'completed', service_tier: tier };
      return stream
        ? toEvents(beginning, { type: 'response.completed', response })
        : JSON.stringify(response);
    };
    const send = async (path: string, reply: string) => {
      const model = addModel('native', () => reply);
      return (await model.send(path, { stream, ...prompts[path] })).text;
    };

    expect(await send(chatPath, ofChat('on_demand'))).not.toContain('service_tier');
    expect(await send(chatPath, ofChat('flex'))).toContain('"service_tier":"flex"');
    expect(await send(responsesPath, ofResponses('on_demand'))).not.toContain('on_demand');
    expect(await send(responsesPath, ofResponses('flex'))).toContain('"service_tier":"flex"');
  },
);

// CLIProxyAPI 4255
test.each([
  ['chat', true],
  ['chat', false],
  ['native', true],
  ['native', false],
] as const)(
  'a call that comes without its namespace gets the only one that has such a tool: %s (stream: %s)',
  async (upstream, stream) => {
    const toTool = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } });
    const toNamespace = (name: string, tools: readonly string[]) => ({
      type: 'namespace',
      name,
      description: name,
      tools: tools.map(toTool),
    });
    const tools = [toNamespace('mail', ['send', 'list']), toNamespace('files', ['list'])];
    const calls = ['send', 'list'].map((name, at) => ({ id: `call_${at}`, name, arguments: '{}' }));
    const output = calls.map(({ id, ...call }) => ({
      id: `fc_${id}`,
      type: 'function_call',
      call_id: id,
      status: 'completed',
      ...call,
    }));
    const response = { ...begun, status: 'completed', output };
    const toolCalls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    const model = addModel(upstream, () => {
      if (upstream === 'chat') return { message: { content: null, tool_calls: toolCalls } };
      if (!stream) return JSON.stringify(response);
      return toEvents(beginning, { type: 'response.completed', response });
    });
    const { text, body } = await model.send(responsesPath, { stream, input: 'Hello', tools });

    const shown = stream ? examineResponsesStream(text).response : body;
    const namespaces = shown.output.map((item: { namespace?: string }) => item.namespace);
    expect(namespaces).toEqual(['mail', undefined]);
  },
);
