import { expect, test } from 'vitest';
import { readChatRequest } from '#lib/ai-proxy/protocols/chat/chat-request.ts';
import { parseJsonBody } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import { toChatRequest } from '#lib/ai-proxy/protocols/responses-over-chat/to-chat-request.ts';
import { thrownBy, toBody } from '../../../../support/upstreams/proxy-errors.ts';
import { createRequest } from '../../../../support/upstreams/responses-request.ts';

const toChat = (fields: object) => toChatRequest(createRequest(fields));
const messagesOf = (input: unknown) => toChat({ input }).messages;

const user = { role: 'user', content: 'Hello' };
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: `{"${id}":1}`,
});
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: `of ${id}` });
const chatCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: `{"${id}":1}` },
});
const chatOutput = (id: string) => ({ role: 'tool', tool_call_id: id, content: `of ${id}` });

test('a text is a user message, instructions are the first system message', () => {
  expect(toChat({ instructions: 'Be brief.' })).toEqual({
    model: 'requested/model',
    messages: [{ role: 'system', content: 'Be brief.' }, user],
  });
});

test('roles stay; one text is a string, several are parts', () => {
  expect(
    messagesOf([
      { role: 'developer', content: 'a' },
      { role: 'system', content: [{ type: 'input_text', text: 'b' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'c' },
          { type: 'input_text', text: 'd' },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'e' }] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'f' }] },
      { role: 'user', content: [] },
    ]),
  ).toEqual([
    { role: 'developer', content: 'a' },
    { role: 'system', content: 'b' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
      ],
    },
    { role: 'assistant', content: 'e' },
    { role: 'assistant', content: 'f' },
    { role: 'user', content: '' },
  ]);
});

test('images, files and audio become chat parts', () => {
  const content = [
    { type: 'input_image', image_url: 'data:image/png;base64,x', detail: 'low' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,x' },
    { type: 'input_file', file_url: 'https://example.org/a.pdf' },
    { type: 'input_audio', input_audio: { data: 'x', format: 'wav' } },
  ];
  expect(messagesOf([{ role: 'user', content }])).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,x', detail: 'low' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,x' } },
        { type: 'file', file: { file_data: 'https://example.org/a.pdf' } },
        { type: 'input_audio', input_audio: { data: 'x', format: 'wav' } },
      ],
    },
  ]);
});

test('consecutive calls are one turn, even with reasoning in between', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
  expect(
    messagesOf([user, reasoning, call('a'), reasoning, call('b'), output('a'), output('b')]),
  ).toEqual([
    user,
    { role: 'assistant', content: null, tool_calls: [chatCall('a'), chatCall('b')] },
    chatOutput('a'),
    chatOutput('b'),
  ]);
});

test('calls join the text before them, and a text joins the calls before it', () => {
  const text = { role: 'assistant', content: 'I look.' };
  const turn = { role: 'assistant', content: 'I look.', tool_calls: [chatCall('a')] };
  expect(messagesOf([user, text, call('a'), output('a')])).toEqual([user, turn, chatOutput('a')]);
  expect(messagesOf([user, call('a'), text, output('a')])).toEqual([user, turn, chatOutput('a')]);
});

test('a call after an output starts a new turn', () => {
  expect(messagesOf([call('a'), output('a'), call('b'), output('b')])).toEqual([
    { role: 'assistant', content: null, tool_calls: [chatCall('a')] },
    chatOutput('a'),
    { role: 'assistant', content: null, tool_calls: [chatCall('b')] },
    chatOutput('b'),
  ]);
});

test('an output in parts is joined to text', () => {
  const parts = { ...output('a'), output: [{ type: 'input_text', text: 'x' }] };
  expect(messagesOf([parts])).toEqual([{ role: 'tool', tool_call_id: 'a', content: 'x' }]);
});

test('the token limit is sent once, under the name that most servers know', () => {
  const { model: _, messages: __, ...rest } = toChat({ max_output_tokens: 5 });
  expect(rest).toEqual({ max_tokens: 5 });
});

test('tools, tool choice, JSON schema output, effort and other fields are translated', () => {
  const schema = { type: 'object' };
  expect(
    toChat({
      stream: true,
      temperature: 0,
      top_p: 0.5,
      user: 'u',
      parallel_tool_calls: false,
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: schema, strict: true }],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 'n', schema, strict: true }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      metadata: { a: 'b' },
      include: [],
      store: true,
      truncation: 'auto',
    }),
  ).toEqual({
    model: 'requested/model',
    messages: [user],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    top_p: 0.5,
    user: 'u',
    metadata: { a: 'b' },
    parallel_tool_calls: false,
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          strict: true,
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
    verbosity: 'low',
    reasoning_effort: 'low',
  });
});

test.each([
  ['top_logprobs', { top_logprobs: 3 }],
  ['include', { include: ['message.output_text.logprobs'] }],
])('log probabilities are refused by name: %s', (param, fields) => {
  expect(thrownBy(() => toChat(fields))).toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param,
  });
});

test('empty values that chat servers reject are dropped', () => {
  const nothing = {
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    text: {},
    reasoning: {},
  };
  expect(toChat(nothing)).toEqual({ model: 'requested/model', messages: [user] });
  expect(toChat({ text: { format: { type: 'text' } } })).not.toHaveProperty('response_format');
  expect(toChat({ text: { format: { type: 'json_object' } } }).response_format).toEqual({
    type: 'json_object',
  });
});

test('allowed_tools filters the tools', () => {
  const tools = ['f', 'g'].map((name) => ({ type: 'function', name }));
  const choice = {
    type: 'allowed_tools',
    mode: 'required',
    tools: [{ type: 'function', name: 'g' }],
  };
  expect(toChat({ tools, tool_choice: choice })).toMatchObject({
    tools: [{ function: { name: 'g' } }],
    tool_choice: 'required',
  });
});

test.each<[string, object]>([
  [
    'tool_choice',
    { tools: [{ type: 'function', name: 'f' }], tool_choice: { type: 'web_search' } },
  ],
  ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
  ['tool_choice', { tool_choice: { type: 'function', name: 'g' } }],
  ['input[0]', { input: [{ type: 'compaction_trigger' }] }],
  [
    'input[0].content[0].image_url',
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] },
  ],
  [
    'input[0].content[1].file_data',
    {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_file', file_id: 'file_1' },
          ],
        },
      ],
    },
  ],
])('%s has no equivalent in chat: a 400 with an alternative', (param, fields) => {
  const error = thrownBy(() => toChat(fields));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  expect(error.message).toMatch(/leave|send|takes/i);
});

test('pictures of tool outputs follow the last output, in a message of the user', () => {
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,x' };
  const pictured = {
    ...output('a'),
    output: [{ type: 'input_text', text: 'seen' }, picture],
  };
  const custom = { type: 'custom_tool_call_output', call_id: 'b', output: [picture] };
  const part = { type: 'image_url', image_url: { url: 'data:image/png;base64,x' } };
  expect(messagesOf([user, call('a'), call('b'), pictured, custom, user])).toEqual([
    user,
    { role: 'assistant', content: null, tool_calls: [chatCall('a'), chatCall('b')] },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'tool', tool_call_id: 'b', content: '(see the files that follow)' },
    { role: 'user', content: [{ type: 'text', text: 'Files from the tool outputs:' }, part, part] },
    user,
  ]);
});

const custom = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};
const namespace = {
  type: 'namespace',
  name: 'multi_agent_v1',
  tools: [{ type: 'function', name: 'spawn', parameters: { type: 'object' } }],
};

test('custom tools become functions with one text, namespaces are flattened, others left out', () => {
  const tools = [custom, namespace, { type: 'web_search' }, { type: 'tool_search' }];
  expect(toChat({ tools, tool_choice: 'auto' })).toMatchObject({
    tools: [
      {
        type: 'function',
        function: {
          name: 'apply_patch',
          description: expect.stringContaining('start: "x"'),
          parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
        },
      },
      { type: 'function', function: { name: 'multi_agent_v1__spawn' } },
    ],
    tool_choice: 'auto',
  });
});

test('tools that an item brings join the others', () => {
  const added = { type: 'additional_tools', role: 'developer', tools: [custom] };
  const { tools, messages } = toChat({ input: [added, user] });
  expect(tools).toMatchObject([{ function: { name: 'apply_patch' } }]);
  expect(messages).toEqual([user]);
});

test('calls of custom and namespaced tools are sent under the names that the model saw', () => {
  const input = [
    user,
    { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin' },
    {
      type: 'function_call',
      call_id: 'b',
      name: 'spawn',
      namespace: 'multi_agent_v1',
      arguments: '{}',
    },
    { type: 'custom_tool_call_output', call_id: 'a', output: 'Done' },
    output('b'),
  ];
  const [, turn] = toChat({ input, tools: [custom, namespace] }).messages as object[];
  expect(turn).toMatchObject({
    tool_calls: [
      { id: 'a', function: { name: 'apply_patch', arguments: '{"input":"*** Begin"}' } },
      { id: 'b', function: { name: 'multi_agent_v1__spawn', arguments: '{}' } },
    ],
  });
});

test('what an upstream did by itself is left out of the conversation', () => {
  const input = [user, { type: 'web_search_call', id: 'ws_1' }, { type: 'tool_search_call' }, user];
  expect(messagesOf(input)).toEqual([user, user]);
});

test('fields that both sides know under one name are not dropped', () => {
  const fields = { seed: 7, stop: ['END'], top_k: 40, provider: { order: ['a'] } };
  expect(toChat(fields)).toMatchObject(fields);
  const cached = { type: 'input_text', text: 'x', cache_control: { type: 'ephemeral' } };
  expect(messagesOf([{ role: 'user', content: [cached] }])).toEqual([
    { role: 'user', content: [{ ...cached, type: 'text' }] },
  ]);
});

test('the result is a valid Chat Completions request', () => {
  const chat = toChat({
    instructions: 'x',
    stream: true,
    input: [user, { role: 'assistant', content: 'a' }, call('a'), output('a')],
    tools: [{ type: 'function', name: 'f' }],
  });
  expect(readChatRequest(parseJsonBody(toBody(chat))).sent).toEqual(chat);
});
