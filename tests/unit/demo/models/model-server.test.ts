import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { startModelServer } from '#lib/demo/models/model-server.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { forTests } from '../../../support/for-tests.ts';

const key = 'sk-of-the-test';
const server = forTests(() => startModelServer({ key, paceMs: 0 }));
const openClient = (apiKey = key) => new OpenAI({ baseURL: server.url, apiKey, maxRetries: 0 });

const model = 'lantern-demo/wick-3-mini';
const messages = [{ role: 'user' as const, content: 'Tell me of Lisbon' }];

test('a chat response says that it comes from a demo, and counts its tokens', async () => {
  const result = await openClient().chat.completions.create({ model, messages });
  expect(result.choices[0]?.message.content).toMatch(/only in this demo[\s\S]*Tell me of Lisbon/);
  expect(result.choices[0]?.finish_reason).toBe('stop');
  expect(result.usage?.prompt_tokens).toBe(5);
  expect(result.usage?.total_tokens).toBe(5 + (result.usage?.completion_tokens ?? 0));
});

test('an invalid request gets the error that OpenAI would send', async () => {
  const client = openClient();
  await expect(openClient('other').models.list()).rejects.toMatchObject({ status: 401 });
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
  expect((await postJson(`${outside}/chat/completions`, key, {})).status).toBe(404);
  for (const body of [null, [], {}, { model, messages: [] }, { model, messages: [{}] }]) {
    expect((await postJson(`${server.url}/chat/completions`, key, body)).status).toBe(400);
  }
});
