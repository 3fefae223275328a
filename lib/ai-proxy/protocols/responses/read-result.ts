import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { readResponsesUsage } from '#lib/spend/usage/usage-formats.ts';
import { createGarbageFailure } from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
import type { ResponsesRequest } from './read-request.ts';
import {
  createResponseObject,
  type ResponseIdentity,
  readEnd,
  repairItem,
  repairResponseObject,
  type ToClientItem,
  toShownUsage,
} from './response-object.ts';

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
