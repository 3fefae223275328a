import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readMessagesUsage } from '#lib/spend/usage/read-usage.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toMessagesUsage } from '#lib/spend/usage/write-usage.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import { createGarbageFailure } from '../../upstreams/errors/upstream-failure.ts';
import { countCalledTools } from '../called-tools.ts';
import { toInputObject } from '../json/arguments.ts';
import { parseUpstreamJson } from '../json/parse-json.ts';
import { keepNumbers } from '../json/source-text.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import { withContent, withStopReason } from './content-blocks.ts';
import type { MessagesRequest } from './messages-request.ts';
import { reasoningField } from './own-reasoning.ts';
import { createMessageObject } from './writer.ts';

/** Reads an upstream's message that is not streamed, and adds missing documented fields. */
export function readMessagesResult(
  text: string,
  request: MessagesRequest,
  { id, reasoning }: Readonly<{ id: string; reasoning: ReasoningMark }>,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    readUsage: readMessagesUsage,
    estimateReply: ({ content }) => estimateContentTokens(content),
    countCalls: ({ content }) => countCalledTools(toJsonArray(content)),
    toResult: (reply, usage) =>
      markContent(repairMessage(reply, usage, { id, model: request.model }), reasoning),
  });
}

function markContent(message: JsonObject, reasoning: ReasoningMark): JsonObject {
  const ids = new Set<string>();
  const content = toJsonArray(message.content).map((block) =>
    isJsonObject(block)
      ? markField(withInput(block, ids), reasoningField(block) ?? '', reasoning)
      : block,
  );
  return { ...message, content };
}

function withInput(received: JsonObject, ids: Set<string>): JsonObject {
  const block = withContent(received, ids);
  const input = toInputObject(block.input);
  return input === block.input ? block : { ...block, input };
}

function repairMessage(
  reply: JsonObject,
  usage: TokenUsage,
  { id, model }: Readonly<{ id: string; model: string }>,
): JsonObject {
  if (reply.type === 'error') throw toUpstreamFailure(reply.error);
  if (!Array.isArray(reply.content)) throw createGarbageFailure();
  const base = createMessageObject({
    id: toText(reply.id) || id,
    model: toText(reply.model) || model,
    content: reply.content,
    stopReason: toText(reply.stop_reason) || 'end_turn',
    stopSequence: null,
    usage,
  });
  const hasCall = reply.content.some((block) => toJsonObject(block).type === 'tool_use');
  return keepNumbers(reply, {
    ...withStopReason({ ...base, ...withoutNulls(reply) }, hasCall),
    type: 'message',
    role: 'assistant',
    usage: toShownUsage(usage, reply.usage),
  });
}

/** The upstream's own fields, and estimates of the two counts that it left out. */
function toShownUsage(usage: TokenUsage, reported: unknown): JsonObject {
  const shown = toMessagesUsage(usage);
  if (!isJsonObject(reported)) return shown;
  return usage.isEstimated
    ? { ...reported, input_tokens: shown.input_tokens, output_tokens: shown.output_tokens }
    : { ...shown, ...reported };
}

/**
 * Reads an upstream’s count of a prompt’s tokens, which costs nothing. @param estimate for a reply that is none: LM Studio
 * sends a 200 from URLs that it does not have
 */
export function readCountedTokens(
  text: string,
  estimate: JsonObject,
): FailedResult | Readonly<{ usage: null; result: JsonObject }> {
  const result = parseUpstreamJson(text);
  if (isJsonObject(result?.error)) return { usage: null, error: toUpstreamFailure(result.error) };
  const isCount = result !== null && Number.isSafeInteger(result.input_tokens);
  return { usage: null, result: isCount ? result : estimate };
}
