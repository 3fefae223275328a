import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type ScriptedReply, startScriptedProxy } from '../../support/servers/scripted-proxy.ts';
import type { ModelRequest } from '../../support/upstreams/billing-upstream.ts';

/** Forms of messages and tools that some servers reject, in the words of public reports about them. */

const done: ScriptedReply = { message: { content: 'Done.' } };
const rejecting = (message: string, status = 400): ScriptedReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
});

type Message = Readonly<{ role: string; tool_calls?: unknown; reasoning_content?: unknown }>;
const messagesOf = (request: ModelRequest) => request.messages as readonly Message[];

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
])('%s gets one message of the role system, and learns it', async (_, rejected) => {
  await using scripted = await startScriptedProxy((request) =>
    messagesOf(request).some(({ role }, index) => role === 'system' && index > 0) ? rejected : done,
  );

  for (const requests of [2, 3]) {
    expect((await scripted.send(messagesPath, claudeCode)).status).toBe(200);
    expect(scripted.requests).toHaveLength(requests);
    expect(scripted.requests.at(-1)?.messages).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Agents: none.' },
    ]);
  }
  expect((await scripted.send(responsesPath, codex)).status).toBe(200);
  expect(scripted.requests.at(-1)?.messages).toEqual([
    { role: 'system', content: 'You help.\n\nBe brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: 'Agents: none.' },
  ]);
});

test('a client of chat is told where the role system may stand', async () => {
  const rejected = rejecting('System message must be at the beginning.');
  await using scripted = await startScriptedProxy(() => rejected);

  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Be brief.' },
  ];
  const { status, body } = await scripted.send(chatPath, { messages });

  expect([status, scripted.requests.length]).toEqual([400, 1]);
  expect(body.error.message).toContain('only in the first message');
});

test('a prompt that quotes these words changes nothing', async () => {
  const text = 'System message must be at the beginning.';
  await using scripted = await startScriptedProxy(() => rejecting(text));

  const messages = [{ role: 'user', content: text }];
  expect((await scripted.send(messagesPath, { max_tokens: 9, messages })).status).toBe(400);

  expect(scripted.requests).toHaveLength(1);
});

test.each([
  'Missing `reasoning_content` field in the assistant message at message index 1. For more information, see the docs',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
])('calls of another model have an empty reasoning where it is demanded: %s', async (message) => {
  const isBare = (message: Message) =>
    message.tool_calls !== undefined && message.reasoning_content === undefined;
  await using scripted = await startScriptedProxy((request) =>
    messagesOf(request).some(isBare) ? rejecting(message) : done,
  );
  const use = { type: 'tool_use', id: 'a', name: 'look', input: {} };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'EqQ' }, use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ];

  for (const requests of [2, 3]) {
    const { status } = await scripted.send(messagesPath, { max_tokens: 100, messages });
    expect([status, scripted.requests.length]).toEqual([200, requests]);
  }
  expect(scripted.requests.at(-1)?.messages).toMatchObject([
    {},
    { role: 'assistant', reasoning_content: '' },
    {},
  ]);
});

const tool = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false };

test.each([
  ['Groq', "property 'strict' is unsupported"],
  ['pydantic', 'tools.0.function.strict: Extra inputs are not permitted'],
  ['Rust', 'Failed to deserialize the JSON body into the target type: unknown field `strict`'],
])('%s gets functions without strict', async (_, message) => {
  await using scripted = await startScriptedProxy((request) =>
    JSON.stringify(request).includes('"strict"') ? rejecting(message) : done,
  );

  for (const requests of [2, 3]) {
    const { status } = await scripted.send(responsesPath, { input: 'Hello', tools: [tool] });
    expect([status, scripted.requests.length]).toEqual([200, requests]);
  }
  expect(scripted.requests.at(-1)?.tools).toEqual([
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
  ]);
});

test('a server that knows no tool_choice does without auto, but no demand is dropped', async () => {
  await using scripted = await startScriptedProxy((request) =>
    'tool_choice' in request
      ? rejecting('Unrecognized request argument supplied: tool_choice')
      : done,
  );
  const toBody = (choice: string) => ({ input: 'Hello', tools: [tool], tool_choice: choice });

  expect((await scripted.send(responsesPath, toBody('auto'))).status).toBe(200);
  expect((await scripted.send(responsesPath, toBody('required'))).status).toBe(400);
  expect(scripted.requests.at(-1)).toMatchObject({ tool_choice: 'required' });
});

test('a model that thinks, and takes no demand for a tool, is named as such', async () => {
  const message = 'Thinking mode does not support this tool_choice';
  await using scripted = await startScriptedProxy(() => rejecting(message));

  const body = { input: 'Hello', tools: [tool], tool_choice: 'required' };
  const { body: got } = await scripted.send(responsesPath, body);

  expect(got.error).toMatchObject({ param: 'tool_choice', code: 'unsupported_parameter' });
  expect(got.error.message).toContain('turn thinking off');
});
