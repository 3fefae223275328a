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
} from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const { name, description, schema, run } = weatherTool;
const weather = tool(run, { name, description, schema });

const usage = z.object({
  usage_metadata: z.object({ input_tokens: z.int().min(1), output_tokens: z.int().min(1) }),
});

/** The usage of a message, which the client's types lack. */
function toTokens(message: AIMessage | AIMessageChunk) {
  return usage.parse(message).usage_metadata;
}

function joinChunks(chunks: readonly AIMessageChunk[]): AIMessageChunk {
  const [first = new AIMessageChunk(''), ...rest] = chunks;
  return rest.reduce((complete, chunk) => complete.concat(chunk), first);
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

    test('a reply has usage', async () => {
      const reply = await open().invoke([new SystemMessage('Be brief.'), new HumanMessage(prompt)]);
      expect(reply.text).toContain(promptQuoted);
      expect(toTokens(reply).output_tokens).toBeGreaterThan(10);
    });

    test('a stream gives the same text', async () => {
      const complete = await open().invoke(prompt);
      const chunks = await collect(await open().stream(prompt));
      expect(chunks.length).toBeGreaterThan(3);
      expect(joinChunks(chunks).text).toBe(complete.text);
      expect(toTokens(joinChunks(chunks))).toEqual(toTokens(complete));
    });

    test('a stream has parallel tool calls, and their results are used', async () => {
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
      const reply = await collect(await bound.stream([question, called, ...results]));
      expect(joinChunks(reply).text).toBe(weatherAnswer);
    });

    test('structured output is parsed with a zod schema', async () => {
      const structured = open().withStructuredOutput(tripSchema, { method: 'jsonSchema' });
      expect(await structured.invoke(tripPrompt)).toEqual(trip);
    });

    test('structured output by function calling', async () => {
      const structured = open().withStructuredOutput(tripSchema, { method: 'functionCalling' });
      expect(await structured.invoke(tripPrompt)).toEqual(trip);
    });

    test('a conversation continues from the client’s history', async () => {
      const message = new HumanMessage(prompt);
      const next = new HumanMessage('And of Porto?');
      const complete = await open().invoke([message]);
      expect((await open().invoke([message, complete, next])).text).toContain(secondTurnQuoted);
      const streamed = joinChunks(await collect(await open().stream([message])));
      expect((await open().invoke([message, streamed, next])).text).toContain(secondTurnQuoted);
    });

    test('an image reaches the model', async () => {
      const content = [
        { type: 'text', text: 'What do you see?' },
        { type: 'image_url', image_url: { url: imageUrl } },
      ];
      const reply = await open().invoke([new HumanMessage({ content })]);
      expect(reply.text).toContain(oneImageNoticed);
    });

    test('a reply at its maximum length is a complete message', async () => {
      const reply = await open({ maxTokens: 16 }).invoke(prompt);
      expect(toTokens(reply).output_tokens).toBe(16);
    });
  });
});
