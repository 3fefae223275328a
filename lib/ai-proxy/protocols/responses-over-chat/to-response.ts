import {
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { toResponsesUsage } from '#lib/spend/usage/token-usage.ts';
import { toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { toContentText } from '../chat/delta.ts';
import { readFinishReason } from '../chat/finish-reason.ts';
import type { ChatResult } from '../chat/read-result.ts';
import { createReasoningCollector, readReasoning } from '../chat/reasoning.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import type { ResponsesResult } from '../responses/read-result.ts';
import { createResponseObject } from '../responses/response-object.ts';
import { type ChatTools, readCustomInput, toChatTools } from './chat-tools.ts';
import {
  type ItemStatus,
  type NewId,
  type ReplyPart,
  toCallItem,
  toFinalStatus,
  toMessageItem,
  toReasoningItem,
} from './output-item.ts';
import type { TranslatorOptions } from './translator.ts';

/** Converts a chat result to the response of a request. */
export function toResponse(
  { result, usage }: ChatResult,
  request: ResponsesRequest,
  { newId, now, ...identity }: TranslatorOptions,
): ResponsesResult {
  const choice = toJsonObject(toJsonArray(result.choices)[0]);
  const reason = readFinishReason(choice);
  if (reason === 'error') throw toUpstreamFailure(choice.error);
  const { status, incompleteDetails } = toFinalStatus(reason ?? 'stop');
  return {
    usage,
    result: {
      ...createResponseObject(request, identity),
      model: result.model,
      status,
      completed_at: status === 'completed' ? now() : null,
      incomplete_details: incompleteDetails,
      output: toOutput(toJsonObject(choice.message), status, {
        newId,
        identify: toChatTools(request).identify,
      }),
      usage: toResponsesUsage(usage),
    },
  };
}

function toReasoningItems(message: JsonObject, newId: NewId): readonly JsonObject[] {
  const reasoning = readReasoning(message);
  if (reasoning === null) return [];
  const collector = createReasoningCollector();
  collector.add(reasoning);
  return [toReasoningItem({ id: newId('rs'), text: collector.text, token: collector.toToken() })];
}

type OutputOptions = Readonly<{ newId: NewId; identify: ChatTools['identify'] }>;

function toOutput(
  message: JsonObject,
  status: ItemStatus,
  { newId, identify }: OutputOptions,
): readonly JsonObject[] {
  const calls = toJsonArray(message.tool_calls).map(toJsonObject);
  const allParts: ReplyPart[] = [
    { kind: 'text', text: toContentText(message.content) },
    { kind: 'refusal', text: toText(message.refusal) },
  ];
  const parts = allParts.filter(({ text }) => text !== '');
  const hasMessage = parts.length > 0 || calls.length === 0;
  // Only the last item was truncated.
  const statusOf = (index: number) => (index === calls.length - 1 ? status : 'completed');
  return [
    ...toReasoningItems(message, newId),
    ...(hasMessage
      ? [
          toMessageItem({
            id: newId('msg'),
            status: statusOf(-1),
            parts: parts.length > 0 ? parts : [{ kind: 'text', text: '' }],
          }),
        ]
      : []),
    ...calls.map((call, index) => {
      const { name, arguments: given } = toJsonObject(call.function);
      const identity = identify(toText(name));
      const text = toText(given);
      return toCallItem({
        id: newId(identity.isCustom ? 'ctc' : 'fc'),
        status: statusOf(index),
        callId: toText(call.id) || newId('call'),
        identity,
        text: identity.isCustom ? readCustomInput(parseJsonObject(text), text) : text || '{}',
      });
    }),
  ];
}
