import { createTokenCounter } from '../../metering/token-counter.ts';
import { readChatUsage, toResponsesUsage } from '../../metering/token-usage.ts';
import type { ProxyError } from '../../proxy-error.ts';
import { doneFrame } from '../../stream/sse-frame.ts';
import {
  type Closing,
  createRelay,
  type RelayCore,
  type StreamRelay,
} from '../../stream/stream-relay.ts';
import {
  createCutFailure,
  createGarbageFailure,
  createOverflowFailure,
  replyBytesMax,
  toUpstreamFailure,
} from '../../stream/upstream-failure.ts';
import { countReplyBytes, toContentText } from '../chat/delta.ts';
import { type FinishReason, toFinishReason } from '../chat/finish-reason.ts';
import { readChatFrame } from '../chat/read-frame.ts';
import { toToolCallIndex } from '../chat/repair-choice.ts';
import { type JsonObject, toJsonArray, toJsonObject, toText } from '../json/json-value.ts';
import { createEventWriter } from '../responses/event-writer.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import { createResponseObject, type ResponseIdentity } from '../responses/response-object.ts';
import { type NewId, toFinalStatus } from './output-item.ts';
import { createReplyItems } from './reply-items.ts';

export type TranslatorOptions = ResponseIdentity &
  Readonly<{
    newId: NewId;
    /** Unix time in seconds, read when the response is complete. */
    now: () => number;
  }>;

/**
 * Translates a chat stream to the Responses stream of a request. The terminal event waits for the
 * usage chunk, or for the end of the stream; a stream that ends without a finish reason has failed.
 */
export function createResponsesTranslator(
  request: ResponsesRequest,
  options: TranslatorOptions,
): StreamRelay {
  return createRelay((closing) => createTranslatorCore(request, options, closing));
}

function createTranslatorCore(
  request: ResponsesRequest,
  { newId, now, ...identity }: TranslatorOptions,
  { close, fail }: Closing,
): RelayCore {
  const writer = createEventWriter();
  const items = createReplyItems(writer, newId);
  const callIds: unknown[] = [];
  const tokens = createTokenCounter(request.promptTokensEstimate);
  let response = createResponseObject(request, identity);
  let isBegun = false;
  let finishReason: FinishReason | null = null;

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
    tokens.addReplyBytes(countReplyBytes(delta));
    const content = toContentText(delta.content);
    const refusal = toText(delta.refusal);
    const calls = delta.tool_calls;
    let text = content === '' ? '' : items.addText({ kind: 'text', text: content });
    if (refusal !== '') text += items.addText({ kind: 'refusal', text: refusal });
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
      if (reason !== null) {
        if (items.isUnclear) return text + fail(createGarbageFailure());
        finishReason = reason;
        text += items.finish(toFinalStatus(reason).status);
      }
    }
    if (tokens.replyBytes > replyBytesMax) return text + fail(createOverflowFailure());
    const usage = readChatUsage(chunk.usage);
    tokens.report(usage);
    // Some send counts with every chunk; those at or after the finish are final.
    return usage !== null && finishReason !== null ? text + finish(finishReason) : text;
  }

  function finish(reason: FinishReason): string {
    close();
    const { status, incompleteDetails } = toFinalStatus(reason);
    const final = {
      ...response,
      status,
      completed_at: status === 'completed' ? now() : null,
      incomplete_details: incompleteDetails,
      output: items.toOutput(),
      usage: toResponsesUsage(tokens.usage),
    };
    return writer.write(`response.${status}`, { response: final }) + doneFrame;
  }

  function writeFailure(error: ProxyError): string {
    const beginning = begin('');
    const usage = tokens.reported && toResponsesUsage(tokens.reported);
    const failed = { ...response, output: items.toOutput(), usage };
    return beginning + writer.writeFailure(error, failed);
  }

  function end(): string {
    return finishReason === null ? fail(createCutFailure()) : finish(finishReason);
  }

  const handlers = { takeChunk, takeDone: end, fail };
  return { tokens, push: (frame) => readChatFrame(frame, handlers), end, writeFailure };
}

function isFirstChoice(choice: unknown): boolean {
  return (toJsonObject(choice).index ?? 0) === 0;
}
