import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { estimateTextTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { findChatUsage, readChatUsage } from '#lib/spend/usage/read-usage.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toChatUsage } from '#lib/spend/usage/write-usage.ts';
import { createGarbageFailure } from '../../upstreams/errors/upstream-failure.ts';
import { toWholeArguments } from '../json/arguments.ts';
import { type FailedResult, type Result, readResult, withKnownTier } from '../read-result.ts';
import type { ChatRelayOptions } from './chat-relay.ts';
import {
  countReplyBytes,
  readCalls,
  readChoiceFailure,
  readFinishReason,
  toPlainReply,
  toShownReason,
  toToolCalls,
  withLogprobs,
} from './choice.ts';

type ChatResultOptions = Omit<ChatRelayOptions, 'includeUsage'> &
  Readonly<{
    /** For a client of chat, which knows only a text as the content of a reply. */
    isPlain?: boolean;
  }>;

/** Reads an upstream's chat response that is not streamed, and adds missing documented fields. */
export function readChatResult(text: string, options: ChatResultOptions): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: options.promptTokensEstimate,
    readUsage: readChatUsage,
    estimateReply,
    toResult: (reply, usage) => repairResult(reply, usage, options),
  });
}

function repairResult(
  reply: JsonObject,
  usage: TokenUsage,
  options: ChatResultOptions,
): JsonObject {
  if (!Array.isArray(reply.choices) || reply.choices.length === 0) throw createGarbageFailure();
  const { error: _, ...rest } = reply;
  return {
    // Some clients reject results without it.
    system_fingerprint: null,
    ...withKnownTier(rest),
    id: typeof reply.id === 'string' && reply.id !== '' ? reply.id : options.id,
    object: 'chat.completion',
    created: Number.isSafeInteger(reply.created) ? reply.created : options.created,
    model: typeof reply.model === 'string' && reply.model !== '' ? reply.model : options.model,
    choices: reply.choices.map((choice, index) => repairResultChoice(choice, index, options)),
    usage: toChatUsage(usage, findChatUsage(reply) ?? {}),
  };
}

function repairResultChoice(
  value: unknown,
  index: number,
  { newCallId, hasTools = false, isPlain = false }: ChatResultOptions,
): JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value.message)) throw createGarbageFailure();
  const { message: reply } = value;
  const failure = readChoiceFailure(value, () => countReplyBytes(reply));
  if (failure !== null) throw failure;
  const received = hasTools ? toToolCalls(reply) : reply;
  const calls = readCalls(received).map(repairCall(newCallId));
  const message = {
    content: null,
    refusal: null,
    ...(isPlain ? toPlainReply(received) : received),
    role: 'assistant',
    // An empty list comes back in the next request, where servers reject it.
    tool_calls: calls.length > 0 ? calls : undefined,
  };
  return {
    logprobs: null,
    ...withLogprobs(value),
    index: Number.isSafeInteger(value.index) ? value.index : index,
    message,
    finish_reason: toShownReason(readFinishReason(value) ?? 'stop', calls.length > 0),
  };
}

/** Parallel calls of some servers have one id. */
function repairCall(newCallId: () => string): (call: JsonObject) => JsonObject {
  const ids = new Set<unknown>(['']);
  return (call) => {
    const id = ids.has(toText(call.id)) ? newCallId() : toText(call.id);
    ids.add(id);
    if (!isJsonObject(call.function)) return { ...call, id };
    const {
      function: { arguments: received, ...named },
      index: _,
      ...rest
    } = call;
    const text = toText(toWholeArguments(received)) || '{}';
    return { ...rest, id, type: 'function', function: { ...named, arguments: text } };
  };
}

function estimateReply({ choices }: JsonObject): number {
  const bytes = toJsonArray(choices).map((choice) =>
    countReplyBytes(toJsonObject(toJsonObject(choice).message)),
  );
  return estimateTextTokens(bytes.reduce((sum, byte) => sum + byte, 0));
}
