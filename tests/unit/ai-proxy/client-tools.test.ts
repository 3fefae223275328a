import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Reply, setUpModels, type TestModel } from '../../support/servers/set-up-models.ts';
import { examineResponsesStream } from '../../support/upstreams/responses-stream.ts';

/** Tools of Responses that the client runs, and that chat servers do not know. */

const addModel = setUpModels();
const done: Reply = { message: { content: 'Done.' } };
const prompt = { role: 'user', content: 'Do it.' };
const calling = (name: string, input: object) => ({
  message: {
    tool_calls: [
      { id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } },
    ],
  },
});

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>;

/** What OpenAI’s SDK gets, JSON or streamed. */
async function ask(model: TestModel, body: Body, isStream: boolean) {
  const client = model.openai();
  const sent = { model: model.name, ...body };
  return isStream
    ? client.responses.stream(sent).finalResponse()
    : client.responses.create({ ...sent, stream: false });
}

const cases = [
  {
    tool: { type: 'shell' as const },
    input: { commands: ['ls', 'pwd'], timeout_ms: 1000 },
    item: {
      type: 'shell_call',
      call_id: 'c1',
      action: { commands: ['ls', 'pwd'], timeout_ms: 1000, max_output_length: null },
      status: 'completed',
    },
  },
  {
    tool: { type: 'local_shell' as const },
    input: { command: ['ls', '-l'], working_directory: '/tmp' },
    item: {
      type: 'local_shell_call',
      call_id: 'c1',
      action: {
        type: 'exec',
        command: ['ls', '-l'],
        env: {},
        timeout_ms: null,
        working_directory: '/tmp',
        user: null,
      },
      status: 'completed',
    },
  },
  {
    tool: { type: 'apply_patch' as const },
    input: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    item: {
      type: 'apply_patch_call',
      call_id: 'c1',
      operation: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
      status: 'completed',
    },
  },
  {
    tool: { type: 'apply_patch' as const },
    input: { type: 'delete_file', path: 'a.txt' },
    item: {
      type: 'apply_patch_call',
      operation: { type: 'delete_file', path: 'a.txt' },
    },
  },
];

describe.each(cases)('$tool.type', ({ tool, input, item }) => {
  test.each([false, true])(
    'is a function there, and its calls are items here (streamed: %s)',
    async (isStream) => {
      const model = addModel('chat', () => calling(tool.type, input));

      const tools = [tool, { type: 'web_search' as const }];
      const response = await ask(model, { tools, input: 'Do it.' }, isStream);

      const parameters = { type: 'object', required: expect.any(Array) };
      expect(model.requests[0]?.tools).toMatchObject([
        { type: 'function', function: { name: tool.type, parameters } },
      ]);
      expect(response.output).toMatchObject([item]);
      expect(response.output[0]?.id).toMatch(/^(?:sh|lsh|apc)_/);
    },
  );

  test('can be demanded', async () => {
    const model = addModel('chat', () => calling(tool.type, input));

    const { status } = await model.send(responsesPath, {
      tools: [tool],
      tool_choice: { type: tool.type },
      input: [prompt],
    });

    expect(status).toBe(200);
    expect(model.requests[0]).toMatchObject({
      tool_choice: { type: 'function', function: { name: tool.type } },
    });
  });
});

test('a stream of such a call is valid, and shows no arguments of a function', async () => {
  const [piece, rest] = ['{"commands":["l', 's"]}'];
  const delta = (call: object) => ({ tool_calls: [{ index: 0, ...call }] });
  const model = addModel('chat', () => ({
    ...calling('shell', {}),
    deltas: [
      delta({ id: 'c1', type: 'function', function: { name: 'shell', arguments: piece } }),
      delta({ function: { arguments: rest } }),
    ],
  }));

  const { text } = await model.send(responsesPath, {
    stream: true,
    tools: [{ type: 'shell' }],
    input: [prompt],
  });

  const report = examineResponsesStream(text);
  expect(report.problems).toEqual([]);
  expect(report.types).not.toContain('response.function_call_arguments.delta');
  expect(text).toContain('"action":{"commands":["ls"],');
});

test('what was done with them is part of the conversation', async () => {
  const model = addModel('chat', () => done);
  const action = { commands: ['ls'], timeout_ms: null, max_output_length: null };
  const operation = { type: 'create_file', path: 'a', diff: '+a' };
  const input = [
    prompt,
    { type: 'shell_call', id: 'sh_1', call_id: 'a', action, status: 'completed' },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [
        { stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: '', stderr: 'oh', outcome: { type: 'timeout' } },
      ],
    },
    { type: 'apply_patch_call', id: 'apc_1', call_id: 'b', operation, status: 'completed' },
    { type: 'apply_patch_call_output', call_id: 'b', status: 'failed', output: 'No room.' },
    { type: 'apply_patch_call', id: 'apc_2', call_id: 'c', operation, status: 'completed' },
    { type: 'apply_patch_call_output', call_id: 'c', status: 'completed' },
    {
      type: 'local_shell_call',
      id: 'lsh_1',
      call_id: 'd',
      action: { type: 'exec', command: ['ls'], env: {} },
      status: 'completed',
    },
    { type: 'local_shell_call_output', id: 'd', output: 'a.txt' },
  ];

  expect((await model.send(responsesPath, { input })).status).toBe(200);

  const call = (id: string, name: string, sent: object) => ({
    role: 'assistant',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(sent) } }],
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  expect(model.requests[0]?.messages).toMatchObject([
    prompt,
    call('a', 'shell', action),
    result('a', 'a.txt\n(exit code 0)\noh\n(timed out)'),
    call('b', 'apply_patch', operation),
    result('b', 'No room.'),
    call('c', 'apply_patch', operation),
    result('c', 'completed'),
    call('d', 'local_shell', { command: ['ls'], env: {} }),
    result('d', 'a.txt'),
  ]);
});

test('calls that another upstream ran are part of it, too, with the pictures that it made', async () => {
  const model = addModel('chat', () => done);
  const input = [
    prompt,
    {
      type: 'mcp_call',
      id: 'm1',
      server_label: 'docs',
      name: 'find',
      arguments: '{}',
      output: 'x',
    },
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' },
    prompt,
  ];

  expect((await model.send(responsesPath, { input })).status).toBe(200);

  expect(model.requests[0]?.messages).toMatchObject([
    prompt,
    { tool_calls: [{ id: 'm1', function: { name: 'docs__find', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'm1', content: 'x' },
    { role: 'user', content: [{}, { image_url: { url: 'data:image/png;base64,AAAA' } }] },
    prompt,
  ]);
});

test.each(['compaction', 'context_compaction'])(
  'a model is told that it cannot read an item %s of another one',
  async (type) => {
    const model = addModel('chat', () => done);
    const input = [{ type, id: 'cmp_1', encrypted_content: 'gAAAA' }, prompt];

    expect((await model.send(responsesPath, { input })).status).toBe(200);

    expect(model.requests[0]?.messages).toMatchObject([
      { role: 'system', content: expect.stringContaining('cannot be read') },
      prompt,
    ]);
  },
);

test.each([
  [{ tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }, 'tools[0]'],
  [{ tools: [{ type: 'web_search' }, { type: 'computer_use_preview' }] }, 'tools[1]'],
  [{ input: [prompt, { type: 'compaction_trigger' }] }, 'input[1]'],
  [{ input: [{ type: 'computer_call', call_id: 'a' }, prompt] }, 'input[0]'],
])('what nobody would do is refused by name: %j', async (fields, param) => {
  const model = addModel('chat', () => done);

  const { status, body } = await model.send(responsesPath, { input: [prompt], ...fields });

  expect([status, body.error.param, body.error.code]).toEqual([
    400,
    param,
    'unsupported_parameter',
  ]);
  expect(model.requests).toEqual([]);
});

test.each([
  [chatPath, { input: 'Hello' }, 'input', '/proxy/v1/responses'],
  [messagesPath, { max_tokens: 9, input: [prompt] }, 'input', '/proxy/v1/responses'],
  [responsesPath, { messages: [prompt] }, 'messages', '/proxy/v1/chat/completions'],
])('the endpoint of a body that %s does not take is named', async (path, fields, param, named) => {
  const model = addModel('chat', () => done);

  const { status, body } = await model.send(path, fields);

  expect(status).toBe(400);
  if (path !== messagesPath) expect(body.error.param).toBe(param);
  expect(body.error.message).toContain(`\`${named}\``);
});
