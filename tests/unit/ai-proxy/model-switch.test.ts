import { expect, test } from 'vitest';
import { messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { expectLearned, setUpModels } from '../../support/servers/set-up-models.ts';
import { anthropicError, openAiError } from '../../support/upstreams/vendor-errors.ts';

/** A conversation goes on with another model, whose server takes no ids of calls as the first one has made them. */

const addModel = setUpModels();
const foreignId = 'functions.look:0';
/** All take it, so it stays. */
const ownId = 'abcDEF123';

/** The ids of a request, of calls and of their results, and nothing else. */
function findIds(request: unknown): readonly string[] {
  const text = JSON.stringify(request);
  const ids = text.matchAll(
    /"(?:call_id|tool_call_id|tool_use_id)":"([^"]*)"|"type":"tool_use","id":"([^"]*)"|"id":"([^"]*)","type":"function"/g,
  );
  return [...ids].map(([, ...found]) => found.find((id) => id !== undefined) ?? '');
}

const messagesBody = {
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: foreignId, name: 'look', input: { n: 1 } },
        { type: 'tool_use', id: ownId, name: 'look', input: { n: 2 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: foreignId, content: 'x' },
        { type: 'tool_result', tool_use_id: ownId, content: 'y' },
      ],
    },
  ],
};
const toCall = (call_id: string) => ({
  type: 'function_call',
  call_id,
  name: 'look',
  arguments: '{}',
});
const toOutput = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'x' });
const responsesBody = {
  input: [
    { role: 'user', content: 'Look.' },
    toCall(foreignId),
    toOutput(foreignId),
    toCall(ownId),
    toOutput(ownId),
  ],
};

test.each([
  [
    'Mistral',
    'chat',
    messagesPath,
    messagesBody,
    openAiError(`Tool call id was ${foreignId} but must be a-z, A-Z, 0-9, with a length of 9.`),
  ],
  [
    'the template of a Mistral model',
    'chat',
    responsesPath,
    responsesBody,
    openAiError('Tool call IDs should be alphanumeric strings with length 9!'),
  ],
  [
    'OpenAI',
    'chat',
    responsesPath,
    responsesBody,
    openAiError(
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 43 instead.",
      { param: 'messages[1].tool_calls[0].id', code: 'string_above_max_length' },
    ),
  ],
  [
    'OpenAI',
    'responses',
    responsesPath,
    responsesBody,
    openAiError(
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 391 instead.",
      { param: 'input[1].call_id', code: 'string_above_max_length' },
    ),
  ],
  [
    'Anthropic',
    'messages',
    messagesPath,
    messagesBody,
    anthropicError(
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
  ],
] as const)('%s, by %s, gets ids that it takes', async (...example) => {
  const [, protocol, path, body, errorBody] = example;
  const model = addModel(protocol, (request) =>
    findIds(request).includes(foreignId) ? { status: 400, body: errorBody } : null,
  );

  await expectLearned(model, path, body);

  const [before = [], ...later] = model.requests.map(findIds);
  expect(before.filter((id) => id === foreignId)).toHaveLength(2);
  for (const after of later) {
    const [other] = after.filter((id) => id !== ownId);
    expect(other).toMatch(/^[a-z0-9]{9}$/);
    expect(after).toEqual(before.map((id) => (id === foreignId ? other : id)));
  }
});
