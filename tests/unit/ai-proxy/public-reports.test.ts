import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { chatModel, nativeModel, startRawProxy } from '../../support/servers/raw-proxy.ts';
import { type ScriptedReply, startScriptedProxy } from '../../support/servers/scripted-proxy.ts';
import type { ModelRequest } from '../../support/upstreams/billing-upstream.ts';
import { examineMessagesStream } from '../../support/upstreams/messages-stream.ts';

/** What public reports say of upstreams, and in which other programs it broke something. */

const done: ScriptedReply = { message: { content: 'Done.' } };

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
    await using proxy = await startRawProxy(() => filtered);
    const prompt = { input: 'hi', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 };
    const { input, messages, max_tokens } = prompt;
    const body = path === responsesPath ? { input } : { messages, max_tokens };
    const text = await proxy.send(
      path,
      JSON.stringify({ model: chatModel, stream: true, ...body }),
    );

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

const invalid = (status: number, error: object): ScriptedReply => ({ status, body: error });
const claude = {
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
};
test.each<[string, string, (request: ModelRequest) => boolean, ScriptedReply, string, object]>([
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
  await using scripted = await startScriptedProxy((sent) => (isRejected(sent) ? rejected : done));
  expect((await scripted.send(path, body)).status).toBe(200);
  expect(scripted.requests.map((sent) => field in sent)).toEqual([true, false]);
});

test('litellm 30835: no reasoning of the former turn, which the server has sent itself', async () => {
  await using scripted = await startScriptedProxy((sent) => {
    const messages = sent.messages as Record<string, unknown>[];
    const at = messages.findIndex((message) => 'reasoning_content' in message);
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
  const first = await scripted.send(responsesPath, { input: 'hi' });
  const input = [
    { role: 'user', content: 'hi' },
    ...first.body.output,
    { role: 'user', content: 'more' },
  ];
  const second = await scripted.send(responsesPath, { input });
  expect(second.status).toBe(200);
  expect(JSON.stringify(scripted.requests[1])).toContain('"reasoning_content":"I think."');
  expect(scripted.requests[2]?.messages).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'more' },
  ]);
  await scripted.send(responsesPath, { input });
  expect(scripted.requests).toHaveLength(4);
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
const bodies: Readonly<Record<string, object>> = {
  [chatPath]: { messages: [{ role: 'user', content: 'hi' }] },
  [responsesPath]: { input: 'hi' },
  [messagesPath]: { messages: [{ role: 'user', content: 'hi' }], max_tokens: 2000 },
};

test.each(Object.keys(bodies))(
  'LibreChat 13987: arguments under another index than the call: %s',
  async (path) => {
    const called = { id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
    const pieces = ['{"x":', '1}'].map((text) =>
      chunkOf({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    );
    await using proxy = await startRawProxy(
      () =>
        toFrames(
          chunkOf({ role: 'assistant', content: '' }),
          chunkOf({ tool_calls: [{ index: 1, ...called }] }),
          ...pieces,
          chunkOf({}, 'tool_calls'),
        ) + doneFrame,
    );
    const text = await proxy.send(
      path,
      JSON.stringify({ model: chatModel, stream: true, ...bodies[path] }),
    );
    expect(text).not.toContain('"error":{');
    const places = [...text.matchAll(/"index":(\d+),"(?:function":\{"arg|id":"a")/g)];
    if (path === chatPath) expect(places.map(([, index]) => index)).toEqual(['0', '0', '0']);
    if (path === responsesPath) expect(text).toContain('"arguments":"{\\"x\\":1}","status"');
    if (path === messagesPath) expect(text).toContain('"partial_json":"1}"');
  },
);

test.each(Object.keys(bodies))(
  'vllm-mlx 628, ollama 4357, openai-workflow 52: a stream that ends with [DONE] and no reason: %s',
  async (path) => {
    await using proxy = await startRawProxy(
      () => toFrames(chunkOf({ role: 'assistant', content: 'Hi' }, '')) + doneFrame,
    );
    const body = { model: chatModel, stream: true, ...bodies[path] };
    const text = await proxy.send(path, JSON.stringify(body));
    expect(text).toContain('Hi');
    expect(text).not.toContain('"error":{');
    expect(text).toMatch(/"finish_reason":"stop"|response\.completed|"stop_reason":"end_turn"/);
  },
);

test('a call that is cut before [DONE] is none that an agent could run', async () => {
  const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{"path":"/' } };
  await using proxy = await startRawProxy(
    () => toFrames(chunkOf({ role: 'assistant', tool_calls: [call] })) + doneFrame,
  );
  const body = { model: chatModel, stream: true, ...bodies[responsesPath] };
  const text = await proxy.send(responsesPath, JSON.stringify(body));
  expect(text).toContain('event: response.failed');
});

test.each(Object.keys(bodies))(
  'argo-proxy 91: Azure’s filter within a stream is named, so that agents do not repeat: %s',
  async (path) => {
    const error = { message: 'The response was filtered', code: 'content_filter', type: null };
    await using proxy = await startRawProxy(() =>
      toFrames(chunkOf({ role: 'assistant', content: 'Hi' }), { error }),
    );
    const body = { model: chatModel, stream: true, ...bodies[path] };
    const text = await proxy.send(path, JSON.stringify(body));
    expect(text).toContain('The content filter of the service behind this model rejects');
    expect(text).toContain('invalid_request_error');
  },
);

test('claude-code-router 1725: each time that a model thinks is a block of its own', async () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  await using proxy = await startRawProxy(
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
  const body = { model: chatModel, stream: true, thinking, ...bodies[messagesPath] };
  const text = await proxy.send(messagesPath, JSON.stringify(body));
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
  const ok = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
  await using proxy = await startRawProxy(({ text }) =>
    text.includes('"type":"thinking"')
      ? JSON.stringify({ ...ok, usage: { input_tokens: 1, output_tokens: 1 } })
      : { status: 400, text: JSON.stringify({ error: { message } }) },
  );
  const body = { model: nativeModel, max_tokens: 100, messages: toolTurns };
  const reply = JSON.parse(await proxy.send(messagesPath, JSON.stringify(body)));
  expect(reply.content).toEqual(ok.content);
  expect(JSON.parse(proxy.requests[1]?.text ?? '{}').messages[1].content).toEqual([
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'tool_use', id: 'a', name: 'f', input: {} },
  ]);
});

test('opencode 48637: thinking that is bound to another conversation is left out', async () => {
  const ok = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
  const message =
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set …';
  await using proxy = await startRawProxy(({ text }) =>
    text.includes('"signature"')
      ? {
          status: 400,
          text: JSON.stringify({
            type: 'error',
            error: { type: 'invalid_request_error', message },
          }),
        }
      : JSON.stringify({ ...ok, usage: { input_tokens: 1, output_tokens: 1 } }),
  );
  const [user, assistant, result] = toolTurns;
  const block = { type: 'thinking', thinking: 'Hm', signature: 'sig' };
  const turn = { ...assistant, content: [block, ...((assistant?.content as object[]) ?? [])] };
  const body = { model: nativeModel, max_tokens: 100, messages: [user, turn, result] };
  const reply = JSON.parse(await proxy.send(messagesPath, JSON.stringify(body)));
  expect(reply.content).toEqual(ok.content);
  expect(proxy.requests).toHaveLength(2);
});

test('litellm 28553: Responses of Azure get no stream_options', async () => {
  await using proxy = await startRawProxy(() => '{}');
  const body = { model: nativeModel, stream: true, input: 'hi' };
  await proxy.send(responsesPath, JSON.stringify(body));
  expect(proxy.requests[0]?.text).not.toContain('stream_options');
});
