import type { JsonObject } from '#lib/http/json-value.ts';

export type ChatToolCall = Readonly<{
  id: string;
  type: 'function';
  function: Readonly<{ name: string; arguments: string }>;
}>;

export type ChatContent = string | readonly JsonObject[] | null;

/** An assistant message that may still grow: other protocols have its text and its calls in items of their own. */
export type AssistantMessage = {
  role: 'assistant';
  content: ChatContent;
  tool_calls?: ChatToolCall[];
  [reasoning: string]: unknown;
};

/** A message of a Chat Completions request. */
export type ChatMessage =
  | AssistantMessage
  | Readonly<{ role: 'system' | 'developer' | 'user'; content: ChatContent }>
  | Readonly<{ role: 'tool'; tool_call_id: string; content: ChatContent }>;

/** Content parts as a plain string where possible: many servers accept nothing else for some roles. */
export function toPlainContent(parts: readonly JsonObject[]): Exclude<ChatContent, null> {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  const isPlain = others.length === 0 && typeof only.text === 'string' && !only.cache_control;
  return isPlain ? String(only.text) : parts;
}
