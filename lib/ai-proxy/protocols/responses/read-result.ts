import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readResponsesUsage, type TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure } from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/upstream-error.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
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
  identity: ResponseIdentity,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    readUsage: readResponsesUsage,
    estimateReply: ({ output }) => estimateContentTokens(output),
    toResult: (given, usage) =>
      repairResponse(given, usage, createResponseObject(request, identity)),
  });
}

function repairResponse(given: JsonObject, usage: TokenUsage, base: JsonObject): JsonObject {
  if (given.status === 'failed') throw toUpstreamFailure(given.error);
  if (!Array.isArray(given.output)) throw createGarbageFailure();
  const response = repairResponseObject(given, base);
  const isIncomplete = given.status === 'incomplete' || isJsonObject(given.incomplete_details);
  return {
    ...response,
    status: isIncomplete ? 'incomplete' : 'completed',
    output: toJsonArray(given.output).map((item, index) =>
      repairItem(toJsonObject(item), { id: `item_${response.id}_${index}`, status: 'completed' }),
    ),
    usage: toShownUsage(usage, given.usage),
  };
}
