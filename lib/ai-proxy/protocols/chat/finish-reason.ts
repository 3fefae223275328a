export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

const documented: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  function_call: 'function_call',
};

/** Names that other vendors use. */
const alsoSeen: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_length: 'length',
  safety: 'content_filter',
  tool_use: 'tool_calls',
};

/**
 * A finish reason that clients know; null if the reply continues, `error` if the upstream reports a
 * failure. An unknown reason still means that the reply is complete.
 */
export function toFinishReason(value: unknown): FinishReason | 'error' | null {
  if (typeof value !== 'string' || value === '') return null;
  if (Object.hasOwn(documented, value)) return documented[value] ?? null;
  const word = value.toLowerCase();
  if (word === 'error') return 'error';
  return (Object.hasOwn(alsoSeen, word) ? alsoSeen[word] : undefined) ?? 'stop';
}
