import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, type ModelMessage, Output, streamText, tool } from 'ai';
import { describe, expect, inject, test } from 'vitest';
import { aiSdkProviders } from '../../support/clients/ai-sdk-models.ts';
import {
  imageUrl,
  model as modelId,
  oneImageNoticed,
  prompt,
  promptQuoted,
  secondTurnQuoted,
  trip,
  tripPrompt,
  tripSchema,
  weatherAnswer,
  weatherCities,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const { description, schema: inputSchema, run } = weatherTool;
const tools = { get_weather: tool({ description, inputSchema, execute: run }) };

describe.each(upstreamKinds)('the AI SDK, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];

  describe.each(aiSdkProviders)('$provider', ({ toModel }) => {
    const ask = () => ({
      model: toModel(server, modelId),
      maxRetries: 0,
      // Without it the Responses provider refers to earlier items, which this server does not store.
      providerOptions: { openai: { store: false } },
    });

    test('a text has a finish reason and usage', async () => {
      const result = await generateText({ ...ask(), prompt, instructions: 'Be brief.' });
      expect(result.text).toContain(promptQuoted);
      expect(result.finishReason).toBe('stop');
      expect(result.usage.inputTokens).toBeGreaterThan(0);
      expect(result.usage.outputTokens).toBeGreaterThan(0);
      expect(result.response.modelId).toBe(modelId);
    });

    test('a stream gives the same text', async () => {
      const complete = await generateText({ ...ask(), prompt });
      const result = streamText({ ...ask(), prompt });
      const pieces = await collect(result.textStream);
      expect(pieces.length).toBeGreaterThan(3);
      expect(pieces.join('')).toBe(complete.text);
      expect(await result.finishReason).toBe('stop');
      expect((await result.usage).totalTokens).toBe(complete.usage.totalTokens);
    });

    test('the tool loop finishes, with parallel calls', async () => {
      const result = await generateText({
        ...ask(),
        prompt: weatherPrompt,
        tools,
        stopWhen: isStepCount(3),
      });
      expect(result.steps[0]?.toolCalls.map(({ input }) => input)).toEqual(weatherCities);
      expect(result.steps[0]?.finishReason).toBe('tool-calls');
      expect(result.text).toBe(weatherAnswer);
    });

    test('the tool loop finishes while streaming', async () => {
      const result = streamText({
        ...ask(),
        prompt: weatherPrompt,
        tools,
        stopWhen: isStepCount(3),
      });
      const parts = await collect(result.fullStream);
      const calls = parts.filter((part) => part.type === 'tool-call');
      expect(calls.map(({ input }) => input)).toEqual(weatherCities);
      expect(parts.filter((part) => part.type === 'error')).toEqual([]);
      expect(await result.text).toBe(weatherAnswer);
    });

    test('structured output is parsed with a zod schema, streamed or not', async () => {
      const request = () => ({
        ...ask(),
        prompt: tripPrompt,
        output: Output.object({ schema: tripSchema }),
      });
      expect((await generateText(request())).output).toEqual(trip);
      const streamed = streamText(request());
      expect((await collect(streamed.partialOutputStream)).at(-1)).toEqual(trip);
      expect(await streamed.output).toEqual(trip);
    });

    test('a conversation continues from the client’s history', async () => {
      const turn: ModelMessage[] = [{ role: 'user', content: prompt }];
      const first = await generateText({ ...ask(), messages: turn });
      const second = streamText({
        ...ask(),
        messages: [...turn, ...first.response.messages, { role: 'user', content: 'And of Porto?' }],
      });
      expect(await second.text).toContain(secondTurnQuoted);
    });

    test('a conversation continues after tool calls', async () => {
      const turn: ModelMessage[] = [{ role: 'user', content: weatherPrompt }];
      const stopWhen = isStepCount(3);
      const first = await generateText({ ...ask(), messages: turn, tools, stopWhen });
      const second = await generateText({
        ...ask(),
        messages: [...turn, ...first.response.messages, { role: 'user', content: prompt }],
        tools,
      });
      expect(second.text).toContain(promptQuoted);
      expect(second.text).toContain('it is your turn 2');
    });

    test('an image reaches the model', async () => {
      const result = await generateText({
        ...ask(),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What do you see?' },
              { type: 'file', data: new URL(imageUrl), mediaType: 'image/png' },
            ],
          },
        ],
      });
      expect(result.text).toContain(oneImageNoticed);
    });

    test('a reply at its maximum length has that finish reason, streamed or not', async () => {
      const request = () => ({ ...ask(), prompt, maxOutputTokens: 16 });
      expect((await generateText(request())).finishReason).toBe('length');
      expect(await streamText(request()).finishReason).toBe('length');
    });
  });

  test('a reference to an item is rejected with a hint, since none is stored', async () => {
    const model = createOpenAI({ baseURL: server.baseUrl, apiKey: server.key }).responses(modelId);
    const turn: ModelMessage[] = [{ role: 'user', content: prompt }];
    const first = await generateText({ model, messages: turn });
    const messages: ModelMessage[] = [...turn, ...first.response.messages, ...turn];
    const second = generateText({ model, messages, maxRetries: 0 });
    await expect(second).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 400,
      message: expect.stringContaining('`store: false`'),
    });
  });
});
