import { countReplyBytes } from '#lib/ai-proxy/chat/delta.ts';
import { type FinishReason, toFinishReason } from '#lib/ai-proxy/chat/finish-reason.ts';
import { toToolCallIndex } from '#lib/ai-proxy/chat/mend-choice.ts';
import {
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/ai-proxy/json/json-value.ts';
import type { ProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { createEventWriter } from '#lib/ai-proxy/responses/event-writer.ts';
import type { ResponsesRequest } from '#lib/ai-proxy/responses/read-request.ts';
import {
  createResponseObject,
  type ResponseIdentity,
} from '#lib/ai-proxy/responses/response-object.ts';
import { doneData, doneFrame, type SseFrame } from '#lib/ai-proxy/sse/frame.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/relay.ts';
import { replyBytesMax } from '#lib/ai-proxy/stream/reply-bound.ts';
import {
  createCutFailure,
  createGarbageFailure,
  createOverflowFailure,
  toUpstreamFailure,
} from '#lib/ai-proxy/stream/upstream-failure.ts';
import { estimateTextTokens } from '#lib/ai-proxy/tokens/estimate.ts';
import {
  readChatUsage,
  type TokenUsage,
  toEstimatedUsage,
  toResponsesUsage,
} from '#lib/ai-proxy/tokens/usage.ts';
import { toEnding } from './ending.ts';
import type { NewId } from './output-item.ts';
import { createReplyItems } from './reply-items.ts';

export type TranslatorOptions = ResponseIdentity &
  Readonly<{
    newId: NewId;
    /** Unix time in seconds, asked when the response is complete. */
    now: () => number;
  }>;

/**
 * Turns a chat stream into the Responses stream of a request. The terminal event waits for the usage chunk,
 * or for the end of the stream; a stream that ends without a finish reason has failed.
 */
export function createResponsesTranslator(
  request: ResponsesRequest,
  { newId, now, ...identity }: TranslatorOptions,
): StreamRelay {
  const writer = createEventWriter();
  const items = createReplyItems(writer, newId);
  const callIds: unknown[] = [];
  let response = createResponseObject(request, identity);
  let isBegun = false;
  let isDone = false;
  let finishReason: FinishReason | null = null;
  let failure: ProxyError | null = null;
  let usage: TokenUsage | null = null;
  let replyBytes = 0;

  function readUsage(): TokenUsage {
    const estimate = estimateTextTokens(replyBytes);
    return usage ?? toEstimatedUsage(request.promptTokensEstimate, estimate);
  }

  function begin(model: string): string {
    if (isBegun) return '';
    isBegun = true;
    if (model !== '') response = { ...response, model };
    const fields = `"response":${JSON.stringify(response)}`;
    return (
      writer.writeText('response.created', fields) +
      writer.writeText('response.in_progress', fields)
    );
  }

  function takeDelta(delta: JsonObject): string {
    replyBytes += countReplyBytes(delta);
    const { content, refusal, tool_calls: calls } = delta;
    let text = '';
    if (typeof content === 'string' && content !== '') {
      text += items.addText({ kind: 'text', text: content });
    }
    if (typeof refusal === 'string' && refusal !== '') {
      text += items.addText({ kind: 'refusal', text: refusal });
    }
    if (calls === undefined) return text;
    for (const call of toJsonArray(calls).map(toJsonObject)) {
      const { name, arguments: piece } = toJsonObject(call.function);
      text += items.addCall(toToolCallIndex(call, callIds), {
        id: toText(call.id),
        name: toText(name),
        arguments: toText(piece),
      });
    }
    return text;
  }

  function takeChunk(chunk: JsonObject): string {
    let text = isBegun ? '' : begin(toText(chunk.model));
    const choice = toJsonObject(toJsonArray(chunk.choices).find(isFirstChoice));
    const reason = toFinishReason(choice.finish_reason);
    if (reason === 'error') return text + fail(toUpstreamFailure(choice.error));
    if (finishReason === null) {
      text += takeDelta(toJsonObject(choice.delta));
      if (replyBytes > replyBytesMax) return text + fail(createOverflowFailure());
      if (reason !== null) {
        if (items.isUnclear) return text + fail(createGarbageFailure());
        finishReason = reason;
        text += items.finish(toEnding(reason).status);
      }
    }
    const reported = readChatUsage(chunk.usage);
    usage = reported ?? usage;
    // Some send counts with every chunk; those at or after the finish are the last.
    return reported !== null && finishReason !== null ? text + finish(finishReason) : text;
  }

  function finish(reason: FinishReason): string {
    isDone = true;
    const { status, incompleteDetails } = toEnding(reason);
    const final = {
      ...response,
      status,
      completed_at: status === 'completed' ? now() : null,
      incomplete_details: incompleteDetails,
      output: items.toOutput(),
      usage: toResponsesUsage(readUsage()),
    };
    return writer.write(`response.${status}`, { response: final }) + doneFrame;
  }

  function fail(error: ProxyError): string {
    if (isDone) return '';
    const beginning = begin('');
    isDone = true;
    failure = error;
    const shownUsage = usage === null ? null : toResponsesUsage(usage);
    const failed = { ...response, output: items.toOutput(), usage: shownUsage };
    return beginning + writer.writeFailure(error, failed);
  }

  function end(): string {
    if (isDone) return '';
    return finishReason === null ? fail(createCutFailure()) : finish(finishReason);
  }

  return {
    push({ event, data }: SseFrame) {
      if (isDone || data === '') return '';
      if (data === doneData) return end();
      const chunk = parseJsonObject(data);
      if (chunk === null) return fail(createGarbageFailure());
      const isError = event === 'error' || (chunk.error !== undefined && chunk.error !== null);
      return isError ? fail(toUpstreamFailure(chunk.error ?? chunk)) : takeChunk(chunk);
    },
    end,
    fail,
    get isDone() {
      return isDone;
    },
    get hasOutput() {
      return replyBytes > 0;
    },
    get failure() {
      return failure;
    },
    get usage() {
      return readUsage();
    },
  };
}

function isFirstChoice(choice: unknown): boolean {
  return (toJsonObject(choice).index ?? 0) === 0;
}
