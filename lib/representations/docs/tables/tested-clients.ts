/** The APIs that clients call. */
export type ClientApi = 'chat' | 'responses' | 'messages';

export type TestedClient = Readonly<{ client: string; apis: readonly ClientApi[] }>;

/** The documentation shows this table, and a test runs each client with each of its APIs. */
export const testedClients: readonly TestedClient[] = [
  { client: 'OpenAI SDK', apis: ['chat', 'responses'] },
  { client: 'OpenAI Agents SDK', apis: ['chat', 'responses'] },
  { client: 'LangChain', apis: ['chat', 'responses'] },
  { client: 'AI SDK, OpenAI provider', apis: ['chat', 'responses'] },
  { client: 'AI SDK, OpenAI-compatible provider', apis: ['chat'] },
  { client: 'AI SDK, OpenRouter provider', apis: ['chat'] },
  { client: 'OpenRouter SDK', apis: ['chat', 'responses'] },
  { client: 'Anthropic SDK', apis: ['messages'] },
  { client: 'Codex CLI', apis: ['responses'] },
  { client: 'Claude Code', apis: ['messages'] },
  { client: 'opencode', apis: ['chat', 'responses'] },
];
