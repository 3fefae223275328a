import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { LanguageModel } from 'ai';

type ProxyAccess = Readonly<{ baseUrl: string; key: string }>;

/** The AI SDK's providers that support the proxy's protocols. */
export type AiSdkModels = (access: ProxyAccess, model: string) => LanguageModel;

export const aiSdkProviders: readonly Readonly<{ provider: string; toModel: AiSdkModels }>[] = [
  {
    provider: 'openai.responses()',
    toModel: (access, model) => createOpenAI(toSettings(access)).responses(model),
  },
  {
    provider: 'openai.chat()',
    toModel: (access, model) => createOpenAI(toSettings(access)).chat(model),
  },
  {
    provider: 'openai-compatible',
    toModel: (access, model) =>
      createOpenAICompatible({
        ...toSettings(access),
        name: 'marquee',
        includeUsage: true,
        supportsStructuredOutputs: true,
      }).chatModel(model),
  },
  {
    provider: 'openrouter',
    toModel: (access, model) =>
      createOpenRouter({ ...toSettings(access), compatibility: 'strict' }).chat(model),
  },
];

function toSettings({ baseUrl, key }: ProxyAccess) {
  return { baseURL: baseUrl, apiKey: key };
}
