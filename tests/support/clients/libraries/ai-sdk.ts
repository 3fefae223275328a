import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from 'ai';
import {
  model as demoModel,
  imagePrompt,
  imageUrl,
  nextPrompt,
  prompt,
  thinkPrompt,
  tripPrompt,
  tripSchema,
  weatherPrompt,
  weatherTool,
} from '../client-fixtures.ts';
import { collect } from '../collect.ts';
import { type Access, type Library, watchWeather } from './library.ts';

type Provider = Readonly<{
  provider: string;
  documented: string;
  toModel: (settings: { baseURL: string; apiKey: string }, model: string) => LanguageModel;
}>;

/** The AI SDK's providers that support the proxy's protocols. */
const providers: readonly Provider[] = [
  {
    provider: 'openai.responses()',
    documented: 'OpenAI provider',
    toModel: (settings, model) => createOpenAI(settings).responses(model),
  },
  {
    provider: 'openai.chat()',
    documented: 'OpenAI provider',
    toModel: (settings, model) => createOpenAI(settings).chat(model),
  },
  {
    provider: 'openai-compatible',
    documented: 'OpenAI-compatible provider',
    toModel: (settings, model) =>
      createOpenAICompatible({
        ...settings,
        name: 'marquee',
        includeUsage: true,
        supportsStructuredOutputs: true,
      }).chatModel(model),
  },
  {
    provider: 'openrouter',
    documented: 'OpenRouter provider',
    toModel: (settings, model) =>
      createOpenRouter({ ...settings, compatibility: 'strict' }).chat(model),
  },
  {
    provider: 'anthropic',
    documented: 'Anthropic provider',
    toModel: (settings, model) => createAnthropic(settings)(model),
  },
];

/** Of providers that speak one protocol only. */
const apis: Readonly<Record<string, Library['api']>> = {
  'openai.responses()': 'responses',
  anthropic: 'messages',
};

/** How each provider is asked for reasoning. */
const thinkingOptions = {
  openai: { store: false, reasoningEffort: 'high', reasoningSummary: 'auto', forceReasoning: true },
  marquee: { reasoningEffort: 'high' },
  openrouter: { reasoning: { effort: 'high' } },
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } },
};

export const aiSdkLibraries = providers.map(({ provider, documented, toModel }): Library => {
  const ask = ({ baseUrl, key, model: ofAccess = demoModel }: Access, model = ofAccess) => ({
    model: toModel({ baseURL: baseUrl, apiKey: key }, model),
    maxRetries: 0,
    // Without it the Responses provider refers to earlier items, which this server does not store.
    providerOptions: { openai: { store: false } },
  });
  const onError = () => {};
  return {
    client: `the AI SDK’s ${provider}`,
    documented: `AI SDK, ${documented}`,
    api: apis[provider] ?? 'chat',
    async reply(access, model, maxOutputTokens) {
      const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
      const result = await generateText({ ...ask(access, model), ...limit, prompt });
      const { inputTokens = 0, outputTokens = 0 } = result.usage;
      return {
        text: result.text,
        isCut: result.finishReason === 'length',
        tokensIn: inputTokens,
        tokensOut: outputTokens,
      };
    },
    async *stream(access, model, abortSignal) {
      const request = {
        ...ask(access, model),
        prompt,
        onError,
        ...(abortSignal && { abortSignal }),
      };
      for await (const part of streamText(request).fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') yield part.text;
      }
    },
    async runTools(access, isStream, question = weatherPrompt) {
      const { cities, run } = watchWeather();
      const { description, schema: inputSchema } = weatherTool;
      const request = {
        ...ask(access),
        prompt: question,
        tools: { get_weather: tool({ description, inputSchema, execute: run }) },
        stopWhen: isStepCount(3),
      };
      const text = await (isStream ? streamText(request).text : (await generateText(request)).text);
      return { cities, text };
    },
    async planTrip(access, isStream) {
      const output = Output.object({ schema: tripSchema });
      const request = { ...ask(access), prompt: tripPrompt, output };
      if (!isStream) return (await generateText(request)).output;
      return (await collect(streamText(request).partialOutputStream)).at(-1);
    },
    async converse(access, isStream) {
      const turn: ModelMessage[] = [{ role: 'user', content: prompt }];
      const first = await generateText({ ...ask(access), messages: turn });
      const next: ModelMessage = { role: 'user', content: nextPrompt };
      const messages = [...turn, ...first.response.messages, next];
      const request = { ...ask(access), messages };
      return isStream ? streamText(request).text : (await generateText(request)).text;
    },
    async look(access) {
      const content = [
        { type: 'text' as const, text: imagePrompt },
        { type: 'file' as const, data: new URL(imageUrl), mediaType: 'image/png' },
      ];
      const messages: ModelMessage[] = [{ role: 'user', content }];
      return (await generateText({ ...ask(access), messages })).text;
    },
    async think(access) {
      const request = { ...ask(access), prompt: thinkPrompt, providerOptions: thinkingOptions };
      const { reasoningText, text } = streamText(request);
      return { thinking: (await reasoningText) ?? null, text: await text };
    },
  };
});
