import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { chatModel, startRawProxy } from '../../support/servers/raw-proxy.ts';
import { type ScriptedReply, startScriptedProxy } from '../../support/servers/scripted-proxy.ts';
import type { ModelRequest } from '../../support/upstreams/billing-upstream.ts';

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
