import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';
import { examineResponsesStream } from '../../support/upstreams/responses-stream.ts';

/** Tools of other kinds than functions, at servers which have Responses or Messages but know only functions. */

const addModel = setUpModels();

type Json = Readonly<Record<string, unknown>>;

const patch = '*** Begin Patch\n*** End Patch';
const frames = (...events: Json[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const responseOf = (output: readonly Json[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

/** A reply of one call, JSON or streamed, as the server writes it: `arguments` in pieces. */
function toReply(call: Json, isStream: boolean): string {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', ...call };
  const response = responseOf([{ ...item, status: 'completed' }]);
  if (!isStream) return JSON.stringify(response);
  const text = String(call.arguments);
  const place = { item_id: 'fc_1', output_index: 0 };
  const delta = 'response.function_call_arguments.delta';
  return frames(
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    { type: delta, ...place, delta: text.slice(0, 5) },
    { type: delta, ...place, delta: text.slice(5) },
    { type: 'response.function_call_arguments.done', ...place, arguments: text },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, status: 'completed' },
    },
    { type: 'response.completed', response },
  );
}

const custom = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
} as const satisfies OpenAI.Responses.CustomTool;
const functionTool = {
  type: 'function',
  name: 'f',
  parameters: { type: 'object' },
  strict: false,
} as const satisfies OpenAI.Responses.FunctionTool;
const namespace: OpenAI.Responses.NamespaceTool = {
  type: 'namespace',
  name: 'agents',
  description: 'Tools of agents.',
  tools: [custom],
};

const calls = [
  ['JSON', custom, JSON.stringify({ input: patch })],
  ['another name of the only field (ds4 745)', custom, JSON.stringify({ patch })],
  ['the text itself', custom, patch],
  ['a tool in a namespace', namespace, JSON.stringify({ input: patch })],
] as const;

describe.each(calls)('a custom tool, called as a function with %s', (_, tool, text) => {
  test.each([false, true])('is called as what it is (streamed: %s)', async (isStream) => {
    const name = tool.type === 'namespace' ? 'agents__apply_patch' : 'apply_patch';
    const model = addModel('native', () => toReply({ name, arguments: text }, isStream));
    const client = model.openai();
    const tools: OpenAI.Responses.Tool[] = [tool, functionTool];
    const body = { model: model.name, input: 'Do it.', tools };

    const response = isStream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);

    const wanted = { type: 'custom_tool_call', name: 'apply_patch', input: patch };
    expect(response.output).toMatchObject([{ ...wanted, call_id: 'call_1', status: 'completed' }]);
    expect(response.output[0]).not.toHaveProperty('arguments');
  });
});

test('a stream of such a call is valid: its input comes when it is complete', async () => {
  const model = addModel('native', () =>
    toReply({ name: 'apply_patch', arguments: JSON.stringify({ input: patch }) }, true),
  );
  const { text } = await model.send(responsesPath, {
    stream: true,
    input: 'Do it.',
    tools: [custom],
  });
  const { problems, types } = examineResponsesStream(text);
  expect(problems).toEqual([]);
  expect(types.filter((type) => /_call/.test(type))).toEqual([
    'response.custom_tool_call_input.delta',
    'response.custom_tool_call_input.done',
  ]);
});

test('a shell that is called as a function is a shell’s call', async () => {
  const reply = { name: 'shell', arguments: JSON.stringify({ commands: ['ls'] }) };
  const model = addModel('native', () => toReply(reply, true));
  const { text } = await model.send(responsesPath, {
    stream: true,
    input: 'Do it.',
    tools: [{ type: 'shell' }],
  });
  const report = examineResponsesStream(text);
  expect(report.problems).toEqual([]);
  expect(text).toContain('"type":"shell_call"');
  expect(text).toContain('"commands":["ls"]');
  expect(text).not.toContain('function_call');
});

test('calls of functions stay as they are, and get arguments that came only in deltas', async () => {
  const text = '{"a":"b"}';
  const model = addModel('native', () =>
    toReply({ name: 'f', arguments: text }, true).replace(
      `"arguments":${JSON.stringify(text)},"status":"completed"},"output_index"`,
      '"status":"completed"},"output_index"',
    ),
  );
  const body = { stream: true, input: 'Do it.', tools: [custom, functionTool] };
  const { text: stream } = await model.send(responsesPath, body);
  expect(examineResponsesStream(stream).problems).toEqual([]);
  const items = stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
    .filter(({ type }) => type === 'response.output_item.done');
  expect(items).toMatchObject([{ item: { type: 'function_call', arguments: text } }]);
});

const completion = (message: Json) =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
const called = completion({
  tool_calls: [
    {
      id: 'call_1',
      type: 'function',
      function: { name: 'apply_patch', arguments: JSON.stringify({ input: patch }) },
    },
  ],
});
const rejected = (error: Json) => ({ status: 400, body: { error } });

/** How servers say that they know no such tool, and which report says so. */
const rejections: Readonly<Record<string, Json>> = {
  'llama.cpp 20156': {
    code: 400,
    message: "'type' of tool must be 'function'",
    type: 'invalid_request_error',
  },
  'opencode2api 5': {
    message: 'tools[1] must be a function tool',
    type: 'invalid_request_error',
  },
  'an API like OpenAI’s': {
    message: "Invalid value: 'custom'. Supported values are: 'function' and 'mcp'.",
    type: 'invalid_request_error',
    param: 'tools[1].type',
    code: 'invalid_value',
  },
  'a server with pydantic': {
    message: "tools.1: Input tag 'custom' found using 'type' does not match any of the expected",
    type: 'invalid_request_error',
  },
  'command-code 885': {
    message:
      'Only `type:"function"` tools are supported on this endpoint. Built-in tools (web_search, file_search) are not executed here.',
    param: 'tools.1.type',
    type: 'invalid_request_error',
  },
  'freellmapi 187': { message: 'tools.1.type: Invalid literal value, expected "function"' },
  // command-code 893
  'a server that does not say what is wrong': {
    message: 'Invalid input',
    type: 'invalid_request_error',
    param: 'input',
  },
  'a server in Rust': {
    message:
      'Failed to deserialize the JSON body into the target type: tools[1].type: unknown variant `custom`, expected `function` at line 1 column 80',
  },
  'a gateway': { message: 'Unsupported tool type: custom' },
};

const isOnlyFunctions = ({ message }: Json) =>
  /must be (?:a function|'function')|^Only /.test(`${message}`);

describe.each(Object.entries(rejections))('tools that are rejected by %s', (_, error) => {
  test('are translated, where the server has Chat Completions', async () => {
    const model = addModel('native', (_, { path, text }) =>
      path === '/chat/completions'
        ? called
        : /"type":"custom"/.test(text)
          ? rejected(error)
          : JSON.stringify(responseOf([])),
    );
    const send = async (tools: readonly Json[]) =>
      (await model.send(responsesPath, { input: 'hi', tools })).body;
    const response = await send([functionTool, custom]);
    expect(response.output).toMatchObject([{ type: 'custom_tool_call', input: patch }]);
    await send([functionTool, custom]);
    await send([functionTool]);
    const paths = model.sent.map(({ path }) => path);
    const [native, chat] = ['/responses', '/chat/completions'];
    // A server that takes only functions is not asked again; of others, one client must not change what the next one gets.
    const again = isOnlyFunctions(error) ? [] : [native];
    expect(paths).toEqual([native, chat, ...again, chat, native]);
  });
});

test.each([
  [{ message: "'type' of tool must be 'function'" }, 'tools', 'takes only functions'],
  [
    { message: "Invalid value: 'custom'.", param: 'tools[1].type', code: 'invalid_value' },
    'tools[1].type',
    '`tools[1].type`',
  ],
])('what a server without Chat Completions rejects is named: %j', async (error, param, words) => {
  const model = addModel('responses', () => rejected(error));
  const { body: reply } = await model.send(responsesPath, {
    input: 'hi',
    tools: [functionTool, custom],
  });
  expect(reply.error).toMatchObject({ code: 'unsupported_parameter', param });
  expect(reply.error.message).toContain(words);
  expect(model.requests).toHaveLength(1);
});

const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
const outputOf = (type: string, output: unknown) => [
  { role: 'user', content: 'hi' },
  { type, call_id: 'c1', name: 'f', arguments: '{}', input: 'x' },
  { type: `${type}_output`, call_id: 'c1', output },
];

test.each([
  [
    'a picture as a result (23465)',
    "Output of tool call should be 'Input text'",
    outputOf('function_call', [picture]),
  ],
  [
    'the call of a custom tool',
    "Cannot determine type of 'item'",
    outputOf('custom_tool_call', 'ok'),
  ],
])('a conversation that llama.cpp rejects is translated: %s', async (_, message, input) => {
  const model = addModel('native', (_, { path }) =>
    path === '/chat/completions' ? completion({ content: 'Hello.' }) : rejected({ message }),
  );
  const { body: reply } = await model.send(responsesPath, { input, tools: [functionTool] });
  expect(reply.output[0].content).toMatchObject([{ type: 'output_text', text: 'Hello.' }]);
  expect(model.sent.map(({ path }) => path)).toEqual(['/responses', '/chat/completions']);
});

const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
const source = { type: 'base64', media_type: 'image/png', data: 'AA==' };
const pictureAsResult = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] },
    ],
  },
];
const ownBlocks = [
  { role: 'user', content: 'hi' },
  {
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      { type: 'text', text: 'Found.' },
    ],
  },
  { role: 'user', content: 'more' },
];

test.each([
  [
    'llama.cpp, of Claude Code’s search',
    { message: "'type' of tool must be 'function'" },
    { tools: [search], messages: [{ role: 'user', content: 'hi' }] },
  ],
  [
    'claude-code-proxy 109',
    { message: 'unsupported tool field: type' },
    { tools: [search], messages: [{ role: 'user', content: 'hi' }] },
  ],
  [
    'lmstudio-bug-tracker 2008, of a picture',
    { message: 'Only text tool_result blocks are supported when tool_result.content is an array.' },
    { messages: pictureAsResult },
  ],
  [
    'command-code 850, of a picture',
    { type: 'invalid_request_error', message: 'Invalid input' },
    { messages: pictureAsResult },
  ],
  [
    'sub2api 3677, of a block',
    {
      message:
        'The parameter `messages.content.type` specified in the request are not valid: invalid value: `server_tool_use`, supported values are: `text`, `thinking`, `image`, `tool_use` and `tool_result`.',
    },
    { messages: ownBlocks },
  ],
  [
    'claude-code 30912, of a block',
    {
      type: 'invalid_request_error',
      message:
        "messages.1.content.0: Input tag 'server_tool_use' found using 'type' does not match any of the expected tags: 'text', 'image'",
    },
    { messages: ownBlocks },
  ],
])('a conversation that a server of Messages rejects is translated: %s', async (_, error, body) => {
  const model = addModel('native', (_, { path }) =>
    path === '/chat/completions'
      ? completion({ content: 'Hello.' })
      : { status: 400, body: { type: 'error', error } },
  );
  const sent = { max_tokens: 50, ...body };
  const { body: reply } = await model.send(messagesPath, sent);
  expect(reply.content).toMatchObject([{ type: 'text', text: 'Hello.' }]);
  expect(model.sent.map(({ path }) => path)).toEqual(['/messages', '/chat/completions']);
});

test('a client that has only functions gets the rejection', async () => {
  const model = addModel('native', () =>
    rejected({ message: "'type' of tool must be 'function'" }),
  );
  const { body: reply } = await model.send(responsesPath, { input: 'hi', tools: [functionTool] });
  expect(reply.error.code).toBe('unsupported_parameter');
  expect(model.requests).toHaveLength(1);
});

test('a prompt that quotes such a rejection does not change how others are sent', async () => {
  const quoted = "'type' of tool must be 'function'";
  const model = addModel('native', () => rejected({ message: quoted }));
  const body = { input: quoted, tools: [custom] };
  await model.send(responsesPath, body);
  await model.send(responsesPath, { ...body, input: 'hi', tools: [functionTool] });
  const paths = model.sent.map(({ path }) => path);
  expect(paths).toEqual(['/responses', '/responses']);
});

test('a known reason is shown, and not what a translation would have said', async () => {
  const message = 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum';
  const model = addModel('native', () => rejected({ message }));
  const { body: reply } = await model.send(messagesPath, {
    max_tokens: 50,
    messages: ownBlocks,
    tools: [search],
  });
  expect(reply.error.message).toContain('image exceeds 5 MB maximum');
  expect(model.requests).toHaveLength(1);
});

test('what cannot be translated gets the error of its own protocol', async () => {
  const model = addModel('native', () => rejected({ message: 'Invalid input' }));
  const computer = {
    type: 'computer_20250124',
    name: 'computer',
    display_width_px: 9,
    display_height_px: 9,
  };
  const { body: reply } = await model.send(messagesPath, {
    max_tokens: 50,
    messages: ownBlocks,
    tools: [computer],
  });
  expect(reply.error.message).toContain('refused the request');
  expect(model.requests).toHaveLength(1);
});

test('a server that takes only functions is still asked about pictures as results', async () => {
  const model = addModel('native', (_, { path, text }) => {
    if (path === '/chat/completions') return completion({ content: 'Hello.' });
    if (text.includes('web_search'))
      return rejected({ message: "'type' of tool must be 'function'" });
    return JSON.stringify({ id: 'm', type: 'message', role: 'assistant', content: [], usage: {} });
  });
  const send = (body: object) => model.send(messagesPath, { max_tokens: 50, ...body });
  await send({ messages: [{ role: 'user', content: 'hi' }], tools: [search] });
  await send({ messages: pictureAsResult });
  const paths = model.sent.map(({ path }) => path);
  expect(paths).toEqual(['/messages', '/chat/completions', '/messages']);
});

test('what an upstream says of another mistake is not the fault of a tool', async () => {
  const message = 'Your input exceeds the context window of this model.';
  const model = addModel('native', () => rejected({ message }));
  const { body: reply } = await model.send(responsesPath, { input: 'hi', tools: [custom] });
  expect(reply.error.code).toBe('context_length_exceeded');
  expect(model.requests).toHaveLength(1);
});

test('the other model of a chat server is not asked twice', async () => {
  const model = addModel('chat', () => rejected({ message: 'Unsupported tool type: custom' }));
  const body = { messages: [{ role: 'user', content: 'hi' }] };
  await model.send(chatPath, body);
  expect(model.requests).toHaveLength(1);
});
