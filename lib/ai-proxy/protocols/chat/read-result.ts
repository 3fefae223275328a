import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonObject,
} from '#lib/http/json-value.ts';
import { estimateTextTokens } from '#lib/spend/usage/estimate-tokens.ts';
import {
  readChatUsage,
  type TokenUsage,
  toChatUsage,
  toEstimatedUsage,
} from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { countReplyBytes } from './delta.ts';
import { readFinishReason } from './finish-reason.ts';
import type { ChatRelayOptions } from './relay.ts';

export type ChatResult = Readonly<{
  /** The documented shape, whatever the upstream left out. */
  result: JsonObject;
  usage: TokenUsage;
}>;

/**
 * Reads an upstream's chat response that is not streamed, and adds missing documented fields.
 * @throws HttpError if it contains an error in spite of its status 200 (see `toUpstreamFailure`),
 * or is not a chat result (502).
 */
export function readChatResult(
  text: string,
  options: Omit<ChatRelayOptions, 'includeUsage'>,
): ChatResult {
  const given = parseJsonObject(text);
  if (given === null) throw createGarbageFailure();
  const { error, ...rest } = given;
  if (error !== undefined && error !== null) throw toUpstreamFailure(error);
  if (!Array.isArray(given.choices) || given.choices.length === 0) throw createGarbageFailure();
  const choices = given.choices.map(repairResultChoice);
  const usage = readChatUsage(given.usage) ?? estimateUsage(choices, options);
  return {
    usage,
    result: {
      // Some clients reject results without it.
      system_fingerprint: null,
      ...rest,
      id: typeof given.id === 'string' && given.id !== '' ? given.id : options.id,
      object: 'chat.completion',
      created: Number.isSafeInteger(given.created) ? given.created : options.created,
      model: typeof given.model === 'string' && given.model !== '' ? given.model : options.model,
      choices,
      usage: toChatUsage(usage, toJsonObject(given.usage)),
    },
  };
}

function repairResultChoice(value: unknown, index: number): JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value.message)) throw createGarbageFailure();
  const reason = readFinishReason(value);
  if (reason === 'error') throw toUpstreamFailure(value.error);
  const message = { content: null, refusal: null, ...value.message, role: 'assistant' };
  const hasToolCalls =
    Array.isArray(value.message.tool_calls) && value.message.tool_calls.length > 0;
  return {
    logprobs: null,
    ...value,
    index: Number.isSafeInteger(value.index) ? value.index : index,
    message,
    finish_reason: reason ?? (hasToolCalls ? 'tool_calls' : 'stop'),
  };
}

function estimateUsage(
  choices: readonly JsonObject[],
  { promptTokensEstimate }: Pick<ChatRelayOptions, 'promptTokensEstimate'>,
): TokenUsage {
  const bytes = choices.reduce(
    (sum, { message }) => sum + countReplyBytes(toJsonObject(message)),
    0,
  );
  return toEstimatedUsage(promptTokensEstimate, estimateTextTokens(bytes));
}
