import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { chatOf, openModelServer, openWithClient, post } from './open-model-server.ts';

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
const weatherTool = { type: 'function' as const, function: weather };

test('a chat response says that it comes from a demo, and counts its tokens', async () => {
  const { client } = await openWithClient();
  const result = await client.chat.completions.create({ model, messages });
  expect(result.choices[0]?.message.content).toMatch(/only in this demo[\s\S]*Tell me of Lisbon/);
  expect(result.choices[0]?.finish_reason).toBe('stop');
  expect(result.usage?.prompt_tokens).toBe(5);
  expect(result.usage?.total_tokens).toBe(5 + (result.usage?.completion_tokens ?? 0));
});

test('a stream has the same text, with usage if requested', async () => {
  const { client } = await openWithClient();
  const whole = await client.chat.completions.create({ model, messages });
  for (const includeUsage of [true, false]) {
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: includeUsage },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const last = chunks.at(-1);
    if (includeUsage) expect(last?.usage).toEqual(whole.usage);
    else expect(last?.choices[0]?.finish_reason).toBe('stop');
  }
});

test('the SDK’s stream helper gets a complete message', async () => {
  const { client } = await openWithClient();
  const stream = client.chat.completions.stream({ model, messages });
  expect(await stream.finalContent()).toContain('Lisbon');
});

test('count to N is N words', async () => {
  const { server } = await openWithClient();
  const text = await (
    await post(server, '/chat/completions', chatOf(model, 'Count to 200', true))
  ).text();
  expect(text.match(/"delta":\{"content":" ?\d+"\}/g)).toHaveLength(200);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
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

test('a tool named in the prompt is called for each place, and its results are used', async () => {
  const { client } = await openWithClient();
  const question = { role: 'user' as const, content: 'What is the weather in Lisbon and Oslo?' };
  const first = await client.chat.completions.create({
    model,
    messages: [question],
    tools: [weatherTool],
  });
  const message = first.choices[0]?.message;
  expect(first.choices[0]?.finish_reason).toBe('tool_calls');
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [call] : [],
  );
  expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
    { city: 'Lisbon', unit: 'C' },
    { city: 'Oslo', unit: 'F' },
  ]);
  if (message === undefined) throw new Error('no message');
  const second = await client.chat.completions.create({
    model,
    tools: [weatherTool],
    messages: [
      question,
      message,
      ...calls.map(({ id }, index) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: `${20 - index} degrees`,
      })),
    ],
  });
  expect(second.choices[0]?.message.content).toMatch(/20 degrees[\s\S]*19 degrees/);
});

test('a streamed call has its name once and its arguments in pieces', async () => {
  const { client } = await openWithClient();
  const stream = client.chat.completions.stream({
    model,
    messages: [{ role: 'user', content: 'Is there weather in Oslo?' }],
    tools: [weatherTool],
  });
  const { choices } = await stream.finalChatCompletion();
  const call = choices[0]?.message.tool_calls?.[0];
  if (call?.type !== 'function') throw new Error('no call');
  expect(call.function.name).toBe('get_weather');
  expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Oslo', unit: 'C' });
});

test('tool_choice is respected: none, required, by name, and one at a time', async () => {
  const { client } = await openWithClient();
  const send = async (content: string, rest: object) => {
    const { choices } = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content }],
      tools: [weatherTool],
      ...rest,
    });
    return choices[0]?.message.tool_calls?.length ?? 0;
  };
  expect(await send('The weather in Oslo', { tool_choice: 'none' })).toBe(0);
  expect(await send('Hello', {})).toBe(0);
  expect(await send('Hello', { tool_choice: 'required' })).toBe(1);
  const named = { type: 'function', function: { name: 'get_weather' } };
  expect(await send('Hello', { tool_choice: named })).toBe(1);
  expect(await send('The weather in Oslo and Lima', { parallel_tool_calls: false })).toBe(1);
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

test('an image is counted, and a second turn has the first as context', async () => {
  const { client } = await openWithClient();
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  const result = await client.chat.completions.create({
    model,
    messages: [
      { role: 'user', content: 'First words' },
      { role: 'assistant', content: 'A reply' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  });
  const text = result.choices[0]?.message.content;
  expect(text).toContain('1 image');
  expect(text).toContain('turn 2; you began with “First words”');
  expect(result.usage?.prompt_tokens).toBeGreaterThan(85);
});

test('Responses work in one turn and in several', async () => {
  const { client } = await openWithClient();
  const first = await client.responses.create({ model, input: 'Tell me of Lisbon' });
  expect(first.output_text).toContain('Tell me of Lisbon');
  expect(first.status).toBe('completed');
  const second = await client.responses.create({
    model,
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'Tell me of Lisbon' },
      ...first.output.flatMap((item) => (item.type === 'message' ? [item] : [])),
      { role: 'user', content: 'And of Oslo?' },
    ],
  });
  expect(second.output_text).toContain('turn 2');
});

test('a Responses stream is numbered from 0, has the same text, and ends with the whole response', async () => {
  const { client } = await openWithClient();
  const whole = await client.responses.create({ model, input: 'Tell me of Lisbon' });
  const stream = await client.responses.create({ model, input: 'Tell me of Lisbon', stream: true });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const deltas = events.flatMap((event) =>
    event.type === 'response.output_text.delta' ? [event.delta] : [],
  );
  expect(deltas.join('')).toBe(whole.output_text);
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error('not completed');
  expect(last.response.usage).toEqual(whole.usage);
});

test('Responses call tools, streamed too, and use their results', async () => {
  const { client } = await openWithClient();
  const tools = [{ type: 'function' as const, strict: null, ...weather }];
  const input = 'What is the weather in Lisbon and Oslo?';
  const whole = await client.responses.create({ model, input, tools });
  const calls = whole.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  expect(calls.map((call) => JSON.parse(call.arguments).city)).toEqual(['Lisbon', 'Oslo']);
  const streamed = await client.responses.stream({ model, input, tools }).finalResponse();
  expect(streamed.output.map(({ type }) => type)).toEqual(['function_call', 'function_call']);
  const final = await client.responses.create({
    model,
    tools,
    input: [
      { role: 'user', content: input },
      ...calls,
      ...calls.map(({ call_id }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: '20 degrees',
      })),
    ],
  });
  expect(final.output_text).toContain('20 degrees');
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

test('one list can have all models, with ids only', async () => {
  const { client, server } = await openWithClient({
    hasEmbeddingsList: false,
    listFormat: 'plain',
  });
  const { data: models } = await client.models.list();
  expect(models).toHaveLength(11);
  expect(Object.keys(models[0] ?? {})).toEqual(['id', 'object', 'created', 'owned_by']);
  expect((await post(server, '/embeddings/models', {})).status).toBe(404);
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

test('requests are counted, open and aborted ones too', async () => {
  const server = await openModelServer({ paceMs: 5 });
  const leave = new AbortController();
  const stream = await post(server, '/chat/completions', chatOf(model, 'Count to 999', true), {
    signal: leave.signal,
  });
  expect(stream.status).toBe(200);
  expect(server.stats()).toMatchObject({ openRequests: 1, aborted: 0 });
  leave.abort();
  await expect.poll(() => server.stats().openRequests).toBe(0);
  await (await post(server, '/responses', { model, input: 'x' })).text();
  expect(server.stats()).toMatchObject({
    requests: 2,
    byPath: { 'POST /chat/completions': 1, 'POST /responses': 1 },
    aborted: 1,
    finished: 1,
  });
});

test('frames have the configured interval', async () => {
  const server = await openModelServer({ paceMs: 20 });
  const began = performance.now();
  const response = await post(server, '/chat/completions', chatOf(model, 'Count to 10', true));
  await response.text();
  expect(performance.now() - began).toBeGreaterThan(200);
});
