import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import {
  readMessagesUsage,
  type TokenUsage,
  toEstimatedUsage,
} from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { createMessageObject } from './message-object.ts';
import type { MessagesRequest } from './read-request.ts';

export type MessagesResult = Readonly<{ result: JsonObject; usage: TokenUsage }>;

/**
 * Reads an upstream's message that is not streamed, and adds missing documented fields.
 * @throws HttpError if it contains an error in spite of its status 200, or is not a message (502).
 */
export function readMessagesResult(
  text: string,
  { model, promptTokensEstimate }: MessagesRequest,
  id: string,
): MessagesResult {
  const given = parseJsonObject(text);
  if (given === null) throw createGarbageFailure();
  if (given.type === 'error' || (given.error ?? null) !== null) {
    throw toUpstreamFailure(given.error);
  }
  if (!Array.isArray(given.content)) throw createGarbageFailure();
  const usage =
    readMessagesUsage(given.usage) ??
    toEstimatedUsage(promptTokensEstimate, estimateContentTokens(given.content));
  const base = createMessageObject({
    id: toText(given.id) || id,
    model: toText(given.model) || model,
    content: given.content,
    stopReason: toText(given.stop_reason) || 'end_turn',
    stopSequence: null,
    usage,
  });
  const shownUsage = isJsonObject(given.usage)
    ? { ...toJsonObject(base.usage), ...given.usage }
    : base.usage;
  return {
    usage,
    result: {
      ...base,
      ...withoutNulls(given),
      type: 'message',
      role: 'assistant',
      usage: shownUsage,
    },
  };
}
