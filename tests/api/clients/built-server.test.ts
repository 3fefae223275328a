import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#lib/storage/database.ts';
import { aiSdkProviders } from '../../support/ai-sdk-models.ts';
import {
  model,
  prompt,
  promptQuoted,
  weatherAnswer,
  weatherPrompt,
  weatherTool,
} from '../../support/client-fixtures.ts';
import { collect } from '../../support/collect.ts';
import {
  type ProxyServer,
  startProxyServer,
  upstreamKey,
  upstreamKinds,
} from '../../support/proxy-server.ts';

const { description, schema: inputSchema, run } = weatherTool;
const tools = { get_weather: tool({ description, inputSchema, execute: run }) };

/** The process that `npm start` runs, from the build. */
describe.each(upstreamKinds)('the built server, %s upstream', (upstream) => {
  let server: ProxyServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await startProxyServer({ upstream, isProcess: true });
    client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.key, maxRetries: 0 });
  });
  afterAll(() => server.stop());

  test('openai’s client reads chats and responses, whole and as they come', async () => {
    const chat = client.chat.completions.stream({
      model,
      messages: [{ role: 'user', content: prompt }],
    });
    expect(await chat.finalContent()).toContain(promptQuoted);
    const whole = await client.responses.create({ model, input: prompt });
    const streamed = await client.responses.stream({ model, input: prompt }).finalResponse();
    expect(streamed.output_text).toBe(whole.output_text);
  });

  test.each(aiSdkProviders)('the AI SDK’s $provider runs the tool loop', async ({ toModel }) => {
    const stopWhen = isStepCount(3);
    const asked = { model: toModel(server, model), prompt: weatherPrompt, tools, stopWhen };
    expect((await generateText(asked)).text).toBe(weatherAnswer);
  });

  test('LangChain streams from both APIs', async () => {
    for (const useResponsesApi of [false, true]) {
      const langChain = new ChatOpenAI({
        ...{ model, apiKey: server.key, useResponsesApi },
        configuration: { baseURL: server.baseUrl },
      });
      const chunks = await collect(await langChain.stream(prompt));
      expect(chunks.map(({ text }) => text).join('')).toContain(promptQuoted);
    }
  });

  test('a key that is not in force is refused', async () => {
    const stranger = new OpenAI({ baseURL: server.baseUrl, apiKey: 'mq_wrong' });
    const refused = stranger.chat.completions.create({
      model,
      messages: [{ role: 'user', content: prompt }],
    });
    await expect(refused).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

test('what clients used is on record once the server has ended, and no log shows what they said', async () => {
  const server = await startProxyServer({ isProcess: true });
  const apiKey = await server.makeKey({ name: 'counted' });
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 });
  const whole = await client.responses.create({ model, input: prompt });
  const streamed = await client.responses.stream({ model, input: prompt }).finalResponse();
  const tokens = (whole.usage?.total_tokens ?? 0) + (streamed.usage?.total_tokens ?? 0);
  await server.end();
  const database = await openDatabase({ databaseUrl: null, dataDir: server.dataDir });
  const key = await database.keys.find('name', 'counted');
  const sums = await database.usage.sumByDayAndModel(key?.id ?? '', '2020-01-01');
  await database.close();
  expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
  expect(sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0)).toBe(tokens);
  for (const secret of [prompt, apiKey, upstreamKey])
    expect(server.logText()).not.toContain(secret);
  await server.stop();
});
