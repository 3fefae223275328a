import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { LanguageModel } from 'ai';

type TestDatabase = Readonly<{ baseUrl: string; key: string }>;

/** A model of the proxy, by each of the AI SDK's providers that speak its protocol. */
export type AiSdkModels = (place: TestDatabase, model: string) => LanguageModel;

export const aiSdkProviders: readonly Readonly<{ provider: string; toModel: AiSdkModels }>[] = [
  {
    provider: 'openai.responses()',
    toModel: (place, model) => createOpenAI(toSettings(place)).responses(model),
  },
  {
    provider: 'openai.chat()',
    toModel: (place, model) => createOpenAI(toSettings(place)).chat(model),
  },
  {
    provider: 'openai-compatible',
    toModel: (place, model) =>
      createOpenAICompatible({
        ...toSettings(place),
        name: 'marquee',
        includeUsage: true,
        supportsStructuredOutputs: true,
      }).chatModel(model),
  },
  {
    provider: 'openrouter',
    toModel: (place, model) =>
      createOpenRouter({ ...toSettings(place), compatibility: 'strict' }).chat(model),
  },
];

function toSettings({ baseUrl, key }: TestDatabase) {
  return { baseURL: baseUrl, apiKey: key };
}
