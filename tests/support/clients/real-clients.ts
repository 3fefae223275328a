import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { aiSdkProviders } from './ai-sdk-models.ts';
import { prompt } from './client-fixtures.ts';

type ProxyAccess = Readonly<{ baseUrl: string; key: string }>;

/** A client library, without retries. */
export type RealClient = Readonly<{
  client: string;
  api: 'chat' | 'responses';
  ask: (access: ProxyAccess, model: string) => Promise<string>;
  /** Yields the text as it streams in; throws if the client reports an error. */
  stream: (access: ProxyAccess, model: string) => AsyncGenerator<string>;
}>;

setTracingDisabled(true);

function openAi({ baseUrl, key }: ProxyAccess): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });
}

const openAiClients: readonly RealClient[] = [
  {
    client: 'openai’s chat',
    api: 'chat',
    async ask(access, model) {
      const { choices } = await openAi(access).chat.completions.create({
        model,
        messages: [{ role: 'user', content: prompt }],
      });
      return choices[0]?.message.content ?? '';
    },
    async *stream(access, model) {
      const stream = await openAi(access).chat.completions.create({
        model,
        stream: true,
        messages: [{ role: 'user', content: prompt }],
      });
      for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
    },
  },
  {
    client: 'openai’s responses',
    api: 'responses',
    async ask(access, model) {
      return (await openAi(access).responses.create({ model, input: prompt })).output_text;
    },
    async *stream(access, model) {
      const stream = openAi(access).responses.stream({ model, input: prompt });
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') yield event.delta;
      }
    },
  },
];

const aiSdkClients = aiSdkProviders.map(
  ({ provider, toModel }): RealClient => ({
    client: `the AI SDK’s ${provider}`,
    api: provider === 'openai.responses()' ? 'responses' : 'chat',
    async ask(access, model) {
      const options = { model: toModel(access, model), prompt, maxRetries: 0 };
      return (await generateText(options)).text;
    },
    async *stream(access, model) {
      const onError = () => {};
      const options = { model: toModel(access, model), prompt, maxRetries: 0, onError };
      for await (const part of streamText(options).fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') yield part.text;
      }
    },
  }),
);

const langChainClients = (['chat', 'responses'] as const).map((api): RealClient => {
  const open = ({ baseUrl, key }: ProxyAccess, model: string) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      maxRetries: 0,
      useResponsesApi: api === 'responses',
      configuration: { baseURL: baseUrl },
    });
  return {
    client: `LangChain’s ${api}`,
    api,
    ask: async (access, model) => (await open(access, model).invoke(prompt)).text,
    async *stream(access, model) {
      for await (const { text } of await open(access, model).stream(prompt)) yield text;
    },
  };
});

const agentClients = (['chat', 'responses'] as const).map((api): RealClient => {
  function open(access: ProxyAccess): Runner {
    const useResponses = api === 'responses';
    const modelProvider = new OpenAIProvider({ openAIClient: openAi(access), useResponses });
    return new Runner({ modelProvider, tracingDisabled: true });
  }
  const toAgent = (model: string) => new Agent({ name: 'Talker', model });
  return {
    client: `OpenAI’s agents by ${api}`,
    api,
    async ask(access, model) {
      return (await open(access).run(toAgent(model), prompt)).finalOutput ?? '';
    },
    async *stream(access, model) {
      const result = await open(access).run(toAgent(model), prompt, { stream: true });
      yield* result.toTextStream();
      await result.completed;
    },
  };
});

export const realClients: readonly RealClient[] = [
  ...openAiClients,
  ...aiSdkClients,
  ...langChainClients,
  ...agentClients,
];
