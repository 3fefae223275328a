import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiSdkProviders } from '../../support/ai-sdk-models.ts';
import { prompt } from '../../support/client-fixtures.ts';
import { collect } from '../../support/collect.ts';
import { type ProxyServer, startProxyServer, upstreamKinds } from '../../support/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstream-secrets.ts';

type Place = Readonly<{ baseUrl: string; key: string }>;
type Asker = Readonly<{
  client: string;
  ask: (place: Place, model: string) => Promise<unknown>;
  /** Reads a stream until it throws. */
  stream: (place: Place, model: string) => Promise<unknown>;
}>;

function openAi({ baseUrl, key }: Place): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });
}

const openAiClients: readonly Asker[] = [
  {
    client: 'openai’s chat',
    ask: (place, model) =>
      openAi(place).chat.completions.create({
        ...{ model, messages: [{ role: 'user', content: prompt }] },
      }),
    stream: async (place, model) =>
      collect(
        await openAi(place).chat.completions.create({
          ...{ model, stream: true, messages: [{ role: 'user', content: prompt }] },
        }),
      ),
  },
  {
    client: 'openai’s responses',
    ask: (place, model) => openAi(place).responses.create({ model, input: prompt }),
    stream: async (place, model) =>
      collect(await openAi(place).responses.create({ model, input: prompt, stream: true })),
  },
];

const aiSdkClients = aiSdkProviders.map(
  ({ provider, toModel }): Asker => ({
    client: `the AI SDK’s ${provider}`,
    ask: (place, model) => generateText({ model: toModel(place, model), prompt, maxRetries: 0 }),
    async stream(place, model) {
      const onError = () => {};
      const asked = { model: toModel(place, model), prompt, maxRetries: 0, onError };
      for await (const part of streamText(asked).fullStream) {
        if (part.type === 'error') throw part.error;
      }
    },
  }),
);

const langChainClients = [true, false].map((useResponsesApi): Asker => {
  const open = ({ baseUrl, key }: Place, model: string) =>
    new ChatOpenAI({
      ...{ model, apiKey: key, maxRetries: 0, useResponsesApi },
      configuration: { baseURL: baseUrl },
    });
  return {
    client: `LangChain${useResponsesApi ? ' on Responses' : ''}`,
    ask: (place, model) => open(place, model).invoke(prompt),
    stream: async (place, model) => collect(await open(place, model).stream(prompt)),
  };
});

const agentClients = [true, false].map((useResponses): Asker => {
  const open = (place: Place) =>
    new Runner({
      modelProvider: new OpenAIProvider({ openAIClient: openAi(place), useResponses }),
      tracingDisabled: true,
    });
  const toAgent = (model: string) => new Agent({ name: 'Talker', model });
  return {
    client: `OpenAI’s agents${useResponses ? ' on Responses' : ''}`,
    ask: (place, model) => open(place).run(toAgent(model), prompt),
    async stream(place, model) {
      const result = await open(place).run(toAgent(model), prompt, { stream: true });
      return collect(result);
    },
  };
});

const clients = [...openAiClients, ...aiSdkClients, ...langChainClients, ...agentClients];

setTracingDisabled(true);

describe.each(upstreamKinds)('time-outs, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ upstream, environment: { PROXY_TIMEOUT_SECONDS: '1' } });
  });
  afterAll(() => server.stop());

  // A model of its own for each, so that none is left alone because others have failed.
  test.concurrent.each(clients.map((one, number) => ({ ...one, number })))(
    '$client reports an upstream that says nothing in time, and one that stops half-way',
    async ({ ask, stream, number }) => {
      const [silent, stopped] = await Promise.allSettled([
        ask(server, `fault/hang:${number}`),
        stream(server, `fault/hang-mid-stream:${number}`),
      ]);
      expect(silent).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(/did not answer in time/) },
      });
      expect(silent).toSatisfy(
        ({ reason }) => reason.status === 504 || reason.statusCode === 504,
        'a 504',
      );
      expect(stopped.status).toBe('rejected');
      expectNoUpstreamSecrets([silent, stopped]);
    },
  );
});
