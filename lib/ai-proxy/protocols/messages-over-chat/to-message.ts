import {
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { toContentText } from '../chat/delta.ts';
import { readFinishReason } from '../chat/finish-reason.ts';
import type { ChatResult } from '../chat/read-result.ts';
import { createReasoningCollector, readReasoning } from '../chat/reasoning.ts';
import { createMessageObject } from '../messages/message-object.ts';
import type { MessagesRequest } from '../messages/read-request.ts';
import type { NewId } from './reply-blocks.ts';
import { toStop } from './stop-reason.ts';
import { type MessagesTranslatorOptions, showsThinking } from './translator.ts';

/** Converts a chat result to the message that answers a request. */
export function toMessage(
  { result, usage }: ChatResult,
  { options }: MessagesRequest,
  { id, newId }: MessagesTranslatorOptions,
): Readonly<{ result: JsonObject; usage: TokenUsage }> {
  const choice = toJsonObject(toJsonArray(result.choices)[0]);
  const reason = readFinishReason(choice);
  if (reason === 'error') throw toUpstreamFailure(choice.error);
  const message = toJsonObject(choice.message);
  const calls = toJsonArray(message.tool_calls).map(toJsonObject);
  const stop = toStop(reason ?? 'stop', {
    hasCalls: calls.length > 0,
    choice,
    stopSequences: options.stop_sequences ?? [],
  });
  const content = [
    ...(showsThinking(options) ? toThinkingBlocks(message) : []),
    ...toTextBlocks(message, calls.length === 0),
    ...calls.map((call) => toToolUse(call, newId)),
  ];
  const model = toText(result.model);
  return { usage, result: createMessageObject({ id, model, content, ...stop, usage }) };
}

function toThinkingBlocks(message: JsonObject): readonly JsonObject[] {
  const reasoning = readReasoning(message);
  if (reasoning === null) return [];
  const collector = createReasoningCollector();
  collector.add(reasoning);
  return [{ type: 'thinking', thinking: collector.text, signature: collector.toToken() }];
}

function toTextBlocks({ content, refusal }: JsonObject, isNeeded: boolean): readonly JsonObject[] {
  const text = toContentText(content) + toText(refusal);
  return text !== '' || isNeeded ? [{ type: 'text', text }] : [];
}

function toToolUse(call: JsonObject, newId: NewId): JsonObject {
  const { name, arguments: text } = toJsonObject(call.function);
  return {
    type: 'tool_use',
    id: toText(call.id) || newId('toolu'),
    name: toText(name),
    // A call that was cut off has no valid arguments; the stop reason says so.
    input: parseJsonObject(toText(text)) ?? {},
  };
}
