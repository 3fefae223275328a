import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type ErrorReply, prompts, setUpModels } from '../../support/servers/set-up-models.ts';
import { examineMessagesStream } from '../../support/upstreams/messages-stream.ts';

/** What strict clients and agents fail on, and what strict servers reject of theirs, by public reports. */

const addModel = setUpModels();
type Json = Readonly<Record<string, unknown>>;

const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const toChunk = (delta: Json, finish: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const toStream = (...chunks: readonly object[]) =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
const toEvents = (...events: readonly Readonly<{ type: string; [name: string]: unknown }>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const toChunks = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));

const rejected = (message: string): ErrorReply => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error' } },
});

// zed 63137, code_puppy PR 750
test.each([true, false])('no count of a chat reply is null (stream: %s)', async (stream) => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 2,
    total_tokens: 7,
    prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: null },
    completion_tokens_details: null,
  };
  const message = { role: 'assistant', content: 'Hi' };
  const complete = { ...head, object: null, usage };
  const model = addModel('chat', () =>
    stream
      ? toStream(toChunk(message), toChunk({}, 'stop'), { ...head, choices: [], usage })
      : JSON.stringify({ ...complete, choices: [{ index: null, message, finish_reason: 'stop' }] }),
  );
  const asked = stream ? { stream, stream_options: { include_usage: true } } : {};
  const { text, body } = await model.send(chatPath, { ...asked, ...prompts[chatPath] });

  const shown = stream ? toChunks(text).at(-1) : body;
  expect(shown.usage).toEqual({
    prompt_tokens: 5,
    completion_tokens: 2,
    total_tokens: 7,
    prompt_tokens_details: { cached_tokens: 1 },
  });
  if (!stream) expect([body.object, body.choices[0].index]).toEqual(['chat.completion', 0]);
});

// opencode2api PR 27
test.each([
  [chatPath, true],
  [chatPath, false],
  [messagesPath, true],
  [messagesPath, false],
] as const)(
  'a reply without a call does not end with one: %s (stream: %s)',
  async (path, stream) => {
    const message = { role: 'assistant', content: 'Hi', tool_calls: [] };
    const model = addModel('chat', () =>
      stream
        ? toStream(toChunk(message), toChunk({}, 'tool_calls'))
        : JSON.stringify({
            ...head,
            choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
          }),
    );
    const { text } = await model.send(path, { stream, ...prompts[path] });
    expect(text).toMatch(/"finish_reason":"stop"|"stop_reason":"end_turn"/);
    expect(text).not.toMatch(/"finish_reason":"tool_calls"|"stop_reason":"tool_use"/);
  },
);

// spring-ai 2423 and PR 6525
test.each(Object.keys(prompts))(
  'a call whose later pieces have an empty id and name is one: %s',
  async (path) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f' } };
    const toPiece = (text: string) =>
      toChunk({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: text } }] });
    const model = addModel('chat', () =>
      toStream(
        toChunk({ role: 'assistant', tool_calls: [call] }),
        toPiece('{"x":'),
        toPiece('1}'),
        toChunk({}, 'tool_calls'),
      ),
    );
    const { text } = await model.send(path, { stream: true, ...prompts[path] });
    expect(text).not.toContain('"id":""');
    expect(text).not.toContain('"name":""');
    if (path === chatPath) expect(text.match(/"id":"call_1"/g)).toHaveLength(1);
    if (path === responsesPath) expect(text).toContain(String.raw`"arguments":"{\"x\":1}"`);
    if (path === messagesPath) {
      const { problems, blocks } = examineMessagesStream(text);
      expect([problems, blocks.map((block) => block.text)]).toEqual([[], ['{"x":1}']]);
    }
  },
);

const begun = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const usage = { input_tokens: 9, output_tokens: 3 };

// octo-agent PR 647
test.each([
  ['end_turn', 'tool_use'],
  ['max_tokens', 'max_tokens'],
])('a message with a call that ends by %s ends by %s', async (reason, shown) => {
  const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const json = addModel('messages', () =>
    JSON.stringify({ ...begun, content: [call], stop_reason: reason, usage }),
  );
  expect((await json.send(messagesPath, prompts[messagesPath] ?? {})).body.stop_reason).toBe(shown);
  const streamed = addModel('messages', () =>
    toEvents(
      { type: 'message_start', message: { ...begun, content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: call },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason }, usage },
      { type: 'message_stop' },
    ),
  );
  const { text } = await streamed.send(messagesPath, { stream: true, ...prompts[messagesPath] });
  expect(text.match(/"stop_reason":"(\w+)"/g)).toEqual([`"stop_reason":"${shown}"`]);
});

test('SDKs find the content of each block, to which they add', async () => {
  const blocks = [
    [{ type: 'thinking' }, { type: 'thinking_delta', thinking: 'Hm' }],
    [
      { type: 'text', text: null },
      { type: 'text_delta', text: 'Hi' },
    ],
    [
      { type: 'tool_use', id: 'a', name: 'f' },
      { type: 'input_json_delta', partial_json: '{"x":1}' },
    ],
  ].flatMap(([block, delta], index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]);
  const model = addModel('messages', () =>
    toEvents(
      { type: 'message_start', message: { ...begun, content: [], usage } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
      { type: 'message_stop' },
    ),
  );
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const body = { model: model.name, max_tokens: 100, messages };
  const reply = await model.anthropic().messages.stream(body).finalMessage();
  expect(reply.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm' },
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', input: { x: 1 } },
  ]);
});

// litellm 39741, CLIProxyAPI PR 1892
test('a tool that a search has found is named over chat', async () => {
  const toTool = (name: string) => ({ name, input_schema: { type: 'object' } });
  const model = addModel('chat', () => null);
  const { status } = await model.send(messagesPath, {
    max_tokens: 100,
    tools: [toTool('ToolSearch'), { ...toTool('send_mail'), defer_loading: true }],
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'ToolSearch', input: {} }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'tool_reference', tool_name: 'send_mail' }],
          },
        ],
      },
    ],
  });
  expect(status).toBe(200);
  const [sent] = model.requests;
  expect(sent?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Found tool: send_mail' });
  expect(JSON.stringify(sent?.tools)).toContain('"send_mail"');
});

// ProxyAI 1142
test('what is null in a message is not sent, but its content', async () => {
  const model = addModel('chat', ({ messages }) =>
    messages.some((message) => message.tool_call_id === null)
      ? rejected("'messages.0' : property 'tool_call_id' is unsupported")
      : null,
  );
  const unset = { name: null, tool_calls: null, tool_call_id: null, refusal: null };
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Hello', ...unset },
    { role: 'assistant', content: null, refusal: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'Done' },
  ];
  expect((await model.send(chatPath, { messages })).status).toBe(200);
  expect(model.requests.map((sent) => sent.messages)).toEqual([
    [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'Done' },
    ],
  ]);
});

// openai-agents-python 1616
test('what is null in a part of a conversation is not sent to a server of Responses', async () => {
  const model = addModel('native', ({ input }) =>
    JSON.stringify(input).includes('null')
      ? rejected('0.ResponseOutputTextParam.logprobs\n  Input should be iterable')
      : null,
  );
  const part = { type: 'output_text', text: 'Hello', annotations: null, logprobs: null };
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] },
    { role: 'user', content: 'More' },
  ];
  expect((await model.send(responsesPath, { input })).status).toBe(200);
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.input[1]).toMatchObject({
    content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
  });
});

// open-responses-server 44
test('a delta of Responses has the place of its part', async () => {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  const content = [{ type: 'output_text', text: 'Hi', annotations: [] }];
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
  const done = { ...response, status: 'completed', output: [{ ...item, content }] };
  const model = addModel('native', () =>
    toEvents(
      { type: 'response.created', response },
      { type: 'response.output_item.added', item },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hi' },
      { type: 'response.output_item.done', item: { ...item, content } },
      { type: 'response.completed', response: done },
    ),
  );
  const { text } = await model.send(responsesPath, { stream: true, input: 'Hello' });
  const delta = toChunks(text).find(({ type }) => type === 'response.output_text.delta');
  expect(delta).toMatchObject({ output_index: 0, content_index: 0, delta: 'Hi' });
});

// hermes-agent 62940, gcli2api 406
test.each(
  Object.keys(prompts).flatMap((path) => [
    [path, 'one array'] as const,
    [path, 'two chunks'] as const,
  ]),
)('two calls under one index, without ids, are two: %s, in %s', async (path, form) => {
  const calls = ['{"x":1}', '{"x":2}'].map((text) => ({
    index: 0,
    function: { name: 'f', arguments: text },
  }));
  const chunks =
    form === 'one array'
      ? [toChunk({ role: 'assistant', tool_calls: calls })]
      : calls.map((call) => toChunk({ role: 'assistant', tool_calls: [call] }));
  const model = addModel('chat', () => toStream(...chunks, toChunk({}, 'tool_calls')));
  const { text } = await model.send(path, { stream: true, ...prompts[path] });
  for (const x of [1, 2]) expect(text).toContain(String.raw`{\"x\":${x}}`);
  const ids = text.match(/"(?:id|call_id)":"(?:call|toolu)_[^"]+"/g) ?? [];
  expect(new Set(ids).size).toBe(2);
});

// vercel/ai 18627, jp PR 1061
test.each([true, false])(
  'Gemini’s delay is rounded up to seconds, for clients of each protocol (stream: %s)',
  async (stream) => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '45.8s' };
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details: [info] };
    const limited = () => addModel('chat', () => ({ status: 429, body: { error } }));
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const [chat, responses, claude] = [limited(), limited(), limited()];
    const sendings: readonly (() => PromiseLike<unknown>)[] = [
      () => chat.openai().chat.completions.create({ model: chat.name, messages, stream }),
      () => responses.openai().responses.create({ model: responses.name, input: 'Hello', stream }),
      () =>
        claude.anthropic().messages.create({ model: claude.name, max_tokens: 9, messages, stream }),
    ];
    for (const send of sendings) {
      const failure = await send().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(failure).toMatchObject({ status: 429 });
      const { headers } = failure as { headers: Headers };
      expect(headers.get('retry-after')).toBe('46');
    }
  },
);

// pydantic-ai 7284, graphiti PR 1732
test('vectors are sorted by their inputs', async () => {
  const data = [2, 1, 0].map((index) => ({ object: 'embedding', index, embedding: [index] }));
  const model = addModel('embeddings', () => JSON.stringify({ object: 'list', data }));
  const { body } = await model.send('/proxy/v1/embeddings', { input: ['a', 'b', 'c'] });
  expect(body.data.map(({ embedding }: { embedding: unknown }) => embedding)).toEqual([
    [0],
    [1],
    [2],
  ]);
  const twice = addModel('embeddings', () => JSON.stringify({ data: data.slice(0, 1) }));
  const { status } = await twice.send('/proxy/v1/embeddings', { input: ['a', 'b', 'c'] });
  expect(status).toBe(502);
});

// vllm-mlx PR 277
test.each([true, false])(
  'of a prompt with Claude Code’s billing line only that line goes (stream: %s)',
  async (stream) => {
    const text = 'x-anthropic-billing-header: cc_version=2.1; cch=0;\nYou help.';
    const model = addModel('chat', () => null);
    for (const system of [text, [{ type: 'text', text }]]) {
      await model.send(messagesPath, { stream, system, ...prompts[messagesPath] });
    }
    const prompt = { role: 'system', content: 'You help.' };
    expect(model.requests.map((sent) => sent.messages[0])).toEqual([prompt, prompt]);
  },
);

// experiential PR 961, DeepSeek-v4-Flash-DSpark 178
test.each([
  "Invalid 'messages[3]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
  "Images are supported in user messages only: images in 'tool' messages return a 400 error.",
])('pictures of tools come from the user where a server says so: %s', async (message) => {
  const model = addModel('chat', ({ messages }) =>
    messages.some(({ role, content }) => role === 'tool' && Array.isArray(content))
      ? rejected(message)
      : null,
  );
  const toCall = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '{}' },
  });
  const image = { type: 'image_url', image_url: { url: 'https://example.com/shot.png' } };
  const text = { type: 'text', text: 'Done' };
  const user = { role: 'user', content: 'Hello' };
  const assistant = { role: 'assistant', content: null, tool_calls: ['a', 'b'].map(toCall) };
  const other = { role: 'tool', tool_call_id: 'b', content: 'Nothing' };
  const messages = [
    user,
    assistant,
    { role: 'tool', tool_call_id: 'a', content: [text, image] },
    other,
    user,
  ];
  for (const stream of [false, true]) {
    expect((await model.send(chatPath, { stream, messages })).status).toBe(200);
  }
  // It is learned.
  expect(model.requests).toHaveLength(3);
  expect(model.requests[1]?.messages).toEqual([
    user,
    assistant,
    { role: 'tool', tool_call_id: 'a', content: 'Done' },
    other,
    { role: 'user', content: [image] },
    user,
  ]);
});
