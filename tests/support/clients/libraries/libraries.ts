import { aiSdkLibraries } from './ai-sdk.ts';
import { anthropicLibrary } from './anthropic.ts';
import { langChainLibraries } from './langchain.ts';
import type { Library } from './library.ts';
import { openAiChat, openAiResponses } from './openai.ts';
import { agentLibraries } from './openai-agents.ts';

/** Those that speak OpenAI's protocols. */
export const openAiLibraries: readonly Library[] = [
  openAiChat,
  openAiResponses,
  ...aiSdkLibraries.filter(({ api }) => api !== 'messages'),
  ...langChainLibraries,
  ...agentLibraries,
];

export const libraries: readonly Library[] = [
  ...openAiLibraries,
  anthropicLibrary,
  ...aiSdkLibraries.filter(({ api }) => api === 'messages'),
];
