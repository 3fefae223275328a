import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { describe, expect, inject, test } from 'vitest';
import {
  imageUrl,
  model,
  oneImageNoticed,
  prompt,
  promptQuoted,
  secondTurnQuoted,
  trip,
  tripPrompt,
  tripSchema,
  weatherAnswer,
  weatherCities,
  weatherParameters,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }];
const { name, description, schema, run } = weatherTool;
const weather: ChatCompletionFunctionTool = {
  type: 'function',
  function: { name, description, parameters: weatherParameters, strict: true },
};
const askWeather: ChatCompletionMessageParam[] = [{ role: 'user', content: weatherPrompt }];
const runnableWeather = {
  type: 'function',
  function: {
    name,
    description,
    parameters: weatherParameters,
    parse: (text: string) => schema.parse(JSON.parse(text)),
    function: run,
  },
} as const;

describe.each(upstreamKinds)('openai’s chat, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.key, maxRetries: 0 });

  test('a reply has usage and a request id', async () => {
    const completion = await client.chat.completions.create({ model, messages });
    expect(completion).toMatchObject({ object: 'chat.completion', model });
    expect(completion.choices).toMatchObject([
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: expect.stringContaining(promptQuoted) },
      },
    ]);
    const { prompt_tokens: tokensIn = 0, completion_tokens: tokensOut = 0 } =
      completion.usage ?? {};
    expect(tokensIn).toBeGreaterThan(0);
    expect(tokensOut).toBeGreaterThan(0);
    expect(completion.usage?.total_tokens).toBe(tokensIn + tokensOut);
    expect(completion._request_id).toMatch(/\S/);
  });

  test('a stream gives the same text, with usage if requested', async () => {
    const complete = await client.chat.completions.create({ model, messages });
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices[0]?.delta.role).toBe('assistant');
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(
      complete.choices[0]?.message.content,
    );
    expect(choices.length).toBeGreaterThan(3);
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: complete.usage });
  });

  test('the stream helper has the message, its deltas and its usage', async () => {
    const deltas: string[] = [];
    const stream = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    stream.on('content.delta', ({ delta }) => deltas.push(delta));
    expect(await stream.finalContent()).toContain(promptQuoted);
    expect(deltas.join('')).toBe(await stream.finalContent());
    expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('stop');
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  test('parallel tool calls are complete, and their results are used', async () => {
    const called = await client.chat.completions.create({
      model,
      messages: askWeather,
      tools: [weather],
    });
    const [choice] = called.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const message = choice?.message ?? { role: 'assistant' };
    const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function');
    expect(calls.map((call) => schema.parse(JSON.parse(call.function.arguments)))).toEqual(
      weatherCities,
    );
    const results = calls.map(
      (call): ChatCompletionMessageParam => ({
        role: 'tool',
        tool_call_id: call.id,
        content: run(schema.parse(JSON.parse(call.function.arguments))),
      }),
    );
    const reply = await client.chat.completions.create({
      model,
      messages: [...askWeather, message, ...results],
      tools: [weather],
    });
    expect(reply.choices[0]?.message.content).toBe(weatherAnswer);
  });

  test('the tool loop finishes, streamed or not', async () => {
    const request = { model, messages: askWeather, tools: [runnableWeather] };
    const runner = client.chat.completions.runTools(request);
    expect(await runner.finalContent()).toBe(weatherAnswer);
    const streamed = client.chat.completions.runTools({ ...request, stream: true });
    expect(await streamed.finalContent()).toBe(weatherAnswer);
  });

  test('structured output is parsed with a zod schema, streamed or not', async () => {
    const request = {
      model,
      messages: [{ role: 'user', content: tripPrompt }] as ChatCompletionMessageParam[],
      response_format: zodResponseFormat(tripSchema, 'trip'),
    };
    const complete = await client.chat.completions.parse(request);
    expect(complete.choices[0]?.message.parsed).toEqual(trip);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(trip);
  });

  test('a conversation continues from the client’s history', async () => {
    const first = await client.chat.completions.create({ model, messages });
    const second = await client.chat.completions.create({
      model,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        ...messages,
        first.choices[0]?.message ?? { role: 'assistant', content: '' },
        { role: 'user', content: 'And of Porto?' },
      ],
    });
    expect(second.choices[0]?.message.content).toContain(secondTurnQuoted);
  });

  test('an image reaches the model', async () => {
    const { choices } = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What do you see?' },
            { type: 'image_url', image_url: { url: imageUrl, detail: 'low' } },
          ],
        },
      ],
    });
    expect(choices[0]?.message.content).toContain(oneImageNoticed);
  });

  test('a reply at its maximum length has that finish reason, streamed or not', async () => {
    const request = { model, messages, max_completion_tokens: 5 };
    const complete = await client.chat.completions.create(request);
    expect(complete.choices[0]?.finish_reason).toBe('length');
    expect(complete.usage?.completion_tokens).toBe(5);
    const stream = await client.chat.completions.create({ ...request, stream: true });
    const chunks = await collect(stream);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
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
});
