import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';

/** The usage of a request, independent of the upstream's format. */
export type TokenUsage = Readonly<{
  inputTokens: number;
  outputTokens: number;
  /** Part of the input. */
  cachedInputTokens: number;
  /** Part of the input; only some upstreams report it. */
  cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: those cached for an hour, which cost more. */
  cacheWriteHourTokens?: number;
  /** Searches of the web that the upstream made. */
  webSearches?: number;
  /** What the upstream says it cost, in US dollars. */
  costUsd?: number;
  /** Part of the output. */
  reasoningTokens: number;
  /** Whether the upstream counted it, or it was estimated. */
  isEstimated: boolean;
}>;

/** Usage in the format of Chat Completions; null if it has no counts. */
export function readChatUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  return toUsage({
    input: value.prompt_tokens,
    output: value.completion_tokens,
    total: value.total_tokens,
    cached: toJsonObject(value.prompt_tokens_details).cached_tokens,
    cacheWrite: toJsonObject(value.prompt_tokens_details).cache_write_tokens,
    cost: value.cost,
    reasoning: toJsonObject(value.completion_tokens_details).reasoning_tokens,
  });
}

/** Usage in the format of Responses; null if it has no counts. */
export function readResponsesUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  return toUsage({
    input: value.input_tokens,
    output: value.output_tokens,
    total: value.total_tokens,
    cached: toJsonObject(value.input_tokens_details).cached_tokens,
    reasoning: toJsonObject(value.output_tokens_details).reasoning_tokens,
    cost: value.cost,
  });
}

/**
 * Usage in the format of Messages, whose `input_tokens` are only those that neither came from the prompt cache
 * nor went into it; null if it has no counts.
 */
export function readMessagesUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value) || !isCount(value.input_tokens)) return null;
  const cached = toCount(value.cache_read_input_tokens);
  const cacheWrite = toCount(value.cache_creation_input_tokens);
  return toUsage({
    input: value.input_tokens + cached + cacheWrite,
    output: value.output_tokens,
    reasoning: toJsonObject(value.output_tokens_details).thinking_tokens,
    cost: value.cost,
    ...{ cached, cacheWrite },
  });
}

type Counts = Readonly<
  Partial<
    Record<'input' | 'output' | 'total' | 'cached' | 'cacheWrite' | 'reasoning' | 'cost', unknown>
  >
>;

function toUsage({
  input,
  output,
  total,
  cached,
  cacheWrite,
  reasoning,
  cost,
}: Counts): TokenUsage | null {
  if (!isCount(input)) return null;
  // A response without text may lack the output count.
  const outputTokens = isCount(output) ? output : isCount(total) ? total - input : 0;
  return {
    inputTokens: input,
    outputTokens: Math.max(0, outputTokens),
    cachedInputTokens: toCount(cached),
    ...(isCount(cacheWrite) && cacheWrite > 0 && { cacheWriteTokens: cacheWrite }),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
    reasoningTokens: toCount(reasoning),
    isEstimated: false,
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function toCount(value: unknown): number {
  return isCount(value) ? value : 0;
}

/** If the upstream reported none. */
export function toEstimatedUsage(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: true };
}

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

export function toMessagesUsage(usage: TokenUsage): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens: cached, cacheWriteTokens = 0 } = usage;
  const { costUsd } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cached - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cached,
    output_tokens: outputTokens,
    ...(costUsd !== undefined && { cost: costUsd }),
  };
}

/** Chat usage as the upstream reported it, with the three counts that every client reads. */
export function toChatUsage(usage: TokenUsage, given: JsonObject): JsonObject {
  const total = usage.inputTokens + usage.outputTokens;
  return {
    ...given,
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    // Some upstreams include reasoning only in the total.
    total_tokens: isCount(given.total_tokens) ? given.total_tokens : total,
  };
}
