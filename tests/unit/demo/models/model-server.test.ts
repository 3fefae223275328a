import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openWithClient, post } from './open-model-server.ts';

const model = 'lantern-demo/wick-3-mini';
const messages = [{ role: 'user' as const, content: 'Tell me of Lisbon' }];

test('a chat response says that it comes from a demo, and counts its tokens', async () => {
  const { client } = await openWithClient();
  const result = await client.chat.completions.create({ model, messages });
  expect(result.choices[0]?.message.content).toMatch(/only in this demo[\s\S]*Tell me of Lisbon/);
  expect(result.choices[0]?.finish_reason).toBe('stop');
  expect(result.usage?.prompt_tokens).toBe(5);
  expect(result.usage?.total_tokens).toBe(5 + (result.usage?.completion_tokens ?? 0));
});

test('an invalid request gets the error that OpenAI would send', async () => {
  const { client, server } = await openWithClient({ hasResponses: false });
  const wrongKey = new OpenAI({ baseURL: server.url, apiKey: 'other', maxRetries: 0 });
  await expect(wrongKey.models.list()).rejects.toMatchObject({ status: 401 });
  await expect(client.responses.create({ model, input: 'x' })).rejects.toMatchObject({
    status: 404,
  });
  await expect(
    client.chat.completions.create({ model: 'none/such', messages }),
  ).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  await expect(
    client.chat.completions.create({ model, messages, temperature: 3 }),
  ).rejects.toMatchObject({ status: 400, param: 'temperature' });
  await expect(
    client.chat.completions.create({
      model: 'acorn-demo/tiny-4k',
      messages: [{ role: 'user', content: 'word '.repeat(5000) }],
    }),
  ).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
  const outside = server.url.replace('/api/v1', '');
  expect((await post({ ...server, url: outside }, '/chat/completions', {})).status).toBe(404);
  for (const body of [null, [], {}, { model, messages: [] }, { model, messages: [{}] }]) {
    expect((await post(server, '/chat/completions', body)).status).toBe(400);
  }
});
