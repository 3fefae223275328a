import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage } from 'ai';
import { expect, inject, test } from 'vitest';
import { model, prompt } from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { openOpenAi } from '../../support/clients/libraries/openai.ts';

/** What OpenAI's clients alone have. */

const server = inject('servers').native;
const client = openOpenAi(server);

test('a streamed chat has one id, and usage if that is requested', async () => {
  const messages = [{ role: 'user' as const, content: prompt }];
  const complete = await client.chat.completions.create({ model, messages });
  expect(complete._request_id).toMatch(/\S/);
  const chunks = await collect(
    await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: complete.usage });
});

test('the models are listed', async () => {
  const models = await collect(client.models.list());
  expect(models).toContainEqual(
    expect.objectContaining({
      id: model,
      object: 'model',
      created: expect.any(Number),
      owned_by: 'lantern-demo',
    }),
  );
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
});

test('what refers to a stored response or item is rejected with a hint, since none is stored', async () => {
  const previous = client.responses.create({ model, input: prompt, previous_response_id: 'resp' });
  await expect(previous).rejects.toMatchObject({
    status: 400,
    param: 'previous_response_id',
    message: expect.stringContaining('input'),
  });
  const ofSdk = createOpenAI({ baseURL: server.baseUrl, apiKey: server.key }).responses(model);
  const turn: ModelMessage[] = [{ role: 'user', content: prompt }];
  const first = await generateText({ model: ofSdk, messages: turn });
  const messages = [...turn, ...first.response.messages, ...turn];
  const second = generateText({ model: ofSdk, messages, maxRetries: 0 });
  await expect(second).rejects.toMatchObject({
    name: 'AI_APICallError',
    statusCode: 400,
    message: expect.stringContaining('`store: false`'),
  });
});
