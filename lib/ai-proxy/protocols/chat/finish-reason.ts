import type { JsonObject } from '#lib/http/json-value.ts';

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
 * Why a choice is finished, in a word that clients know; null if it continues, `error` if the upstream reports
 * a failure. An unknown reason still means that the reply is complete.
 */
export function readFinishReason({
  finish_reason,
  error,
}: JsonObject): FinishReason | 'error' | null {
  return (error ?? null) === null ? toFinishReason(finish_reason) : 'error';
}

function toFinishReason(value: unknown): FinishReason | 'error' | null {
  if (typeof value !== 'string' || value === '') return null;
  if (Object.hasOwn(documented, value)) return documented[value] ?? null;
  const word = value.toLowerCase();
  if (word === 'error') return 'error';
  return (Object.hasOwn(alsoSeen, word) ? alsoSeen[word] : undefined) ?? 'stop';
}
