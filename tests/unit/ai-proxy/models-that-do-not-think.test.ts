import { expect, test } from 'vitest';
import { toJsonObject } from '#lib/http/json-value.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';

/** Agents ask every model to think: Claude Code by `thinking` and an effort, Codex by an effort. */

const addModel = setUpModels();
const messages = [{ role: 'user', content: 'Hello' }];
const claudeCode = {
  max_tokens: 32_000,
  messages,
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
};
const codex = { input: 'Hello', reasoning: { effort: 'xhigh', summary: 'auto' } };

const summary = { input: 'Hello', reasoning: { summary: 'auto' } };

const ollama = '"llama3.1:8b" does not support thinking';
const openAi =
  "Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model. Supported values are: 'low', 'medium', and 'high'.";

// claude-code-router 972, openclaude 1371, cherry-studio 18744, little-coder 86, claude-code 55211
test.each([
  ['chat', messagesPath, claudeCode, ollama, undefined],
  ['chat', responsesPath, codex, ollama, undefined],
  ['chat', responsesPath, codex, 'Thinking budget is not supported for this model.', undefined],
  ['messages', messagesPath, claudeCode, ollama, undefined],
  ['messages', messagesPath, claudeCode, 'thinking: Extra inputs are not permitted', undefined],
  ['responses', responsesPath, codex, ollama, undefined],
  [
    'responses',
    responsesPath,
    codex,
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    undefined,
  ],
  ['responses', responsesPath, summary, "Unknown parameter: 'reasoning'.", undefined],
  ['responses', responsesPath, codex, openAi, { effort: 'high', summary: 'auto' }],
] as const)('a model with %s at %s gets what it takes: %j, %s', async (...example) => {
  const [protocol, path, body, message, reasoning] = example;
  const model = addStrictModel(protocol, message);
  for (const requests of [2, 3]) {
    expect((await model.send(path, body)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    const sent = toJsonObject(model.requests.at(-1));
    expect(sent.reasoning).toEqual(reasoning);
    for (const name of ['reasoning_effort', 'thinking', 'context_management']) {
      expect(sent).not.toHaveProperty(name);
    }
  }
});

const unknownEffort = 'Unrecognized request argument supplied: reasoning_effort';

test.each([
  ['chat-messages', responsesPath, codex, messagesPath, claudeCode],
  ['chat-responses', messagesPath, claudeCode, responsesPath, codex],
] as const)(
  'what chat does not know of an effort says nothing about other protocols: %s',
  async (...example) => {
    const [protocols, translated, body, native, kept] = example;
    const model = addStrictModel(protocols, unknownEffort);
    expect((await model.send(translated, body)).status).toBe(200);
    await model.send(native, kept);
    const { thinking, reasoning } = { thinking: undefined, reasoning: undefined, ...kept };
    const sent = toJsonObject(model.requests[2]);
    expect([sent.thinking, sent.reasoning]).toEqual([thinking, reasoning]);
  },
);

test('a client of chat that asked for an effort is told that the model does not think', async () => {
  const model = addStrictModel('chat', ollama);
  const response = await model.send(chatPath, { messages, reasoning_effort: 'high' });
  expect([response.status, model.requests.length]).toEqual([400, 1]);
  expect(response.body).toMatchObject({
    error: { code: 'unsupported_parameter', message: expect.stringContaining('does not think') },
  });
});

function addStrictModel(upstream: Parameters<typeof addModel>[0], message: string) {
  const body = { error: { message, type: 'invalid_request_error', param: null } };
  return addModel(upstream, (_, { text }) =>
    /"thinking":|"reasoning_effort":|"effort":"xhigh"|"reasoning":\{"summary":"auto"\}/.test(text)
      ? { status: 400, body }
      : null,
  );
}
