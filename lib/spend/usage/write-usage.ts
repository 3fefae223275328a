import { isJsonObject, type JsonObject, withoutNulls } from '#lib/http/json-value.ts';
import type { TokenUsage } from './token-usage.ts';

/** As clients of Responses read it. */
export function toResponsesUsage(usage: TokenUsage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.costUsd !== undefined && { cost: usage.costUsd }),
  };
}

/** As clients of Messages read it: what a cache had is no part of the input. */
export function toMessagesUsage(usage: TokenUsage): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens: cached, cacheWriteTokens = 0 } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cached - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cached,
    output_tokens: outputTokens,
    ...(usage.costUsd !== undefined && { cost: usage.costUsd }),
  };
}

/**
 * Chat usage as the upstream reported it, with the three counts that every client reads, and without `null`, which strict
 * clients take for no number (zed 63137).
 */
export function toChatUsage(usage: TokenUsage, reported: JsonObject): JsonObject {
  const { inputTokens, outputTokens } = usage;
  return {
    ...toStated(reported),
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** Without `null` among its fields, or in their details. */
function toStated(usage: JsonObject): JsonObject {
  const hasNull = (fields: JsonObject) => Object.values(fields).includes(null);
  const entries = Object.entries(usage);
  const isStated = entries.every(([, value]) =>
    isJsonObject(value) ? !hasNull(value) : value !== null,
  );
  if (isStated) return usage;
  const stated = entries.map(([name, value]) => [
    name,
    isJsonObject(value) ? withoutNulls(value) : value,
  ]);
  return withoutNulls(Object.fromEntries(stated));
}
