import { expect, test } from 'vitest';
import { messagesPath } from '../../support/servers/in-process-proxy.ts';
import {
  type ErrorReply,
  setUpModels,
  type TestModel,
} from '../../support/servers/set-up-models.ts';

/** Claude Code sends system messages within conversations; many servers of Messages take only users and assistants. */

const addModel = setUpModels();

const addStrictModel = (rejection: ErrorReply) =>
  addModel('messages', ({ messages }) =>
    messages.some(({ role }) => role === 'system') ? rejection : null,
  );
const send = async (model: TestModel, messages: readonly object[]) =>
  (await model.send(messagesPath, { max_tokens: 50, messages })).status;

const anthropic = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
});
const literal = {
  type: 'literal_error',
  loc: ['body', 'messages', 1, 'role'],
  msg: "Input should be 'user' or 'assistant'",
  input: 'system',
};
const user = { role: 'user', content: 'Hello' };
const system = { role: 'system', content: 'Be brief.' };
const text = (value: string) => ({ type: 'text', text: value });

test.each([
  [
    'Anthropic',
    400,
    anthropic(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    ),
  ],
  [
    'LM Studio',
    400,
    anthropic(
      "request.messages.1.role: Invalid discriminator value. Expected 'user' | 'assistant'",
    ),
  ],
  [
    'DeepSeek',
    400,
    anthropic(
      'Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `system`, expected `user` or `assistant` at line 1 column 7954',
    ),
  ],
  [
    'another',
    400,
    anthropic("messages[1].role must be either 'user' or 'assistant', but got 'system'"),
  ],
  ['a server with pydantic', 422, { detail: [literal] }],
  // codex-proxy 615
  [
    'a server with zod',
    400,
    anthropic(
      '[\n  {\n    "received": "system",\n    "code": "invalid_enum_value",\n    "options": ["user", "assistant"],\n    "path": ["messages", 1, "role"]\n  }\n]',
    ),
  ],
])('%s takes no system messages, which is learned', async (_, status, errorBody) => {
  const model = addStrictModel({ status, body: errorBody });
  for (let turn = 0; turn < 2; turn++) expect(await send(model, [user, system])).toBe(200);
  const folded = [{ role: 'user', content: [text('Hello'), text('Be brief.')] }];
  expect(model.requests.map(({ messages }) => messages)).toEqual([[user, system], folded, folded]);
});

test('another field that may not be `system` says nothing about messages', async () => {
  const errorBody = anthropic(
    '[{"received":"system","code":"invalid_enum_value","options":["low"],"path":["output_config","effort"]}]',
  );
  const model = addStrictModel({ status: 400, body: errorBody });
  expect(await send(model, [user, system])).toBe(400);
  expect(model.requests).toHaveLength(1);
});

test('results of tools stay first in their turn', async () => {
  const model = addStrictModel({ status: 422, body: { detail: [literal] } });
  const call = { type: 'tool_use', id: 't1', name: 'f', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'rain' };
  const calling = { role: 'assistant', content: [call] };
  const answered = { role: 'user', content: [result] };
  expect(await send(model, [user, calling, system, answered, system])).toBe(200);
  expect(model.requests.at(-1)?.messages).toEqual([
    user,
    calling,
    { role: 'user', content: [result, text('Be brief.'), text('Be brief.')] },
  ]);
});
