import type { JsonObject } from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toResponsesUsage } from '#lib/spend/usage/usage-formats.ts';
import { doneFrame, type StreamRelay } from '../../stream/stream-relay.ts';
import { createReplyRelay, type Reply, type ReplyWriter, toReply } from '../chat/read-reply.ts';
import type { ReplyItems } from '../chat/reply-items.ts';
import { writeJson } from '../json/source-text.ts';
import { type FailedResult, mapResult, type Result } from '../read-result.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import { createEventWriter } from '../responses/event-writer.ts';
import { createResponseObject, type ResponseIdentity } from '../responses/response-object.ts';
import type { ResponsesRequest } from '../responses/responses-request.ts';
import { createIdentify } from './chat-tools.ts';
import {
  createItemWriter,
  createToOutputItem,
  type NewId,
  type ToOutputItem,
} from './output-items.ts';

export type TranslatorOptions = ResponseIdentity &
  Readonly<{
    newId: NewId;
    /** Unix time in seconds, read when the response is complete. */
    now: () => number;
    reasoning: ReasoningMark;
  }>;

/** Translates a chat stream to the Responses stream of a request. */
export function createResponsesTranslator(
  request: ResponsesRequest,
  options: TranslatorOptions,
): StreamRelay {
  return createReplyRelay(request.promptTokensEstimate, createResponsesWriter(request, options));
}

/** Converts a chat result to the response of a request. */
export function toResponse(
  read: Result | FailedResult,
  request: ResponsesRequest,
  { newId, now, reasoning, ...identity }: TranslatorOptions,
): Result | FailedResult {
  return mapResult(read, ({ result, usage }) => {
    const toItem = createToOutputItem(newId, createIdentify(request));
    const response = { ...createResponseObject(request, identity), model: result.model };
    const reply = toReply(result, {
      showsReasoning: true,
      newCallId: () => newId('call'),
      reasoning,
    });
    return { ...response, ...toEnding(reply, usage, { toItem, now }) };
  });
}

function createResponsesWriter(
  request: ResponsesRequest,
  { newId, now, reasoning, ...identity }: TranslatorOptions,
): ReplyWriter {
  const writer = createEventWriter();
  const identify = createIdentify(request);
  const toItem = createToOutputItem(newId, identify);
  let response = createResponseObject(request, identity);
  return {
    id: identity.id,
    items: createItemWriter(writer, toItem, identify),
    showsReasoning: true,
    newCallId: () => newId('call'),
    reasoning,
    begin(model) {
      if (model !== '') response = { ...response, model };
      const fields = `"response":${writeJson(response)}`;
      return (
        writer.writeText('response.created', fields) +
        writer.writeText('response.in_progress', fields)
      );
    },
    complete(reply, usage) {
      const ending = toEnding(reply, usage, { toItem, now });
      const final = { ...response, ...ending };
      return writer.write(`response.${ending.status}`, { response: final }) + doneFrame;
    },
    writeFailure(error, items, reported) {
      const usage = reported && toResponsesUsage(reported);
      return writer.writeFailure(error, { ...response, output: toOutput(items, toItem), usage });
    },
  };
}

/** What a response has besides at its end. */
function toEnding(
  { reason, items }: Reply,
  usage: TokenUsage,
  { toItem, now }: Readonly<{ toItem: ToOutputItem; now: () => number }>,
) {
  const incompleteReason = reason === 'length' ? 'max_output_tokens' : reason;
  const isCut = reason === 'length' || reason === 'content_filter';
  return {
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : now(),
    incomplete_details: isCut ? { reason: incompleteReason } : null,
    output: toOutput(items, toItem),
    usage: toResponsesUsage(usage),
  };
}

function toOutput(items: ReplyItems, toItem: ToOutputItem): readonly JsonObject[] {
  return items.opened.map(toItem);
}
