import {
  type AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
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
  weatherPrompt,
  weatherTool,
} from '../../support/client-fixtures.ts';
import { collect } from '../../support/collect.ts';
import { upstreamKinds } from '../../support/proxy-server.ts';

const { name, description, schema, run } = weatherTool;
const weather = tool(run, { name, description, schema });

const usage = z.object({
  usage_metadata: z.object({ input_tokens: z.int().min(1), output_tokens: z.int().min(1) }),
});

/** What a message cost; the client's own types lose it. */
function toTokens(message: AIMessage | AIMessageChunk) {
  return usage.parse(message).usage_metadata;
}

function joinChunks(chunks: readonly AIMessageChunk[]): AIMessageChunk {
  const [first = new AIMessageChunk(''), ...rest] = chunks;
  return rest.reduce((whole, chunk) => whole.concat(chunk), first);
}

describe.each(upstreamKinds)('LangChain, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];

  describe.each([
    { api: 'chat', useResponsesApi: false },
    { api: 'responses', useResponsesApi: true },
  ])('$api', ({ useResponsesApi }) => {
    const open = (more: { maxTokens?: number } = {}) =>
      new ChatOpenAI({
        model,
        apiKey: server.key,
        configuration: { baseURL: server.baseUrl },
        maxRetries: 0,
        useResponsesApi,
        ...more,
      });

    test('a message is answered, with its usage', async () => {
      const answer = await open().invoke([
        new SystemMessage('Be brief.'),
        new HumanMessage(prompt),
      ]);
      expect(answer.text).toContain(promptQuoted);
      expect(toTokens(answer).output_tokens).toBeGreaterThan(10);
    });

    test('a stream says the same in pieces', async () => {
      const whole = await open().invoke(prompt);
      const chunks = await collect(await open().stream(prompt));
      expect(chunks.length).toBeGreaterThan(3);
      expect(joinChunks(chunks).text).toBe(whole.text);
      expect(toTokens(joinChunks(chunks))).toEqual(toTokens(whole));
    });

    test('parallel calls of tools are made, and their results are read', async () => {
      const bound = open().bindTools([weather]);
      const question = new HumanMessage(weatherPrompt);
      const called = await bound.invoke([question]);
      const calls = called.tool_calls ?? [];
      expect(calls.map(({ args }) => args)).toEqual(weatherCities);
      const results = await Promise.all(
        calls.map(async (call) => {
          const result: unknown = await weather.invoke({ ...call, type: 'tool_call' });
          return ToolMessage.isInstance(result) ? [result] : [];
        }),
      );
      const answer = await bound.invoke([question, called, ...results.flat()]);
      expect(answer.text).toBe(weatherAnswer);
    });

    test('a stream puts parallel calls together, and reads their results', async () => {
      const bound = open().bindTools([weather]);
      const question = new HumanMessage(weatherPrompt);
      const called = joinChunks(await collect(await bound.stream([question])));
      const calls = called.tool_calls ?? [];
      expect(calls.map((call) => [call.name, call.args])).toEqual(
        weatherCities.map((city) => [name, city]),
      );
      const results = calls.map(
        ({ id = '', args }) =>
          new ToolMessage({ tool_call_id: id, content: run(schema.parse(args)) }),
      );
      const answer = await collect(await bound.stream([question, called, ...results]));
      expect(joinChunks(answer).text).toBe(weatherAnswer);
    });

    test('an answer in a zod schema’s form is parsed', async () => {
      const structured = open().withStructuredOutput(tripSchema, { method: 'jsonSchema' });
      expect(await structured.invoke(tripPrompt)).toEqual(trip);
    });

    test('an answer in a zod schema’s form comes as the call of a function', async () => {
      const structured = open().withStructuredOutput(tripSchema, { method: 'functionCalling' });
      expect(await structured.invoke(tripPrompt)).toEqual(trip);
    });

    test('a conversation goes on from the client’s own history', async () => {
      const asked = new HumanMessage(prompt);
      const next = new HumanMessage('And of Porto?');
      const whole = await open().invoke([asked]);
      expect((await open().invoke([asked, whole, next])).text).toContain(secondTurnQuoted);
      const streamed = joinChunks(await collect(await open().stream([asked])));
      expect((await open().invoke([asked, streamed, next])).text).toContain(secondTurnQuoted);
    });

    test('a picture reaches the model', async () => {
      const content = [
        { type: 'text', text: 'What do you see?' },
        { type: 'image_url', image_url: { url: imageUrl } },
      ];
      const answer = await open().invoke([new HumanMessage({ content })]);
      expect(answer.text).toContain(oneImageNoticed);
    });

    test('an answer that is cut for its length is a whole message', async () => {
      const answer = await open({ maxTokens: 16 }).invoke(prompt);
      expect(toTokens(answer).output_tokens).toBe(16);
    });
  });
});
