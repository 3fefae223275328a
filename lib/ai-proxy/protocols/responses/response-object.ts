import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readResponsesUsage } from '#lib/spend/usage/read-usage.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toResponsesUsage } from '#lib/spend/usage/write-usage.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import { createGarbageFailure } from '../../upstreams/errors/upstream-failure.ts';
import { countCalledTools } from '../called-tools.ts';
import { toWholeArguments } from '../json/arguments.ts';
import { keepNumbers } from '../json/source-text.ts';
import { type FailedResult, type Result, readResult, withKnownTier } from '../read-result.ts';
import type { ResponsesRequest } from './responses-request.ts';

export type ResponseIdentity = Readonly<{
  id: string;
  /** Unix time in seconds. */
  createdAt: number;
}>;

/** An item of a reply as the client gets it. */
export type ToClientItem = (item: unknown) => JsonObject;

/** The response object at its start: all documented fields, with the client's options. */
export function createResponseObject(
  { model, options, outputTokensMax }: ResponsesRequest,
  { id, createdAt }: ResponseIdentity,
): JsonObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: null,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: options.instructions ?? null,
    max_output_tokens: outputTokensMax,
    max_tool_calls: options.max_tool_calls ?? null,
    metadata: options.metadata ?? {},
    model,
    output: [],
    parallel_tool_calls: options.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: options.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...options.reasoning },
    safety_identifier: options.safety_identifier ?? null,
    service_tier: 'default',
    store: false,
    temperature: options.temperature ?? 1,
    text: { ...options.text, format: options.text?.format ?? { type: 'text' } },
    tool_choice: options.tool_choice ?? 'auto',
    tools: (options.tools ?? []).map(toShownTool),
    top_logprobs: options.top_logprobs ?? 0,
    top_p: options.top_p ?? 1,
    presence_penalty: options.presence_penalty ?? 0,
    frequency_penalty: options.frequency_penalty ?? 0,
    truncation: options.truncation ?? 'disabled',
    usage: null,
    user: options.user ?? null,
  };
}

function toShownTool(tool: JsonObject): JsonObject {
  if (tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}

/**
 * Completes an upstream's response object: missing fields, and nulls where clients expect a value,
 * come from the base. `store` is always false.
 */
export function repairResponseObject(received: JsonObject, base: JsonObject): JsonObject {
  const stated = Object.entries(withKnownTier(received)).filter(
    ([name, value]) => value !== undefined && (value !== null || (base[name] ?? null) === null),
  );
  const createdAt = Number(received.created_at);
  return keepNumbers(received, {
    ...base,
    ...Object.fromEntries(stated),
    object: 'response',
    created_at: createdAt > 0 ? Math.floor(createdAt) : base.created_at,
    store: false,
    background: false,
  });
}

/** How a reply has ended by its object: vLLM sends one that was cut off as `response.completed`. */
export function readEnd(response: JsonObject): 'failed' | 'incomplete' | 'completed' {
  const { status, error, incomplete_details: details } = response;
  if (status === 'failed' || (error ?? null) !== null) return 'failed';
  const isCutOff = status === 'incomplete' || toText(toJsonObject(details).reason) !== '';
  return isCutOff ? 'incomplete' : 'completed';
}

/** Usage for the client, with the upstream's further fields. */
export function toShownUsage(usage: TokenUsage, reported: unknown): JsonObject {
  return { ...(isJsonObject(reported) && reported), ...toResponsesUsage(usage) };
}

/** A content part of a reply with the arrays that clients expect. */
export function repairPart(part: unknown): unknown {
  if (!isJsonObject(part) || part.type !== 'output_text') return part;
  if (Array.isArray(part.annotations) && Array.isArray(part.logprobs)) return part;
  return { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] };
}

/** Defaults for fields that the upstream left out. */
type ItemDefaults = Readonly<{ id: string; status: string }>;

/** An item of a reply with the fields that clients need. */
export function repairItem(item: JsonObject, { id, status }: ItemDefaults): JsonObject {
  const repaired = {
    ...item,
    id: typeof item.id === 'string' && item.id !== '' ? item.id : id,
  };
  if (item.type === 'message') {
    const content = Array.isArray(item.content) ? item.content.map(repairPart) : [];
    return { ...repaired, status: item.status ?? status, role: 'assistant', content };
  }
  if (item.type === 'function_call') {
    return {
      ...repaired,
      call_id: item.call_id ?? repaired.id,
      arguments: toWholeArguments(item.arguments) ?? '',
      status: item.status ?? status,
    };
  }
  return item.type === 'reasoning' ? { ...repaired, summary: item.summary ?? [] } : repaired;
}

/** Reads an upstream's response object that is not streamed, and adds missing documented fields. */
export function readResponsesResult(
  text: string,
  request: ResponsesRequest,
  { toClientItem, ...identity }: ResponseIdentity & Readonly<{ toClientItem: ToClientItem }>,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    readUsage: readResponsesUsage,
    estimateReply: ({ output }) => estimateContentTokens(output),
    countCalls: ({ output }) => countCalledTools(toJsonArray(output)),
    toResult: (reply, usage) =>
      repairResponse(
        withClientItems(reply, toClientItem),
        usage,
        createResponseObject(request, identity),
      ),
  });
}

export function withClientItems(response: JsonObject, toClientItem: ToClientItem): JsonObject {
  const { output } = response;
  return Array.isArray(output) ? { ...response, output: output.map(toClientItem) } : response;
}

function repairResponse(reply: JsonObject, usage: TokenUsage, base: JsonObject): JsonObject {
  const status = readEnd(reply);
  if (status === 'failed') throw toUpstreamFailure(reply.error);
  if (!Array.isArray(reply.output)) throw createGarbageFailure();
  const response = repairResponseObject(reply, base);
  return {
    ...response,
    status,
    output: toJsonArray(reply.output).map((item, index) =>
      repairItem(toJsonObject(item), { id: `item_${response.id}_${index}`, status: 'completed' }),
    ),
    usage: toShownUsage(usage, reply.usage),
  };
}
