import { expect, test } from 'vitest';
import { isJsonObject } from '#lib/http/json-value.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
} from '../../../support/servers/in-process-proxy.ts';
import {
  expectLearned,
  prompts,
  type Reply,
  type SentMessage,
  setUpModels,
} from '../../../support/servers/set-up-models.ts';

/** Forms of messages and tools that some servers reject, in the words of public reports about them. */

const addModel = setUpModels();
const done: Reply = { message: { content: 'Done.' } };
const rejecting = (message: string, status = 400): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
});

/** Claude Code’s and Codex’ instructions in mid-conversation. */
const claudeCode = {
  max_tokens: 100,
  system: 'You help.',
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Agents: none.' },
  ],
};
const codex = {
  instructions: 'You help.',
  input: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'developer', content: 'Agents: none.' },
  ],
};

test.each([
  ['Qwen in vLLM', rejecting('System message must be at the beginning.')],
  ['Qwen in Ollama', rejecting('system message must be at the beginning', 500)],
  ['MLX', rejecting('Chat template error: System message must be at the beginning.')],
  ['Mistral', rejecting("Unexpected role 'system' after role 'user'")],
  ['MiniMax', rejecting('invalid params, invalid chat setting (2013)')],
])('%s gets one message of the role system, and learns it', async (_, rejected) => {
  const model = addModel('chat', (request) =>
    request.messages.some(({ role }, index) => role === 'system' && index > 0) ? rejected : done,
  );

  for (const requests of [2, 3]) {
    expect((await model.send(messagesPath, claudeCode)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Agents: none.' },
    ]);
  }
  expect((await model.send(responsesPath, codex)).status).toBe(200);
  expect(model.requests.at(-1)?.messages).toEqual([
    { role: 'system', content: 'You help.\n\nBe brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: 'Agents: none.' },
  ]);
});

test.each([
  ['Gemma in vLLM', rejecting('System role not supported')],
  ['Gemma in llama.cpp', rejecting('Jinja Exception: System role not supported', 500)],
  ['Gemma at Google', rejecting('Developer instruction is not enabled for models/gemma-3-27b-it')],
  ['MiniMax', rejecting('invalid params, chat content has invalid message role: system (2013)')],
])('%s gets instructions as texts of the user', async (_, rejected) => {
  const model = addModel('chat', (request) =>
    request.messages.some(({ role }) => role === 'system') ? rejected : done,
  );

  for (const [requests, path, body] of [
    [2, messagesPath, claudeCode],
    [3, responsesPath, codex],
  ] as const) {
    const { status } = await model.send(path, body);
    expect([status, model.requests.length]).toEqual([200, requests]);
  }
  expect(model.requests.map(({ messages }) => messages).slice(1)).toEqual([
    [{ role: 'user', content: 'You help.\n\nHello\n\nAgents: none.' }],
    [{ role: 'user', content: 'You help.\n\nBe brief.\n\nHello\n\nAgents: none.' }],
  ]);
});

test.each([
  'Conversation roles must alternate user/assistant/user/assistant/...',
  'Error rendering prompt with jinja template: "Conversation roles must alternate user/assistant/user/assistant/...".',
  "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
  'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
  'A conversation must alternate between user and assistant roles.',
  'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)',
])('neighbours of one role become one message: %s', async (text) => {
  const rejected = rejecting(text);
  const model = addModel('chat', (request) => {
    const turns = request.messages.filter(({ role }) => role !== 'system');
    const isRepeated = turns.some(({ role }, at) => at > 0 && role === turns[at - 1]?.role);
    return isRepeated ? rejected : done;
  });
  const image = 'data:image/png;base64,iVBORw0KGgo=';
  const input = [
    { role: 'user', content: 'The folder is /a.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'assistant', content: 'What now?' },
    { role: 'user', content: [{ type: 'input_image', image_url: image }] },
    { role: 'user', content: 'What is this?' },
  ];

  await expectLearned(model, responsesPath, { instructions: 'You help.', input });
  expect(model.requests.at(-1)?.messages).toEqual([
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'The folder is /a.\n\nHello' },
    { role: 'assistant', content: 'Hi.\n\nWhat now?' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: image } },
        { type: 'text', text: 'What is this?' },
      ],
    },
  ]);
});

// litellm 42245, hermes-agent 83390, autogen 8174, agno 2553
test.each([
  'This response_format type is unavailable now',
  'This model does not support response format `json_schema`. See supported models at https://example.com',
  "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more",
  'The parameter `response_format.type` specified in the request are not valid: invalid value: `json_schema`, supported values are: `json_object` and `text`',
])('a schema that a server does not know is an instruction: %s', async (text) => {
  const model = addModel('chat', ({ response_format: format }) =>
    isJsonObject(format) && format.type === 'json_schema' ? rejecting(text) : done,
  );
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const instruction = `Reply only with JSON that is valid by this JSON Schema: ${JSON.stringify(schema)}`;

  const format = { type: 'json_schema', name: 'n', schema };
  for (const requests of [2, 3]) {
    const body = { instructions: 'You help.', input: 'Hello', text: { format } };
    expect((await model.send(responsesPath, body)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: `You help.\n\n${instruction}` },
        { role: 'user', content: 'Hello' },
      ],
    });
  }
  const messages = [{ role: 'user', content: 'Hello' }];
  const claude = { max_tokens: 100, messages, output_config: { format } };
  expect((await model.send(messagesPath, claude)).status).toBe(200);
  expect(model.requests.at(-1)?.messages).toEqual([
    { role: 'system', content: instruction },
    ...messages,
  ]);
});

// tududi 1353, cornerstone 1561, hiring-agent 421
test('a server that takes strict schemas alone gets others, and JSON without a schema, as instructions', async () => {
  const model = addModel('chat', ({ response_format: format }) => {
    if (!isJsonObject(format)) return done;
    if (format.type !== 'json_schema') {
      return rejecting("response_format.type: Input should be 'json_schema'");
    }
    const isStrict = isJsonObject(format.json_schema) && format.json_schema.strict === true;
    return isStrict ? done : rejecting('response_format.json_schema.strict: Input should be True');
  });
  const ask = (format: object) => model.send(responsesPath, { input: 'Hello', text: { format } });
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const toRequest = (instruction: string) => ({
    messages: [
      { role: 'system', content: instruction },
      { role: 'user', content: 'Hello' },
    ],
  });
  const withSchema = `Reply only with JSON that is valid by this JSON Schema: ${JSON.stringify(schema)}`;

  for (const [strict, requests] of [
    [undefined, 3],
    [false, 4],
  ]) {
    const format = { type: 'json_schema', name: 'n', schema, strict };
    expect((await ask(format)).status).toBe(200);
    expect(model.requests).toHaveLength(Number(requests));
    expect(model.requests.at(-1)).toMatchObject(toRequest(withSchema));
    expect(model.requests.at(-1)).not.toHaveProperty('response_format');
  }
  expect((await ask({ type: 'json_object' })).status).toBe(200);
  expect(model.requests).toHaveLength(5);
  expect(model.requests.at(-1)).toMatchObject(toRequest('Reply only with JSON.'));
  expect(model.requests.at(-1)).not.toHaveProperty('response_format');

  const strict = { type: 'json_schema', name: 'n', schema, strict: true };
  expect((await ask(strict)).status).toBe(200);
  expect(model.requests).toHaveLength(6);
  expect(model.requests.at(-1)).toMatchObject({
    messages: [{ role: 'user', content: 'Hello' }],
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
  });
});

// LM Studio
test('JSON without a schema is an instruction where a server takes schemas or text', async () => {
  const model = addModel('chat', ({ response_format: format }) =>
    isJsonObject(format) && format.type === 'json_object'
      ? {
          status: 400,
          body: { error: "'response_format.type' must be 'json_schema' or 'text'" },
        }
      : done,
  );
  for (const requests of [2, 3]) {
    const body = {
      instructions: 'In JSON.',
      input: 'Hello',
      text: { format: { type: 'json_object' } },
    };
    expect((await model.send(responsesPath, body)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: 'system', content: 'In JSON.\n\nReply only with JSON.' },
      { role: 'user', content: 'Hello' },
    ]);
  }
  // A client of chat has asked for it itself.
  const own = {
    messages: [{ role: 'user', content: 'Hello' }],
    response_format: { type: 'json_object' },
  };
  const response = await model.send(chatPath, own);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ error: { param: 'response_format' } });
});

// opencode.school 174, new-api 4505, qwisp 83
test.each([
  [
    "AiError: Bad input: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', Type mismatch of '/messages/1/content', 'array' not in 'string'",
    400,
  ],
  ['sequence item 0: expected str instance, list found', 500],
  ['messages[0].content: invalid type: sequence, expected a string at line 1 column 99', 400],
  [
    'json: cannot unmarshal array into Go struct field Message.messages.content of type string',
    400,
  ],
  ["Type mismatch for 'messages.1.content' key, expected 'String' type", 400],
  ['messages.0.content.str: Input should be a valid string', 400],
])('several texts become one where a server takes one: %s', async (text, status) => {
  const model = addModel('chat', (request) =>
    request.messages.some(({ content }) => Array.isArray(content)) ? rejecting(text, status) : done,
  );
  const cache_control = { type: 'ephemeral' };
  const texts = (...words: readonly string[]) =>
    words.map((word) => ({ type: 'text', text: word, cache_control }));
  const messages = [{ role: 'user', content: texts('Hello.', 'What now?') }];
  for (const requests of [2, 3]) {
    const body = { max_tokens: 100, system: texts('You help.', 'Be brief.'), messages };
    expect((await model.send(messagesPath, body)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: 'system', content: 'You help.\n\nBe brief.' },
      { role: 'user', content: 'Hello.\n\nWhat now?' },
    ]);
  }
});

// cheetahclaws 72, lmstudio-bug-tracker 261, cc-switch 6033
test.each([
  'invalid message content type: <nil>',
  "Invalid 'content': 'content' field must be a string or an array of objects.",
  'Failed to deserialize the JSON body into the target type: messages[1]: missing field `content` at line 1 column 270',
])('a content is never null where a server rejects that: %s', async (text) => {
  const model = addModel('chat', (request) =>
    request.messages.some(({ content }) => content === null) ? rejecting(text) : done,
  );
  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'a', output: 'Done.' };
  for (const requests of [2, 3]) {
    const input = [{ role: 'user', content: 'Hello' }, call, output];
    expect((await model.send(responsesPath, { input })).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages).toMatchObject([{}, { content: '' }, {}]);
  }
});

// llama.cpp 25510, OpenHands 13949 and 2887, vllm 43995, 47761 and 684, ollama 15647, codegraff 752
test.each([
  [
    'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column 131: syntax error while parsing value - unexpected end of input',
    500,
  ],
  ['Unterminated string starting at: line 1 column 9 (char 8)', 400],
  ["Expecting ',' delimiter: line 1 column 54 (char 53)", 400],
  ['invalid tool call arguments', 400],
  // crush 3153
  [
    "Invalid tool call in messages: tool_calls[].function.arguments for function 'edit' must be a JSON object string (or an object), got invalid JSON.",
    400,
  ],
  [
    'Invalid request: messages.70.tool_calls.0.function.arguments: arguments must be a valid JSON object string',
    400,
  ],
])('a call that was cut off does not end a conversation of chat: %s', async (text, status) => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request.messages).includes('unclosed') ? rejecting(text, status) : done,
  );
  const toCall = (id: string, text: string) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: text },
  });
  const calls = [
    toCall('a', '{"cmd": "unclosed'),
    toCall('b', '{ "n": 1.0 }'),
    { id: 'c', type: 'custom', custom: { name: 'patch', input: 'x' } },
  ];
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'a', content: 'Invalid arguments.' },
    { role: 'tool', tool_call_id: 'b', content: 'Done.' },
    { role: 'tool', tool_call_id: 'c', content: 'Done.' },
  ];
  for (const requests of [2, 4]) {
    expect((await model.send(chatPath, { messages })).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages[1]?.tool_calls).toEqual([
      toCall('a', '{}'),
      ...calls.slice(1),
    ]);
  }
});

test('reasoning that a server does not take back is left out for a client of chat, too', async () => {
  const text = 'messages.1.assistant.reasoning_content: Extra inputs are not permitted';
  const model = addModel('chat', (request) =>
    JSON.stringify(request.messages).includes('reasoning_content') ? rejecting(text, 422) : done,
  );
  const reply = { role: 'assistant', content: 'Hello.' };
  const user = { role: 'user', content: 'Hello' };
  const messages = [user, { ...reply, reasoning_content: 'A greeting.' }, user];
  // A member could write it anywhere, so that others would lose theirs: it is not learned.
  for (const requests of [2, 4]) {
    expect((await model.send(chatPath, { messages })).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)?.messages).toEqual([user, reply, user]);
  }
});

// llmgateway 1763, CLIProxyAPI 43, vibeproxy 338, openclaw 19951, zed 44875
test.each([
  `Invalid JSON payload received. Unknown name "exclusiveMinimum" at 'tools[0].function_declarations[0].parameters.properties[6].value': Cannot find field.\nInvalid JSON payload received. Unknown name "propertyNames" at 'tools[0].function_declarations[13].parameters.properties[1].value': Cannot find field.`,
  `[gemini/gemini-3.1-pro-preview] [400]: Invalid JSON payload received. Unknown name "$schema" at 'request.tools[0].function_declarations[0].parameters': Cannot find field.`,
])('keywords that a server does not know are left out of schemas: %s', async (text) => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request.tools).includes('$schema') ? rejecting(text) : done,
  );
  const place = { type: 'object', properties: { city: { type: 'string' } } };
  const tool = {
    name: 'ask',
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { place },
      type: 'object',
      properties: {
        count: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
        kind: { const: 'map' },
        size: { enum: [1, 2] },
        note: { type: ['string', 'null'], format: 'uri' },
        from: { $ref: '#/$defs/place', description: 'Where it begins' },
        all: { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: {} },
      },
      required: ['count', 'gone'],
      additionalProperties: false,
    },
  };
  const body = { ...claudeCode, tools: [tool] };
  expect((await model.send(messagesPath, body)).status).toBe(200);
  expect(model.requests.at(-1)?.tools).toEqual([
    {
      type: 'function',
      function: {
        name: 'ask',
        parameters: {
          type: 'object',
          properties: {
            count: { type: 'integer', maximum: 9 },
            kind: { type: 'string', enum: ['map'] },
            size: {},
            note: { type: 'string', nullable: true },
            from: { ...place, description: 'Where it begins' },
            all: { type: 'object' },
          },
          required: ['count'],
        },
      },
    },
  ]);
});

// opencode 11889, kilocode 11950, promptfoo 6904
test.each([
  `* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[data].properties: only allowed for OBJECT type\n* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[data].required: only allowed for OBJECT type`,
  '[Google AI Studio] * GenerateContentRequest.tools[0].function_declarations[0].parameters.required[1]: property is not defined',
  'GenerateContentRequest.tools[0].function_declarations[0].parameters.additionalProperties: should not be set for TYPE_OBJECT',
])('so are keywords that stand beside another type, for clients of chat, too: %s', async (text) => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request.tools).includes('gone') ? rejecting(text) : done,
  );
  const schema = {
    type: 'object',
    properties: {
      data: { type: 'string', properties: { a: {} }, required: ['a'], items: {} },
      size: { type: 'integer', enum: ['1', '2'] },
      list: { type: 'array' },
    },
    required: ['data', 'gone'],
    additionalProperties: false,
  };
  const tool = { type: 'function', function: { name: 'ask', parameters: schema } };
  const messages = [{ role: 'user', content: 'Hello' }];
  expect((await model.send(chatPath, { messages, tools: [tool] })).status).toBe(200);
  const plain = {
    type: 'object',
    properties: {
      data: { type: 'string' },
      size: { type: 'integer' },
      list: { type: 'array', items: { type: 'string' } },
    },
    required: ['data'],
  };
  const repaired = { ...tool, function: { name: 'ask', parameters: plain } };
  expect(model.requests.at(-1)?.tools).toEqual([repaired]);
  // The client may have made it up: nothing changes for others.
  const taken = { type: 'object', properties: {}, additionalProperties: false };
  const other = { ...tool, function: { name: 'ask', parameters: taken } };
  await model.send(chatPath, { messages, tools: [other] });
  expect(model.requests.at(-1)?.tools).toEqual([other]);
});

test('a keyword that a client has made up changes nothing for others', async () => {
  const text = `Invalid JSON payload received. Unknown name "frobnicate" at 'tools[0].function_declarations[0].parameters': Cannot find field.`;
  const model = addModel('chat', (request) =>
    JSON.stringify(request.tools).includes('frobnicate') ? rejecting(text) : done,
  );
  const use = (schema: object) =>
    model.send(messagesPath, { ...claudeCode, tools: [{ name: 'f', input_schema: schema }] });
  const schema = { type: 'object', properties: { a: { type: 'string', format: 'uri' } } };
  expect((await use({ ...schema, frobnicate: true })).status).toBe(200);
  expect((await use(schema)).status).toBe(200);
  expect(model.requests).toHaveLength(3);
  expect(model.requests.at(-1)).toMatchObject({ tools: [{ function: { parameters: schema } }] });
});

test('a client of chat is told where the role system may stand', async () => {
  const rejected = rejecting('System message must be at the beginning.');
  const model = addModel('chat', () => rejected);

  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Be brief.' },
  ];
  const { status, body } = await model.send(chatPath, { messages });

  expect([status, model.requests.length]).toEqual([400, 1]);
  expect(body.error.message).toContain('only in the first message');
});

test('a prompt that quotes these words changes nothing', async () => {
  const text = 'System message must be at the beginning.';
  const model = addModel('chat', () => rejecting(text));

  const messages = [{ role: 'user', content: text }];
  expect((await model.send(messagesPath, { max_tokens: 9, messages })).status).toBe(400);

  expect(model.requests).toHaveLength(1);
});

test.each([
  'Missing `reasoning_content` field in the assistant message at message index 1. For more information, see the docs',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
])('calls of another model have an empty reasoning where it is demanded: %s', async (message) => {
  const isBare = (message: SentMessage) =>
    message.tool_calls !== undefined && message.reasoning_content === undefined;
  const model = addModel('chat', (request) =>
    request.messages.some(isBare) ? rejecting(message) : done,
  );
  const use = { type: 'tool_use', id: 'a', name: 'look', input: {} };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'EqQ' }, use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ];

  await expectLearned(model, messagesPath, { max_tokens: 100, messages });
  expect(model.requests.at(-1)?.messages).toMatchObject([
    {},
    { role: 'assistant', reasoning_content: '' },
    {},
  ]);
});

const tool = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false };
const chatTool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };

test.each([
  ['Groq', "property 'strict' is unsupported"],
  ['pydantic', 'tools.0.function.strict: Extra inputs are not permitted'],
  ['Rust', 'Failed to deserialize the JSON body into the target type: unknown field `strict`'],
])('%s gets functions without strict', async (_, message) => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request).includes('"strict"') ? rejecting(message) : done,
  );

  await expectLearned(model, responsesPath, { input: 'Hello', tools: [tool] });
  expect(model.requests.at(-1)?.tools).toEqual([
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
  ]);
});

test('a server that knows no tool_choice does without auto, but no demand is dropped', async () => {
  const model = addModel('chat', (request) =>
    'tool_choice' in request
      ? rejecting('Unrecognized request argument supplied: tool_choice')
      : done,
  );
  const toBody = (choice: string) => ({ input: 'Hello', tools: [tool], tool_choice: choice });

  expect((await model.send(responsesPath, toBody('auto'))).status).toBe(200);
  expect((await model.send(responsesPath, toBody('required'))).status).toBe(400);
  expect(model.requests.at(-1)).toMatchObject({ tool_choice: 'required' });
});

test('a model that thinks, and takes no demand for a tool, is named as such', async () => {
  const message = 'Thinking mode does not support this tool_choice';
  const model = addModel('chat', () => rejecting(message));

  const { body: got } = await model.send(responsesPath, {
    input: 'Hello',
    tools: [tool],
    tool_choice: 'required',
  });

  expect(got.error).toMatchObject({ param: 'tool_choice', code: 'unsupported_parameter' });
  expect(got.error.message).toContain('turn thinking off');
});

type Thinking = Readonly<{ tools?: unknown; reasoning_effort?: string }>;

const onlyInResponses =
  'Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions.';
const orNone = `${onlyInResponses} To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
const claudeTool = { name: 'f', input_schema: { type: 'object' } };
const thinkingClaude = { ...claudeCode, output_config: { effort: 'high' } };
const toolsOf = (path: string) => ({ tools: [path === messagesPath ? claudeTool : tool] });

test.each([
  ['none', messagesPath, thinkingClaude, orNone],
  ['none', responsesPath, { ...codex, reasoning: { effort: 'high' } }, orNone],
  // A model that thinks unless it is told not to.
  ['none', responsesPath, codex, orNone],
  [undefined, messagesPath, thinkingClaude, `${onlyInResponses} Please use /v1/responses instead.`],
])('with tools, a model gets the effort %s that it takes then: %s', async (...example) => {
  const [taken, path, body, message] = example;
  const model = addModel('chat', (request) => {
    const { tools, reasoning_effort: effort } = request as Thinking;
    return tools !== undefined && effort !== taken ? rejecting(message) : done;
  });

  await expectLearned(model, path, { ...body, ...toolsOf(path) });
  await model.send(path, body);
  const isWanted = JSON.stringify(body).includes('"high"');
  expect((model.requests.at(-1) as Thinking).reasoning_effort).toBe(isWanted ? 'high' : undefined);
});

test('a model that takes no tools in chat at all is named as such, after a few tries', async () => {
  const noNone =
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', and 'high'.";
  const model = addModel('chat', (request) =>
    rejecting((request as Thinking).reasoning_effort === 'none' ? noNone : orNone),
  );

  for (const requests of [4, 5]) {
    const { status, body } = await model.send(messagesPath, {
      ...thinkingClaude,
      ...toolsOf(messagesPath),
    });
    expect([status, model.requests.length]).toEqual([400, requests]);
    expect(body.error.message).toContain('With tools, this model takes no `output_config.effort`');
  }
});

test('a client of chat is told what to send with tools', async () => {
  const model = addModel('chat', () => rejecting(orNone));

  const messages = [{ role: 'user', content: 'Hello' }];
  const { status, body } = await model.send(chatPath, { messages, tools: [chatTool] });

  expect([status, model.requests.length]).toEqual([400, 1]);
  expect(body.error).toMatchObject({ param: 'reasoning_effort', code: 'unsupported_parameter' });
});

test.each([
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:look` , position 2.',
  'Unable to submit request because function call `default_api:look` in the 2. content block is missing a `thought_signature`. Learn more: https://docs.example',
])('calls of another model get what Gemini takes for a signature: %s', async (message) => {
  type Call = Readonly<{ extra_content?: unknown }>;
  const isBare = ({ tool_calls: calls }: SentMessage) =>
    calls !== undefined && (calls as readonly Call[])[0]?.extra_content === undefined;
  const model = addModel('chat', (request) =>
    request.messages.some(isBare) ? rejecting(message) : done,
  );
  const toUse = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
  const toResult = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [toUse('a'), toUse('b')] },
    { role: 'user', content: [toResult('a'), toResult('b')] },
  ];

  await expectLearned(model, messagesPath, { max_tokens: 100, messages });
  const signed = { google: { thought_signature: 'skip_thought_signature_validator' } };
  expect(model.requests.at(-1)?.messages[1]?.tool_calls).toEqual([
    expect.objectContaining({ id: 'a', extra_content: signed }),
    expect.not.objectContaining({ extra_content: signed }),
  ]);
});

test.each([
  [
    'Gemini',
    '"thought_signature"',
    'Function call is missing a thought_signature in functionCall parts.',
  ],
  [
    'DeepSeek',
    '"reasoning_content"',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ],
  [
    'Mistral',
    /"tool_call_id":"[a-z0-9]{9}"/,
    'Tool call id was functions.look:0 but must be a-z, A-Z, 0-9, with a length of 9.',
  ],
])('a client of chat whose library drops what it does not know goes on: %s', async (...one) => {
  const [, wanted, message] = one;
  const model = addModel('chat', (request) =>
    JSON.stringify(request).match(wanted) ? done : rejecting(message),
  );
  const call = {
    id: 'functions.look:0',
    type: 'function',
    function: { name: 'f', arguments: '{}' },
  };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: 'x' },
  ];

  await expectLearned(model, chatPath, { messages, tools: [chatTool] });
});

test('at OpenRouter, too, in its own form', async () => {
  type Detailed = Readonly<{ tool_calls?: unknown; reasoning_details?: unknown }>;
  const isBare = ({ tool_calls: calls, reasoning_details: details }: Detailed) =>
    calls !== undefined && details === undefined;
  const raw =
    'Gemini models require OpenRouter reasoning details to be preserved in each request. Upstream error: {"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts."}}';
  const metadata = { raw, provider_name: 'Google AI Studio' };
  const model = addModel('chat', ({ messages }) =>
    (messages as readonly Detailed[]).some(isBare)
      ? {
          status: 400,
          body: { error: { message: 'Provider returned error', code: 400, metadata } },
        }
      : done,
  );
  const use = { type: 'tool_use', id: 'a', name: 'look', input: {} };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ];

  await expectLearned(model, messagesPath, { max_tokens: 100, messages });
  expect(model.requests.at(-1)?.messages).toMatchObject([
    {},
    {
      reasoning_details: [
        {
          type: 'reasoning.encrypted',
          format: 'google-gemini-v1',
          data: 'skip_thought_signature_validator',
          id: 'a',
          index: 0,
        },
      ],
    },
    {},
  ]);
});

test.each([
  'Corrupted thought signature.',
  'Invalid thought signature.',
  'Unable to submit request because Thought signature is not valid.. Learn more: https://docs.example',
])('a signature that Gemini cannot read any more is replaced: %s', async (message) => {
  const toCall = (signature: string) => ({
    id: 'a',
    type: 'function',
    function: { name: 'look', arguments: '{}' },
    extra_content: { google: { thought_signature: signature } },
  });
  let hasForgotten = false;
  const model = addModel('chat', (request) => {
    const text = JSON.stringify(request);
    if (!text.includes('"tool_calls"')) return { message: { tool_calls: [toCall('c2ln')] } };
    if (text.includes('skip_thought_signature_validator')) return done;
    if (!text.includes('c2ln')) {
      return rejecting('Function call is missing a thought_signature in functionCall parts.');
    }
    return hasForgotten ? rejecting(message) : done;
  });
  const question = { role: 'user', content: 'Look.' };
  const tools = [{ name: 'look', input_schema: { type: 'object' } }];
  const first = await model.send(messagesPath, { max_tokens: 100, tools, messages: [question] });
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'x' };
  const { content } = first.body as { content: readonly { type: string; id?: string }[] };
  const id = content.find(({ type }) => type === 'tool_use')?.id;
  const messages = [
    question,
    { role: 'assistant', content },
    { role: 'user', content: [{ ...result, tool_use_id: id }] },
  ];

  expect((await model.send(messagesPath, { max_tokens: 100, tools, messages })).status).toBe(200);
  expect(model.requests).toHaveLength(2);
  hasForgotten = true;
  expect((await model.send(messagesPath, { max_tokens: 100, tools, messages })).status).toBe(200);
  expect(model.requests).toHaveLength(5);
});

test.each([
  ['`temperature` is deprecated for this model.', ['top_p', 'top_k'], true],
  [
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    ['temperature', 'top_k'],
    false,
  ],
  [
    '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation',
    ['top_p', 'top_k'],
    false,
  ],
  ['`top_k` must be unset when thinking is enabled.', ['temperature', 'top_p'], false],
])('%s: the rest is sent, and learned where it holds for each request', async (...example) => {
  const [message, kept, isLearned] = example;
  const sampling = { temperature: 0.5, top_p: 0.9, top_k: 5 };
  const names = Object.keys(sampling);
  const model = addModel('chat', (request) =>
    names.every((name) => name in request) ? rejecting(message) : done,
  );

  for (const requests of isLearned ? [2, 3] : [2, 4]) {
    const { status } = await model.send(messagesPath, { ...claudeCode, ...sampling });
    expect([status, model.requests.length]).toEqual([200, requests]);
    const sent = Object.keys(model.requests.at(-1) ?? {});
    expect(names.filter((name) => sent.includes(name))).toEqual(kept);
  }
});

test.each([
  ['typebot 1205, koog 786, pi 3649: Qwen', { tools: [] }, "[] is too short - 'tools'"],
  [
    'OpenAI',
    { tools: [] },
    "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
  [
    'onyx 13493: vLLM',
    { tools: [], tool_choice: 'auto' },
    '1 validation error:\n`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.',
  ],
  ['promptfoo 280', { stop: [] }, 'stop: List should have at least 1 item after validation, not 0'],
  [
    'llama.cpp 25515',
    { temperature: null },
    "Field 'temperature': [json.exception.type_error.302] type must be number, but is null",
  ],
  [
    'kalosm 354, a server in Rust',
    { top_p: null, stop: [] },
    'Failed to deserialize the JSON body into the target type: top_p: invalid type: null, expected f32 at line 1 column 60',
  ],
  [
    'celi 91, Amazon Bedrock',
    { temperature: null },
    'Malformed input request: #/temperature: expected type: Number, found: Null, please reformat your input and try again.',
  ],
])('%s gets nothing for what is not set, and learns it', async (_, unset, message) => {
  const isRejected = (request: object) => Object.keys(unset).some((name) => name in request);
  const model = addModel('chat', (request) => (isRejected(request) ? rejecting(message) : done));

  for (const requests of [2, 3]) {
    const sent = { ...prompts[chatPath], seed: 7, ...unset };
    expect((await model.send(chatPath, sent)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)).toEqual(
      expect.objectContaining({ seed: 7, messages: expect.any(Array) }),
    );
    expect(model.requests.at(-1)).not.toHaveProperty('tool_choice');
  }
});

test.each([
  [
    'openai-node 1341, openai-python 2061, chatbox 2079: OpenAI',
    "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
  ['vscode-unify-chat-provider 65: Qwen', 'Empty tool_calls is not supported in message'],
  ['Qwen', "[] is too short - 'messages.1.tool_calls'"],
  [
    'Groq',
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1.tool_calls' : minimum number of items is 1)]",
  ],
])('%s gets no empty list of calls in a message, and learns it', async (_, message) => {
  const model = addModel('chat', (request) =>
    JSON.stringify(request).includes('"tool_calls":[]') ? rejecting(message) : done,
  );
  const user = { role: 'user', content: 'Hello' };
  const reply = { role: 'assistant', content: 'Hello' };
  const messages = [user, { ...reply, tool_calls: [] }, user];
  for (const requests of [2, 3]) {
    expect((await model.send(chatPath, { messages })).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(model.requests.at(-1)).toMatchObject({ messages: [user, reply, user] });
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('tool_calls');
  }
});

test('an empty list that a member has said something about teaches nothing', async () => {
  const message = "[] is too short - 'tools'";
  const model = addModel('chat', () => rejecting(message));
  const messages = [{ role: 'user', content: message }];
  expect((await model.send(chatPath, { messages, tools: [] })).status).toBe(400);
  expect(model.requests).toHaveLength(1);
});
