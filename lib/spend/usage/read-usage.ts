import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { noCalls, type TokenUsage, type ToolCalls, toConsistent, toSums } from './token-usage.ts';

/**
 * Names under which services report tokens that a cache had, in the usage or in the details of its prompt: `cached_tokens`
 * (OpenAI), `cache_read_input_tokens` (Anthropic), `prompt_cache_hit_tokens` (DeepSeek), `num_cached_tokens` (Mistral).
 */
const cacheReadNames = /(?<!non)(?:^|_)(?:cached|cached?_(?:read|hit))(?:_input)?_tokens$/;

/** The same of tokens that went into a cache: `cache_write_tokens` (OpenAI), `cache_creation_input_tokens` (Anthropic). */
const cacheWriteNames = /(?:^|_)cached?_(?:write|creation)(?:_input)?_tokens$/;

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

/** The usage in a chat reply, or in a chunk of one. Kimi streams it in the last chunk of each choice, Groq beside them. */
export function findChatUsage({ usage, choices, x_groq }: JsonObject): JsonObject | null {
  if (isJsonObject(usage)) return usage;
  const { usage: ofGroq } = toJsonObject(x_groq);
  if (isJsonObject(ofGroq)) return ofGroq;
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
    ...readCounts(usage, ['prompt', 'completion']),
    serviceTier: reply.service_tier,
  });
}

type Names = readonly ['prompt', 'completion'] | readonly ['input', 'output'];

/** By the names of a protocol; a server of chat may write those of Responses, or the other way round. */
function readCounts(usage: JsonObject, own: Names): Counts {
  const others: Names = own[0] === 'input' ? ['prompt', 'completion'] : ['input', 'output'];
  const hasOwn = own.some((name) => toCount(usage[`${name}_tokens`]) > 0);
  const [input, output] = hasOwn ? own : others;
  return {
    input: toCount(usage[`${input}_tokens`]),
    output: toCount(usage[`${output}_tokens`]),
    total: toCount(usage.total_tokens),
    // Mistral has both.
    inputDetails: toJsonObject(usage[`${input}_tokens_details`] ?? usage.prompt_token_details),
    outputDetails: toJsonObject(usage[`${output}_tokens_details`]),
  };
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
    ...readCounts(usage, ['input', 'output']),
    toolUsage: tool_usage,
    serviceTier: service_tier,
  });
}

/**
 * The usage in a message of Messages, whose `input_tokens` are only those that neither came from the prompt cache
 * nor went into it; null if it reports nothing.
 */
export function readMessagesUsage({ usage: reported }: JsonObject): TokenUsage | null {
  if (!isJsonObject(reported)) return null;
  const usage = withOtherCalls(reported);
  const counts = readCounts(usage, ['input', 'output']);
  const { input_tokens, output_tokens } = usage;
  // A server that has only the names of chat means by them what chat does.
  const isChat = toCount(input_tokens) + toCount(output_tokens) === 0 && counts.input > 0;
  if (isChat) return toUsage(usage, counts);
  const cached = toCount(usage.cache_read_input_tokens) + toCacheWrite(usage);
  return toUsage(usage, { ...counts, input: counts.input + cached, inputDetails: {} });
}

const messagesCounts = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
] as const;
/** Calls of models for one message that its own counts do not have. */
const otherCalls: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/** The sums of a message, and of the calls that summarized its conversation or advised its model. */
function withOtherCalls(usage: JsonObject): JsonObject {
  const calls = toJsonArray(usage.iterations)
    .map(toJsonObject)
    .filter(({ type }) => otherCalls.has(type));
  if (calls.length === 0) return usage;
  const sums = messagesCounts.map((name) => {
    const counts = [usage, ...calls].map((call) => toCount(call[name]));
    return [name, counts.reduce((sum, count) => sum + count, 0)];
  });
  return { ...usage, ...Object.fromEntries(sums) };
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
  const { input, output, reasoning, disputed } = toSums({
    ...counts,
    cache: cached + written,
    reasoning: toCount(reasoning_tokens ?? thinking_tokens),
  });
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
    speed: toText(reported.speed) || undefined,
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
function toLargest(names: RegExp, ...reports: readonly JsonObject[]): number {
  let largest = 0;
  for (const report of reports) {
    for (const name in report) {
      if (names.test(name)) largest = Math.max(largest, toCount(report[name]));
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
 * With an own account behind OpenRouter (`is_byok`), `cost` is only its fee; otherwise it includes everything, and so it
 * does where nothing says that, and it is not less. Of two costs the smaller counts.
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
  const { is_byok: isOwn = inference !== undefined && cost < inference } = reported;
  const costUsd = isOwn === true ? cost + (inference ?? 0) : cost;
  return { costUsd, isDisputed: highest > cost * (1 + 1e-6) };
}

/** More than any request can have: some upstreams send the largest number that they know. */
const countMax = 1e9;

function toCount(value: unknown): number {
  // Most are not reported.
  if (value === undefined) return 0;
  const count = Math.ceil(toNumber(value) ?? 0);
  return count <= countMax ? count : 0;
}

/** Some upstreams send numbers as text. */
function toNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = isText ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
