import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
} from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import {
  readResponsesUsage,
  type TokenUsage,
  toEstimatedUsage,
} from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import type { ResponsesRequest } from './read-request.ts';
import { repairItem } from './repair-item.ts';
import {
  createResponseObject,
  type ResponseIdentity,
  repairResponseObject,
  toShownUsage,
} from './response-object.ts';

export type ResponsesResult = Readonly<{
  /** The documented response object with all fields. */
  result: JsonObject;
  usage: TokenUsage;
}>;

/**
 * Reads an upstream's response object that is not streamed, and adds missing documented fields.
 * @throws HttpError if it contains an error in spite of its status 200 (see `toUpstreamFailure`),
 * or is not a response object (502).
 */
export function readResponsesResult(
  text: string,
  request: ResponsesRequest,
  identity: ResponseIdentity,
): ResponsesResult {
  const given = parseJsonObject(text);
  if (given === null) throw createGarbageFailure();
  if (given.status === 'failed' || (given.error ?? null) !== null) {
    throw toUpstreamFailure(given.error);
  }
  if (!Array.isArray(given.output)) throw createGarbageFailure();
  const base = createResponseObject(request, identity);
  const response = repairResponseObject(given, base);
  const output = toJsonArray(given.output).map((item, index) =>
    repairItem(toJsonObject(item), { id: `item_${response.id}_${index}`, status: 'completed' }),
  );
  const usage =
    readResponsesUsage(given.usage) ??
    toEstimatedUsage(request.promptTokensEstimate, estimateContentTokens(output));
  const isIncomplete = given.status === 'incomplete' || isJsonObject(given.incomplete_details);
  return {
    usage,
    result: {
      ...response,
      status: isIncomplete ? 'incomplete' : 'completed',
      output,
      usage: toShownUsage(usage, given.usage),
    },
  };
}
