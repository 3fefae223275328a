import { describe, expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Reply, setUpModels } from '../../support/servers/set-up-models.ts';

const addModel = setUpModels();
const prompt = [{ role: 'user', content: 'Hello' }];
const done: Reply = { message: { content: 'Hi.' } };
const toMessages = (more: object = {}) => ({ max_tokens: 100, messages: prompt, ...more });
const toResponses = (more: object = {}) => ({ input: prompt, ...more });

const schemas: readonly (readonly [string, object, object])[] = [
  ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
  [
    'null for properties',
    { type: 'object', properties: null, additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  ['nothing', {}, { type: 'object', properties: {} }],
  [
    'properties',
    { type: 'object', properties: { a: { type: 'object' } } },
    { type: 'object', properties: { a: { type: 'object' } } },
  ],
];

describe.each(schemas)('a tool with %s', (_, schema, sent) => {
  test.each([
    [responsesPath, toResponses({ tools: [{ type: 'function', name: 'f', parameters: schema }] })],
    [
      responsesPath,
      toResponses({
        tools: [
          {
            type: 'namespace',
            name: 'n',
            tools: [{ type: 'function', name: 'f', parameters: schema }],
          },
        ],
      }),
    ],
    [messagesPath, toMessages({ tools: [{ name: 'f', input_schema: schema }] })],
  ])('is sent with them: %s', async (path, body) => {
    const model = addModel('chat', () => done);

    expect((await model.send(path, body)).status).toBe(200);

    expect(model.requests[0]?.tools).toMatchObject([{ function: { parameters: sent } }]);
  });
});

/** As OpenAI rejects a request. */
const rejecting = (param: string, message: string, code: string | null = null) => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});
const badSchema = (param: string) =>
  rejecting(
    param,
    "Invalid schema for function 'f': In context=().",
    'invalid_function_parameters',
  );
const badValue = (param: string) => rejecting(param, `Invalid type for '${param}': expected x.`);
const f = { type: 'function', name: 'f', parameters: { type: 'object' } };

const input = [
  { role: 'user', content: 'Look.' },
  { type: 'reasoning', summary: [] },
  { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'a', output: 'x' },
  { role: 'user', content: 'And?' },
];
const turns = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'x' },
      { type: 'text', text: 'And?' },
    ],
  },
];

test.each([
  [
    badSchema('tools[0].function.parameters'),
    { tools: [{ type: 'web_search' }, f] },
    'tools[1].parameters',
  ],
  [badSchema('tools[0].parameters'), { tools: [f] }, 'tools[0].parameters'],
  [
    badSchema('tools[0].function.parameters'),
    { tools: [{ type: 'namespace', name: 'n', tools: [f] }] },
    'tools[0].tools[0].parameters',
  ],
  [
    badSchema('tools[0].function.parameters'),
    { input: [{ type: 'additional_tools', role: 'developer', tools: [f] }, ...prompt] },
    'input[0].tools[0].parameters',
  ],
  [badValue('messages[0].content'), { instructions: 'Be brief.' }, 'instructions'],
  [badValue('messages.0.content'), { input }, 'input[0]'],
  [badValue('messages[1].tool_calls[0].function.arguments'), { input }, 'input[2]'],
  [badValue('messages[2].content'), { input }, 'input[3]'],
  [badValue('messages[3].content'), { input }, 'input[4]'],
  [badValue('messages'), { input }, 'input'],
  [badValue('max_tokens'), { max_output_tokens: 50 }, 'max_output_tokens'],
  [badValue('reasoning_effort'), { reasoning: { effort: 'hgih' } }, 'reasoning.effort'],
  [
    badSchema('response_format.json_schema.schema'),
    { text: { format: { type: 'json_schema', name: 'n', schema: {} } } },
    'text.format.schema',
  ],
])(
  'an error of the upstream names the path of the Responses request: %j',
  async (reply, more, param) => {
    const model = addModel('chat', () => reply);

    const { status, body } = await model.send(responsesPath, toResponses(more));

    expect([status, body.error.param]).toEqual([400, param]);
    expect(body.error.message).toContain(`\`${param}\``);
  },
);

test.each([
  [
    badSchema('tools[0].function.parameters'),
    {
      tools: [
        { type: 'web_search_20250305', name: 'w' },
        { name: 'f', input_schema: {} },
      ],
    },
    'tools[1].input_schema',
  ],
  [badValue('messages[0].content'), { system: 'Be brief.' }, 'system'],
  [badValue('messages[1].content'), { messages: turns }, 'messages[1]'],
  [badValue('messages[3].content'), { messages: turns }, 'messages[2]'],
  [badValue('stop'), { stop_sequences: ['x'] }, 'stop_sequences'],
  [badValue('user'), { metadata: { user_id: 'u' } }, 'metadata.user_id'],
  [badValue('reasoning_effort'), { output_config: { effort: 'hgih' } }, 'output_config.effort'],
  [
    badSchema('response_format.json_schema.schema'),
    { output_config: { format: { type: 'json_schema', schema: {} } } },
    'output_config.format.schema',
  ],
])(
  'an error of the upstream names the path of the Messages request: %j',
  async (reply, more, param) => {
    const model = addModel('chat', () => reply);

    const { status, body } = await model.send(messagesPath, toMessages(more));

    expect(status).toBe(400);
    expect(body.error.message).toContain(`\`${param}\``);
  },
);

test('a client of chat gets the path as it is', async () => {
  const model = addModel('chat', () => badSchema('tools[0].function.parameters'));

  const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
  const { body } = await model.send(chatPath, { messages: prompt, tools });

  expect(body.error.param).toBe('tools[0].function.parameters');
});

function namesOf(tools: unknown): string[] {
  return (tools as { function: { name: string } }[]).map((tool) => tool.function.name);
}

/** 65 characters: Claude Code puts the server’s name before each tool. */
const longName = 'mcp__ymir-privileged__get_failed_pipeline_jobs_from_merge_request';
const otherName = 'mcp__ymir-privileged__get_failed_pipeline_jobs_from_merge_request2';

test('tools whose names OpenAI does not take have shorter ones there, and their own at the client', async () => {
  const call = (id: string, name: string) => ({ id, function: { name, arguments: '{}' } });
  const model = addModel('chat', ({ tools }) => {
    const names = namesOf(tools);
    return { message: { tool_calls: names.map((name, at) => call(`c${at}`, name)) } };
  });
  const tools = [longName, otherName, 'a.b'].map((name) => ({ name, input_schema: {} }));
  const functions = tools.map(({ name }) => ({ type: 'function', name }));
  const choice = { type: 'tool', name: otherName };
  const messages = [
    ...prompt,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: longName, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'y' }] },
  ];

  const asked = { tools, tool_choice: choice, messages };
  const { body } = await model.send(messagesPath, toMessages(asked));
  const other = await model.send(responsesPath, toResponses({ tools: functions }));

  const expected = [longName, otherName, 'a.b'];
  expect(body.content.map(({ name }: { name: string }) => name)).toEqual(expected);
  expect(other.body.output.map(({ name }: { name: string }) => name)).toEqual(expected);
  const [sent] = model.requests;
  const names = namesOf(sent?.tools);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  expect(sent?.tool_choice).toEqual({ type: 'function', function: { name: names[1] } });
  expect(sent?.messages).toMatchObject([
    {},
    { tool_calls: [{ function: { name: names[0] } }] },
    {},
  ]);
});
