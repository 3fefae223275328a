import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { readResponsesUsage } from '#lib/spend/usage/usage-formats.ts';
import { createGarbageFailure } from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/upstream-error.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import type { ResponsesRequest } from './read-request.ts';
import {
  createResponseObject,
  type ResponseIdentity,
  repairItem,
  repairResponseObject,
  toShownUsage,
} from './response-object.ts';

/** Reads an upstream's response object that is not streamed, and adds missing documented fields. */
export function readResponsesResult(
  text: string,
  request: ResponsesRequest,
  { reasoning, ...identity }: ResponseIdentity & Readonly<{ reasoning: ReasoningMark }>,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    readUsage: readResponsesUsage,
    estimateReply: ({ output }) => estimateContentTokens(output),
    toResult: (reply, usage) =>
      markOutput(repairResponse(reply, usage, createResponseObject(request, identity)), reasoning),
  });
}

/** A response whose encrypted reasoning names its upstream. */
export function markOutput(response: JsonObject, reasoning: ReasoningMark): JsonObject {
  const output = toJsonArray(response.output).map((item) =>
    markField(toJsonObject(item), 'encrypted_content', reasoning),
  );
  return { ...response, output };
}

function repairResponse(reply: JsonObject, usage: TokenUsage, base: JsonObject): JsonObject {
  if (reply.status === 'failed') throw toUpstreamFailure(reply.error);
  if (!Array.isArray(reply.output)) throw createGarbageFailure();
  const response = repairResponseObject(reply, base);
  const isIncomplete = reply.status === 'incomplete' || isJsonObject(reply.incomplete_details);
  return {
    ...response,
    status: isIncomplete ? 'incomplete' : 'completed',
    output: toJsonArray(reply.output).map((item, index) =>
      repairItem(toJsonObject(item), { id: `item_${response.id}_${index}`, status: 'completed' }),
    ),
    usage: toShownUsage(usage, reply.usage),
  };
}
