import {
  Agent,
  type AgentInputItem,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents';
import OpenAI from 'openai';
import { describe, expect, inject, test } from 'vitest';
import {
  imageUrl,
  model,
  oneImageNoticed,
  prompt,
  promptQuoted,
  trip,
  tripPrompt,
  tripSchema,
  weatherAnswer,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const { name, description, schema: parameters, run } = weatherTool;
const weather = tool({ name, description, parameters, execute: async (input) => run(input) });

setTracingDisabled(true);

describe.each(upstreamKinds)('OpenAI’s agents, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];

  describe.each([
    { api: 'responses', useResponses: true },
    { api: 'chat', useResponses: false },
  ])('$api', ({ useResponses }) => {
    function openRunner(): Runner {
      const openAIClient = new OpenAI({
        baseURL: server.baseUrl,
        apiKey: server.key,
        maxRetries: 0,
      });
      const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
      return new Runner({ modelProvider, tracingDisabled: true });
    }
    const talker = new Agent({ name: 'Talker', instructions: 'Be brief.', model });
    const forecaster = new Agent({
      name: 'Forecaster',
      instructions: 'Ask the tool.',
      model,
      tools: [weather],
    });
    const planner = new Agent({
      name: 'Planner',
      instructions: 'Fill the form.',
      model,
      outputType: tripSchema,
    });

    test('an agent replies with usage', async () => {
      const result = await openRunner().run(talker, prompt);
      expect(result.finalOutput).toContain(promptQuoted);
      expect(result.state.usage.totalTokens).toBeGreaterThan(0);
    });

    test('a streamed run gives the same text', async () => {
      const complete = await openRunner().run(talker, prompt);
      const streamed = await openRunner().run(talker, prompt, { stream: true });
      const pieces = await collect(streamed.toTextStream());
      await streamed.completed;
      expect(pieces.length).toBeGreaterThan(3);
      expect(pieces.join('')).toBe(complete.finalOutput);
      expect(streamed.finalOutput).toBe(complete.finalOutput);
    });

    test('the tool loop finishes, with parallel calls', async () => {
      const result = await openRunner().run(forecaster, weatherPrompt);
      expect(result.finalOutput).toBe(weatherAnswer);
      expect(result.rawResponses).toHaveLength(2);
    });

    test('the tool loop finishes while streaming', async () => {
      const result = await openRunner().run(forecaster, weatherPrompt, { stream: true });
      const events = await collect(result);
      await result.completed;
      expect(result.error).toBeNull();
      expect(result.finalOutput).toBe(weatherAnswer);
      const names = events.flatMap((event) =>
        event.type === 'run_item_stream_event' ? [event.name] : [],
      );
      expect(names.filter((event) => event === 'tool_called')).toHaveLength(2);
      expect(names.filter((event) => event === 'tool_output')).toHaveLength(2);
    });

    test('structured output is parsed with a zod schema', async () => {
      const result = await openRunner().run(planner, tripPrompt);
      expect(result.finalOutput).toEqual(trip);
    });

    test('a conversation continues after tool calls, streamed', async () => {
      const first = await openRunner().run(forecaster, weatherPrompt, { stream: true });
      await first.completed;
      const history: AgentInputItem[] = [...first.history, user(prompt)];
      const second = await openRunner().run(forecaster, history, { stream: true });
      await second.completed;
      expect(second.finalOutput).toContain(promptQuoted);
    });

    test('an image reaches the model', async () => {
      const result = await openRunner().run(talker, [
        user([
          { type: 'input_text', text: 'What do you see?' },
          { type: 'input_image', image: imageUrl },
        ]),
      ]);
      expect(result.finalOutput).toContain(oneImageNoticed);
    });
  });
});
