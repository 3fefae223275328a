import { expect, test } from 'vitest';
import { responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type ErrorReply, setUpModels } from '../../support/servers/set-up-models.ts';

/** Clients that leave `store` out find their reasoning at OpenAI in the next turn; here they carry it themselves. */

const addModel = setUpModels();
const encrypted = 'reasoning.encrypted_content';
const prompt = { input: 'Hello' };

const logprobs = 'message.output_text.logprobs';

test.each([
  ['no field', {}, [encrypted]],
  ['`store`', { store: true }, [encrypted]],
  ['no `store`, and reasoning', { include: [encrypted] }, [encrypted]],
  ['something else', { include: [logprobs] }, [logprobs, encrypted]],
  ['`store: false`', { store: false }, undefined],
  ['`store: false`, and something else', { store: false, include: [logprobs] }, [logprobs]],
])('a client that sends %s', async (_, fields, include) => {
  const model = addModel('chat-responses', () => null);
  expect((await model.send(responsesPath, { ...prompt, ...fields })).status).toBe(200);
  expect(model.requests.map((sent) => sent.include)).toEqual([include]);
  expect(model.requests[0]?.store).toBe(false);
});

function addStrictModel(message: string, param: string | null) {
  const rejection: ErrorReply = {
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param, code: null } },
  };
  return addModel('chat-responses', ({ include }) => (include === undefined ? null : rejection));
}

test.each([
  ['OpenAI', 'Encrypted content is not supported with this model.', 'include'],
  ['Groq', "property 'include' is unsupported", null],
])('a model of %s that has none is not asked again', async (_, message, param) => {
  const model = addStrictModel(message, param);
  for (let turn = 0; turn < 2; turn++)
    expect((await model.send(responsesPath, prompt)).status).toBe(200);
  expect(model.requests.map((sent) => sent.include)).toEqual([[encrypted], undefined, undefined]);
});

test('a client that has asked itself is told', async () => {
  const model = addStrictModel('Encrypted content is not supported with this model.', 'include');
  const response = await model.send(responsesPath, { ...prompt, include: [encrypted] });
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ error: { param: 'include' } });
  expect(model.requests).toHaveLength(1);
});
