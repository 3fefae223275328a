import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openWithClient, post } from './open-model-server.ts';

const model = 'lantern-demo/wick-3-mini';
const messages = [{ role: 'user' as const, content: 'Tell me of Lisbon' }];

const weather = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
    required: ['city', 'unit'],
  },
};

test('a chat response says that it comes from a demo, and counts its tokens', async () => {
  const { client } = await openWithClient();
  const result = await client.chat.completions.create({ model, messages });
  expect(result.choices[0]?.message.content).toMatch(/only in this demo[\s\S]*Tell me of Lisbon/);
  expect(result.choices[0]?.finish_reason).toBe('stop');
  expect(result.usage?.prompt_tokens).toBe(5);
  expect(result.usage?.total_tokens).toBe(5 + (result.usage?.completion_tokens ?? 0));
});

test('a reply is cut at its token limit', async () => {
  const { client } = await openWithClient();
  const chat = await client.chat.completions.create({ model, messages, max_completion_tokens: 3 });
  expect(chat.choices[0]?.finish_reason).toBe('length');
  expect(chat.usage?.completion_tokens).toBe(3);
  const response = await client.responses.create({
    model,
    input: 'Tell me of Lisbon',
    max_output_tokens: 3,
  });
  expect(response.status).toBe('incomplete');
  expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' });
});

test('a JSON reply fits the requested schema', async () => {
  const { client } = await openWithClient();
  const result = await client.chat.completions.create({
    model,
    messages,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'x', schema: weather.parameters },
    },
  });
  const { city, unit } = JSON.parse(result.choices[0]?.message.content ?? '');
  expect([city, unit]).toEqual(['Lisbon', 'C']);
});

test('the lists have 8 language and 3 embedding models, each with its own price and id', async () => {
  const { server, client } = await openWithClient();
  const { data: language } = await client.models.list();
  expect(language).toHaveLength(8);
  const response = await fetch(`${server.url}/embeddings/models`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  const { data } = await response.json();
  expect(data).toHaveLength(3);
  const records: Record<string, { prompt?: string; completion?: string }>[] = [
    ...JSON.parse(JSON.stringify(language)),
    ...data,
  ];
  expect(new Set(records.map(({ id }) => id)).size).toBe(11);
  for (const { pricing } of records) {
    expect(pricing?.prompt).toMatch(/^\d+(\.\d+)?$/);
    expect(pricing?.completion).toMatch(/^\d+(\.\d+)?$/);
  }
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
