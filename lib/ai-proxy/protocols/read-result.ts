import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { completeUsage, type TokenUsage, type ToolCalls } from '#lib/spend/usage/token-usage.ts';
import { readPlainError } from '../upstreams/errors/error-body.ts';
import { findReported, toUpstreamFailure } from '../upstreams/errors/reported-error.ts';
import { createGarbageFailure } from '../upstreams/errors/upstream-failure.ts';
import { parseUpstreamSource } from './json/parse-json.ts';

/** A complete reply that is not streamed. */
export type Result = Readonly<{
  usage: TokenUsage;
  /** The documented shape, whatever the upstream left out. */
  result: JsonObject;
}>;

/** An error in spite of the status 200, or something that is no reply. */
export type FailedResult = Readonly<{
  /** Null if nothing was reported, and nothing of a reply is there to be estimated. */
  usage: TokenUsage | null;
  error: HttpError;
}>;

/** How a protocol's replies are read. */
type ResultFormat = Readonly<{
  promptTokensEstimate: number;
  /** By default with the source text of its values. */
  parse?: (text: string) => JsonObject | null;
  readUsage: (reply: JsonObject) => TokenUsage | null;
  estimateReply: (reply: JsonObject) => number;
  /** The upstream's own tools that the reply shows; if left out, it shows none. */
  countCalls?: (reply: JsonObject) => ToolCalls;
  /** @throws HttpError if it is no reply, or has failed */
  toResult: (reply: JsonObject, usage: TokenUsage) => JsonObject;
}>;

/** Reads an upstream's reply. What it says about its usage counts, whatever else it says. */
export function readResult(text: string, format: ResultFormat): Result | FailedResult {
  const { parse = parseUpstreamSource } = format;
  const reply = parse(text);
  if (reply === null) return { usage: null, error: createGarbageFailure() };
  const reported = format.readUsage(reply);
  const seenOutputTokens = format.estimateReply(reply);
  const outputTokens = reported?.outputTokens ? 0 : seenOutputTokens;
  const completed = completeUsage(reported, {
    inputTokens: format.promptTokensEstimate,
    outputTokens,
    ...(format.countCalls && { toolCalls: format.countCalls(reply) }),
  });
  const usage = { ...completed, seenOutputTokens };
  try {
    const isReply = replyFields.some((field) => reply[field]);
    const error = findReported(reply) ?? (isReply ? undefined : readPlainError(reply)[0]);
    if (error !== undefined) throw toUpstreamFailure(error);
    return { usage, result: format.toResult(reply, usage) };
  } catch (error) {
    if (!isHttpError(error)) throw error;
    return { usage: reported === null && outputTokens === 0 ? null : usage, error };
  }
}

/** Where replies of all protocols have their content: what has none of them, but says something, is an error. */
const replyFields = ['choices', 'output', 'content', 'data'] as const;

/** Converts a reply to another protocol. @param convert throws HttpError if the reply is unusable */
export function mapResult(
  read: Result | FailedResult,
  convert: (result: Result) => JsonObject,
): Result | FailedResult {
  if ('error' in read) return read;
  try {
    return { usage: read.usage, result: convert(read) };
  } catch (error) {
    if (!isHttpError(error)) throw error;
    return { usage: read.usage, error };
  }
}

const tiers: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** A reply without a tier that OpenAI does not name, such as Groq’s `on_demand`: strict SDKs fail on it. */
export function withKnownTier(reply: JsonObject): JsonObject {
  const tier = reply.service_tier ?? null;
  if (tier === null || tiers.has(tier)) return reply;
  const { service_tier: _, ...rest } = reply;
  return rest;
}
