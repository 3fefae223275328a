import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { noCalls, type TokenUsage, type ToolCalls, toConsistent } from './token-usage.ts';

/** Usage as each protocol writes it: read from upstreams, and written for clients. */

/** Names under which services report tokens that a cache had: in the usage, or in the details of its prompt. */
const cacheReadNames = [
  // OpenAI; Kimi, Together AI.
  'cached_tokens',
  // Anthropic, and gateways to it.
  'cache_read_input_tokens',
  // DeepSeek.
  'prompt_cache_hit_tokens',
  // Mistral.
  'num_cached_tokens',
] as const;

/** The same of tokens that went into a cache. */
const cacheWriteNames = [
  // OpenAI, OpenRouter.
  'cache_write_tokens',
  // Anthropic, Qwen.
  'cache_creation_input_tokens',
  // LiteLLM.
  'cache_creation_tokens',
  // Envoy AI Gateway.
  'cached_write_tokens',
] as const;

/** What services say that a reply cost: where it stands, and how many of its unit are a US dollar. */
const costFields = [
  // OpenRouter.
  { read: ({ cost }: JsonObject) => cost, perUsd: 1 },
  // Perplexity.
  { read: ({ cost }: JsonObject) => toJsonObject(cost).total_cost, perUsd: 1 },
  // xAI.
  { read: ({ cost_in_usd_ticks }: JsonObject) => cost_in_usd_ticks, perUsd: 1e10 },
] as const;

/** Where services count how often they have used each of their tools. */
const toolCallFields = [
  // Anthropic, OpenRouter: `web_search_requests`.
  'server_tool_use',
  // xAI: `web_search_calls`.
  'server_side_tool_usage_details',
  // Qwen: `web_search.count`.
  'x_tools',
] as const;

/** The usage in a chat reply, or in a chunk of one. Kimi streams it in the last chunk of each choice. */
export function findChatUsage({ usage, choices }: JsonObject): JsonObject | null {
  if (isJsonObject(usage)) return usage;
  for (const choice of toJsonArray(choices)) {
    const { usage: ofChoice } = toJsonObject(choice);
    if (isJsonObject(ofChoice)) return ofChoice;
  }
  return null;
}

/** The usage in a chat reply or a chunk of one, of which any part may be missing; null if it reports nothing. */
export function readChatUsage(reply: JsonObject): TokenUsage | null {
  const usage = findChatUsage(reply);
  if (usage === null) return null;
  return toUsage(usage, {
    input: toCount(usage.prompt_tokens),
    output: toCount(usage.completion_tokens),
    total: toCount(usage.total_tokens),
    // Mistral has both.
    inputDetails: toJsonObject(usage.prompt_tokens_details ?? usage.prompt_token_details),
    outputDetails: toJsonObject(usage.completion_tokens_details),
    serviceTier: reply.service_tier,
  });
}

/** The usage of embeddings, which have no output: Voyage reports a total alone. Null if it reports nothing. */
export function readEmbeddingsUsage({ usage }: JsonObject): TokenUsage | null {
  if (!isJsonObject(usage)) return null;
  const [prompt, total] = [toCount(usage.prompt_tokens), toCount(usage.total_tokens)];
  return toUsage(usage, {
    input: Math.min(prompt || total, total || prompt),
    output: 0,
    total: 0,
    inputDetails: toJsonObject(usage.prompt_tokens_details),
    outputDetails: {},
  });
}

/** The usage in a response of Responses; null if it reports nothing. */
export function readResponsesUsage(response: JsonObject): TokenUsage | null {
  const { usage, service_tier, tool_usage } = response;
  if (!isJsonObject(usage)) return null;
  return toUsage(usage, {
    toolUsage: tool_usage,
    input: toCount(usage.input_tokens),
    output: toCount(usage.output_tokens),
    total: toCount(usage.total_tokens),
    inputDetails: toJsonObject(usage.input_tokens_details),
    outputDetails: toJsonObject(usage.output_tokens_details),
    serviceTier: service_tier,
  });
}

/**
 * The usage in a message of Messages, whose `input_tokens` are only those that neither came from the prompt cache
 * nor went into it; null if it reports nothing.
 */
export function readMessagesUsage({ usage }: JsonObject): TokenUsage | null {
  if (!isJsonObject(usage)) return null;
  return toUsage(usage, {
    input:
      toCount(usage.input_tokens) + toCount(usage.cache_read_input_tokens) + toCacheWrite(usage),
    output: toCount(usage.output_tokens),
    total: toCount(usage.total_tokens),
    inputDetails: {},
    outputDetails: toJsonObject(usage.output_tokens_details),
  });
}

type Counts = Readonly<{
  input: number;
  output: number;
  /** As the service names it; 0: it names none. */
  total: number;
  inputDetails: JsonObject;
  outputDetails: JsonObject;
  serviceTier?: unknown;
  /** OpenAI counts tools beside the usage: `web_search.num_requests`. */
  toolUsage?: unknown;
}>;

function toUsage(reported: JsonObject, counts: Counts): TokenUsage | null {
  const { inputDetails, outputDetails } = counts;
  const { reasoning_tokens, thinking_tokens } = outputDetails;
  const cached = toLargest(cacheReadNames, reported, inputDetails);
  const written = Math.max(
    toLargest(cacheWriteNames, reported, inputDetails),
    toCacheWrite(reported),
  );
  const parts = {
    cache: cached + written,
    reasoning: toCount(reasoning_tokens ?? thinking_tokens),
  };
  const { input, output, reasoning, disputed } = toSums(counts, parts);
  const { costUsd, isDisputed } = readCost(reported);
  if (input + output === 0 && !costUsd) return null;
  const isContradictory = disputed !== null || isDisputed || hasImpossibleCount(reported);
  return toConsistent({
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    cacheWriteHourTokens: toCount(toJsonObject(reported.cache_creation).ephemeral_1h_input_tokens),
    toolCalls: readToolCalls(reported, counts.toolUsage),
    audioTokens: toCount(inputDetails.audio_tokens),
    cachedAudioTokens: toCount(toJsonObject(inputDetails.cached_tokens_details).audio_tokens),
    imageTokens: toCount(inputDetails.image_tokens),
    audioOutputTokens: toCount(outputDetails.audio_tokens),
    imageOutputTokens: toCount(outputDetails.image_tokens),
    reasoningTokens: reasoning,
    disputedTokens: isContradictory ? Math.max(disputed ?? 0, input + output) : undefined,
    costUsd,
    serviceTier: toText(counts.serviceTier) || toText(reported.service_tier) || undefined,
  });
}

const toolsMax = 50;

/** Of one tool that is counted in several places, the highest count. */
function readToolCalls(reported: JsonObject, toolUsage: unknown): ToolCalls {
  const reports = toolCallFields
    .filter((field) => field in reported)
    .map((field) => reported[field]);
  if (toolUsage !== undefined) reports.push(toolUsage);
  // Perplexity.
  const { num_search_queries: searches } = reported;
  if (searches !== undefined) reports.push({ web_search: searches });
  if (reports.length === 0) return noCalls;
  const calls = new Map<string, number>();
  const counts = reports.flatMap((report) => Object.entries(toJsonObject(report)));
  for (const [field, value] of counts.slice(0, toolsMax)) {
    const { count, num_requests } = toJsonObject(value);
    const number = toNumber(isJsonObject(value) ? (count ?? num_requests) : value);
    if (number === undefined) continue;
    const name = field.replace(/_(?:requests|calls)$/, '');
    calls.set(name, Math.max(toCount(number), calls.get(name) ?? 0));
  }
  return calls;
}

type Sums = Readonly<{
  input: number;
  output: number;
  reasoning: number;
  /** Of the reading that does not count, where there are two; null: there is one. */
  disputed: number | null;
}>;

/**
 * What is part of what. Some count reasoning only in the total, others what a cache had. Where a report contradicts
 * itself, the smaller reading counts, and never more than the total that it names.
 */
function toSums(
  { input, output, total }: Counts,
  { cache, reasoning }: Readonly<{ cache: number; reasoning: number }>,
): Sums {
  const sum = input + output;
  if (total === 0) {
    const most = Math.max(output, reasoning);
    const isDisputed = cache > input || reasoning > output;
    return {
      input,
      output: most,
      reasoning,
      disputed: isDisputed ? sum + cache + reasoning : null,
    };
  }
  const hidden = total - sum;
  if (hidden < 0) {
    // What the cache had was added to a prompt that has it already; or else the reply is smaller, which costs the least.
    const isTwice = cache > 0 && -hidden === cache;
    const most = isTwice ? input - cache : input;
    const left = most <= total ? most : Math.max(0, total - output);
    return { input: left, output: total - left, reasoning, disputed: sum };
  }
  // Bedrock’s total has what the cache had, beside the prompt (Portkey 1211).
  if (cache > 0 && hidden === cache && hidden !== reasoning) {
    return { input: input + hidden, output, reasoning, disputed: null };
  }
  const most = output + hidden;
  const isDisputed = cache > input || reasoning > most;
  const disputed = isDisputed ? sum + cache + reasoning : null;
  return { input, output: most, reasoning: Math.max(reasoning, hidden), disputed };
}

const sumNames = [
  'prompt_tokens',
  'completion_tokens',
  'input_tokens',
  'output_tokens',
  'total_tokens',
] as const;

/** Negative, or more than any request has. */
function hasImpossibleCount(reported: JsonObject): boolean {
  return sumNames.some((name) => {
    const count = Number(reported[name] ?? 0);
    return count < 0 || count > countMax;
  });
}

/** Of one count that a report has under several names. */
function toLargest(names: readonly string[], ...reports: readonly JsonObject[]): number {
  let largest = 0;
  for (const report of reports) {
    for (const name of names) {
      if (name in report) largest = Math.max(largest, toCount(report[name]));
    }
  }
  return largest;
}

function toCacheWrite({ cache_creation_input_tokens, cache_creation }: JsonObject): number {
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = toJsonObject(cache_creation);
  const parts = toCount(ephemeral_5m_input_tokens) + toCount(ephemeral_1h_input_tokens);
  return Math.max(toCount(cache_creation_input_tokens), parts);
}

/**
 * With an own account behind OpenRouter (`is_byok`), `cost` is only its fee; otherwise it includes everything. Of two
 * costs the smaller counts.
 */
function readCost(reported: JsonObject): Readonly<{ costUsd?: number; isDisputed: boolean }> {
  const costs = costFields.flatMap(({ read, perUsd }) => {
    const cost = toNumber(read(reported));
    return cost === undefined ? [] : [cost / perUsd];
  });
  const inference = toNumber(toJsonObject(reported.cost_details).upstream_inference_cost);
  if (costs.length === 0)
    return { ...(inference !== undefined && { costUsd: inference }), isDisputed: false };
  const [cost, highest] = [Math.min(...costs), Math.max(...costs)];
  const isFeeOnly = inference !== undefined && reported.is_byok !== false;
  return { costUsd: isFeeOnly ? cost + inference : cost, isDisputed: highest > cost * (1 + 1e-6) };
}

/** More than any request can have: some upstreams send the largest number that they know. */
const countMax = 1e9;

function toCount(value: unknown): number {
  const count = Math.ceil(toNumber(value) ?? 0);
  return count <= countMax ? count : 0;
}

/** Some upstreams send numbers as text. */
function toNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = isText ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
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
  return {
    input_tokens: Math.max(0, inputTokens - cached - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cached,
    output_tokens: outputTokens,
    ...(usage.costUsd !== undefined && { cost: usage.costUsd }),
  };
}

/** Chat usage as the upstream reported it, with the three counts that every client reads. */
export function toChatUsage(usage: TokenUsage, reported: JsonObject): JsonObject {
  const { inputTokens, outputTokens } = usage;
  return {
    ...reported,
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
