import { expect, test } from 'vitest';
import { toChatRequest } from '#lib/ai-proxy/protocols/messages-over-chat/to-chat-request.ts';
import { createMessagesRequest } from '../../../../support/upstreams/messages-request.ts';
import { thrownBy } from '../../../../support/upstreams/proxy-errors.ts';

const translate = (fields: object = {}) => toChatRequest(createMessagesRequest(fields));
const messagesOf = (messages: readonly object[], fields: object = {}) =>
  translate({ ...fields, messages }).messages;
const pixel = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
const cache = { type: 'ephemeral' };
const schema = { type: 'object', properties: { at: { type: 'string' } } };

test('a plain request keeps what both sides know, under the names of chat', () => {
  expect(
    translate({
      stream: true,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['END'],
      metadata: { user_id: 'u1' },
      seed: 7,
      provider: { order: ['a'] },
    }),
  ).toEqual({
    model: 'requested/model',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop: ['END'],
    user: 'u1',
    seed: 7,
    provider: { order: ['a'] },
  });
});

test('system texts are one message, without Claude Code’s billing line', () => {
  const system = [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1; cch=00000;' },
    { type: 'text', text: 'You help.' },
    { type: 'text', text: 'Be brief.' },
  ];
  expect(messagesOf([{ role: 'user', content: 'Hi' }], { system })).toEqual([
    { role: 'system', content: 'You help.\n\nBe brief.' },
    { role: 'user', content: 'Hi' },
  ]);
  expect(messagesOf([{ role: 'user', content: 'Hi' }], { system: 'You help.' })).toMatchObject([
    { role: 'system', content: 'You help.' },
    {},
  ]);
});

// vllm-mlx PR 277
test('of a text that begins with Claude Code’s billing line, only that line goes', () => {
  const text = 'x-anthropic-billing-header: cc_version=2.1; cch=00000;\n\nYou help.\nBe brief.';
  for (const system of [text, [{ type: 'text', text }]]) {
    expect(messagesOf([{ role: 'user', content: 'Hi' }], { system })).toMatchObject([
      { role: 'system', content: 'You help.\nBe brief.' },
      { role: 'user' },
    ]);
  }
});

test('cache_control stays where it was', () => {
  const { messages, tools } = translate({
    system: [{ type: 'text', text: 'You help.', cache_control: cache }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: cache }] }],
    tools: [{ name: 'look', input_schema: schema, cache_control: cache }],
  });
  expect(messages).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'You help.', cache_control: cache }] },
    { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: cache }] },
  ]);
  expect(tools).toMatchObject([{ type: 'function', cache_control: cache }]);
});

test('instructions in mid-conversation keep their place', () => {
  expect(
    messagesOf([
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Now in French.' },
    ]),
  ).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Now in French.' },
  ]);
});

test('calls and their results become messages of the assistant and of tools', () => {
  expect(
    messagesOf([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } },
          { type: 'tool_use', id: 'b', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'Blue.' },
          { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'No clock.' },
          { type: 'text', text: 'And?' },
        ],
      },
    ]),
  ).toEqual([
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } },
        { id: 'b', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'Blue.' },
    { role: 'tool', tool_call_id: 'b', content: 'Error:\nNo clock.' },
    { role: 'user', content: 'And?' },
  ]);
});

test('pictures in a tool result follow in a message of the user', () => {
  const result = {
    type: 'tool_result',
    tool_use_id: 'a',
    content: [{ type: 'image', source: pixel }],
  };
  expect(messagesOf([{ role: 'user', content: [result] }])).toEqual([
    { role: 'tool', tool_call_id: 'a', content: '(see the files that follow)' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Files of the tool result a:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
  ]);
});

test('pictures and documents become parts', () => {
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };
  const content = [
    { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } },
    { type: 'document', source: pdf, title: 'plan.pdf' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' } },
  ];
  expect(messagesOf([{ role: 'user', content }])).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } },
        {
          type: 'file',
          file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBE' },
        },
        { type: 'text', text: 'Notes' },
      ],
    },
  ]);
});

test('thinking of another server is dropped, as are its own tools’ blocks', () => {
  expect(
    messagesOf([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'EqQBCg…' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          { type: 'text', text: 'Found.' },
        ],
      },
      { role: 'user', content: 'Thanks' },
    ]),
  ).toEqual([
    { role: 'assistant', content: 'Found.' },
    { role: 'user', content: 'Thanks' },
  ]);
});

const tools = [
  { name: 'look', description: 'Looks.', input_schema: schema },
  { type: 'web_search_20250305', name: 'web_search' },
];

test('functions are translated, and tools that run at an upstream are left out', () => {
  expect(translate({ tools })).toMatchObject({
    tools: [
      { type: 'function', function: { name: 'look', description: 'Looks.', parameters: schema } },
    ],
  });
});

test.each([
  [{ type: 'auto' }, 'auto'],
  [{ type: 'any' }, 'required'],
  [{ type: 'none' }, 'none'],
  [
    { type: 'tool', name: 'look' },
    { type: 'function', function: { name: 'look' } },
  ],
])('tool_choice %j is %j', (given, sent) => {
  expect(translate({ tools, tool_choice: given }).tool_choice).toEqual(sent);
});

test('one call at a time is asked for in chat’s words', () => {
  const choice = { type: 'auto', disable_parallel_tool_use: true };
  expect(translate({ tools, tool_choice: choice }).parallel_tool_calls).toBe(false);
});

test.each([
  [
    'a tool of the upstream that is demanded',
    { tools, tool_choice: { type: 'tool', name: 'web_search' } },
    'tool_choice.name',
  ],
  ['any tool where there is none', { tool_choice: { type: 'any' } }, 'tool_choice'],
  [
    'the use of a computer',
    { tools: [{ type: 'computer_20250124', name: 'computer' }] },
    'tools[0]',
  ],
  ['a format of another type', { output_format: { type: 'grammar' } }, 'output_format.type'],
  [
    'MCP servers',
    { mcp_servers: [{ type: 'url', url: 'https://a.example', name: 'a' }] },
    'mcp_servers',
  ],
  [
    'a block that chat has no place for',
    { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] },
    'messages[0].content[0]',
  ],
])('%s is a 400', (_, fields, param) => {
  expect(thrownBy(() => translate(fields))).toMatchObject({ status: 400, param });
});

test.each([
  [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
  [{ thinking: { type: 'enabled', budget_tokens: 8000 } }, 'medium'],
  [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
  [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
  [{ thinking: { type: 'adaptive' } }, undefined],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, undefined],
])('%j asks for the effort %s', (fields, effort) => {
  expect(translate(fields).reasoning_effort).toBe(effort);
});

test('a user’s name that OpenAI would find too long is its hash', () => {
  const userOf = (length: number) =>
    String(translate({ metadata: { user_id: 'u'.repeat(length) } }).user);
  expect(userOf(64)).toBe('u'.repeat(64));
  expect(userOf(65)).toMatch(/^[0-9a-f]{64}$/);
  expect(userOf(65)).not.toBe(userOf(66));
});

test.each([
  ['bash_20250124', 'bash', ['command', 'restart']],
  ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'path', 'insert_text']],
  ['text_editor_20250124', 'str_replace_editor', ['command', 'path', 'new_str']],
  ['memory_20250818', 'memory', ['command', 'path', 'old_path', 'new_path']],
])('the tool %s becomes a function of its documented schema', (type, name, fields) => {
  const choice = { type: 'tool', name };
  const sent = translate({
    tools: [{ type, name, cache_control: cache, max_characters: 9 }],
    tool_choice: choice,
  });
  expect(sent.tools).toEqual([
    {
      type: 'function',
      function: {
        name,
        description: expect.any(String),
        parameters: expect.objectContaining({ type: 'object' }),
      },
      cache_control: cache,
    },
  ]);
  const parameters = JSON.stringify(sent.tools);
  for (const field of fields) expect(parameters).toContain(`"${field}":`);
  expect(parameters.includes('undo_edit')).toBe(type === 'text_editor_20250124');
  expect(parameters.includes('insert_text')).toBe(/2025(?:0728|0818)/.test(type));
  expect(sent.tool_choice).toEqual({ type: 'function', function: { name } });
});

test('a schema for the output is a response format, also under its earlier name', () => {
  const format = { type: 'json_schema', schema };
  for (const fields of [{ output_config: { format } }, { output_format: format }]) {
    expect(translate(fields).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema, strict: true },
    });
  }
});
