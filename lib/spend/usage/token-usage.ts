import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import type { MediaCount } from './estimate-tokens.ts';

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
  /** Part of the input: sound, what of it came from the cache, and pictures. */
  audioTokens?: number;
  cachedAudioTokens?: number;
  imageTokens?: number;
  /** Part of the output: sound and pictures. */
  audioOutputTokens?: number;
  imageOutputTokens?: number;
  /** Searches of the web that the upstream made. */
  webSearches?: number;
  /** What the upstream says it cost, in US dollars. */
  costUsd?: number;
  /** Part of the output. */
  reasoningTokens: number;
  /** Whether an estimate is part of the counts, or the upstream reported all of them. */
  isEstimated: boolean;
}>;

/** Usage in the format of Chat Completions, of which any part may be missing; null if it reports nothing. */
export function readChatUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  return toUsage(value, {
    input: toCount(value.prompt_tokens),
    output: toCount(value.completion_tokens),
    inputDetails: toJsonObject(value.prompt_tokens_details),
    outputDetails: toJsonObject(value.completion_tokens_details),
  });
}

/** Usage in the format of Responses; null if it reports nothing. */
export function readResponsesUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  return toUsage(value, {
    input: toCount(value.input_tokens),
    output: toCount(value.output_tokens),
    inputDetails: toJsonObject(value.input_tokens_details),
    outputDetails: toJsonObject(value.output_tokens_details),
  });
}

/**
 * Usage in the format of Messages, whose `input_tokens` are only those that neither came from the prompt cache
 * nor went into it; null if it reports nothing.
 */
export function readMessagesUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  return toUsage(value, {
    input: toCount(value.input_tokens) + toCacheRead(value) + toCacheWrite(value),
    output: toCount(value.output_tokens),
    inputDetails: {},
    outputDetails: toJsonObject(value.output_tokens_details),
  });
}

type Counts = Readonly<{
  input: number;
  output: number;
  inputDetails: JsonObject;
  outputDetails: JsonObject;
}>;

function toUsage(reported: JsonObject, counts: Counts): TokenUsage | null {
  const { input, inputDetails, outputDetails } = counts;
  const { reasoning_tokens, thinking_tokens } = outputDetails;
  const reasoning = toCount(reasoning_tokens ?? thinking_tokens);
  // Some upstreams count reasoning only in the total.
  const hidden = Math.max(0, toCount(reported.total_tokens) - input - counts.output);
  const output = Math.max(counts.output + hidden, reasoning);
  const costUsd = readCost(reported);
  if (input + output === 0 && !costUsd) return null;
  return toConsistent({
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: Math.max(toCount(inputDetails.cached_tokens), toCacheRead(reported)),
    cacheWriteTokens: Math.max(toCount(inputDetails.cache_write_tokens), toCacheWrite(reported)),
    cacheWriteHourTokens: toCount(toJsonObject(reported.cache_creation).ephemeral_1h_input_tokens),
    webSearches: toCount(toJsonObject(reported.server_tool_use).web_search_requests),
    audioTokens: toCount(inputDetails.audio_tokens),
    cachedAudioTokens: toCount(toJsonObject(inputDetails.cached_tokens_details).audio_tokens),
    imageTokens: toCount(inputDetails.image_tokens),
    audioOutputTokens: toCount(outputDetails.audio_tokens),
    imageOutputTokens: toCount(outputDetails.image_tokens),
    reasoningTokens: Math.max(reasoning, hidden),
    costUsd,
  });
}

function toCacheRead({ cache_read_input_tokens }: JsonObject): number {
  return toCount(cache_read_input_tokens);
}

function toCacheWrite({ cache_creation_input_tokens, cache_creation }: JsonObject): number {
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = toJsonObject(cache_creation);
  const parts = toCount(ephemeral_5m_input_tokens) + toCount(ephemeral_1h_input_tokens);
  return Math.max(toCount(cache_creation_input_tokens), parts);
}

/** With an own account behind OpenRouter (`is_byok`), `cost` is only its fee; otherwise it includes everything. */
function readCost(reported: JsonObject): number | undefined {
  const cost = toNumber(reported.cost);
  const inference = toNumber(toJsonObject(reported.cost_details).upstream_inference_cost);
  if (cost === undefined || inference === undefined) return cost ?? inference;
  return reported.is_byok === false ? cost : cost + inference;
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

type Report = Required<Omit<TokenUsage, 'isEstimated' | 'costUsd'>> &
  Readonly<{ costUsd: number | undefined }>;

/** Parts are no larger than what they are part of. */
function toConsistent(report: Report): TokenUsage {
  const { inputTokens, outputTokens, webSearches, costUsd } = report;
  const cached = Math.min(report.cachedInputTokens, inputTokens);
  const written = Math.min(report.cacheWriteTokens, inputTokens - cached);
  const hour = Math.min(report.cacheWriteHourTokens, written);
  const audio = Math.min(report.audioTokens, inputTokens);
  const cachedAudio = Math.min(report.cachedAudioTokens, audio, cached);
  const image = Math.min(report.imageTokens, inputTokens - audio);
  const imageOutput = Math.min(report.imageOutputTokens, outputTokens);
  const audioOutput = Math.min(report.audioOutputTokens, outputTokens - imageOutput);
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: cached,
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(hour > 0 && { cacheWriteHourTokens: hour }),
    ...(audio > 0 && { audioTokens: audio }),
    ...(cachedAudio > 0 && { cachedAudioTokens: cachedAudio }),
    ...(image > 0 && { imageTokens: image }),
    ...(imageOutput > 0 && { imageOutputTokens: imageOutput }),
    ...(audioOutput > 0 && { audioOutputTokens: audioOutput }),
    ...(webSearches > 0 && { webSearches }),
    ...(costUsd !== undefined && { costUsd }),
    reasoningTokens: Math.min(report.reasoningTokens, outputTokens),
    isEstimated: false,
  };
}

/** The highest of each field of two reports about the same reply. */
export function mergeUsage(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (a === null || b === null) return a ?? b;
  const highest = (name: Exclude<keyof TokenUsage, 'isEstimated'>) =>
    Math.max(a[name] ?? 0, b[name] ?? 0);
  return toConsistent({
    inputTokens: highest('inputTokens'),
    outputTokens: highest('outputTokens'),
    cachedInputTokens: highest('cachedInputTokens'),
    cacheWriteTokens: highest('cacheWriteTokens'),
    cacheWriteHourTokens: highest('cacheWriteHourTokens'),
    audioTokens: highest('audioTokens'),
    cachedAudioTokens: highest('cachedAudioTokens'),
    imageTokens: highest('imageTokens'),
    audioOutputTokens: highest('audioOutputTokens'),
    imageOutputTokens: highest('imageOutputTokens'),
    webSearches: highest('webSearches'),
    reasoningTokens: highest('reasoningTokens'),
    costUsd: (a.costUsd ?? b.costUsd) === undefined ? undefined : highest('costUsd'),
  });
}

/** If the upstream reported none. */
export function toEstimatedUsage(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: true };
}

/**
 * A usage whose prompt is an estimate: of so many tokens at least, of which some are sound, and all are written into a
 * cache if the request says so.
 */
export function withSentPrompt(
  usage: TokenUsage,
  promptTokens: number,
  { audioTokens, cached }: Pick<MediaCount, 'audioTokens' | 'cached'>,
): TokenUsage {
  const inputTokens = Math.max(usage.inputTokens, promptTokens);
  return {
    ...usage,
    inputTokens,
    ...(audioTokens > 0 && { audioTokens }),
    ...(cached !== 'not' && { cacheWriteTokens: inputTokens }),
    ...(cached === 'hour' && { cacheWriteHourTokens: inputTokens }),
    isEstimated: true,
  };
}

/**
 * A report with estimates of what it lacks: an input is never empty. The output is at least its estimate, which
 * is 0 where the report is all that counts.
 */
export function completeUsage(
  reported: TokenUsage | null,
  estimate: Readonly<{ inputTokens: number; outputTokens: number }>,
): TokenUsage {
  if (reported === null) return toEstimatedUsage(estimate.inputTokens, estimate.outputTokens);
  const inputTokens = reported.inputTokens || estimate.inputTokens;
  const outputTokens = Math.max(reported.outputTokens, estimate.outputTokens);
  const isEstimated =
    inputTokens !== reported.inputTokens || outputTokens !== reported.outputTokens;
  return isEstimated ? { ...reported, inputTokens, outputTokens, isEstimated } : reported;
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
