import type { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { createTokenCounter, type TokenCounter } from '#lib/spend/usage/token-counter.ts';
import { readChatUsage } from '#lib/spend/usage/token-usage.ts';
import type { Closing, RelayCore } from '../../stream/stream-relay.ts';
import {
  createCutFailure,
  createGarbageFailure,
  createOverflowFailure,
  replyBytesMax,
  toUpstreamFailure,
} from '../../stream/upstream-failure.ts';
import { countReplyBytes, toContentText } from './delta.ts';
import { type FinishReason, readFinishReason } from './finish-reason.ts';
import { readChatFrame } from './read-frame.ts';
import { type ReasoningPiece, readReasoning } from './reasoning.ts';
import { toToolCallIndex } from './repair-choice.ts';

/** A delta of a call. Id and name come once, or in every delta; otherwise they are empty. */
export type CallPiece = Readonly<{ id: string; name: string; arguments: string }>;

/** Writes a chat reply in another protocol. Each method returns the text to send. */
export type ReplyWriter = {
  /** Called with the upstream’s name of the model before anything else, once. */
  begin(model: string): string;
  addText(text: string): string;
  addRefusal(text: string): string;
  addReasoning(piece: ReasoningPiece): string;
  /** A delta of the call with this index. */
  addCall(index: number, piece: CallPiece): string;
  /** Whether something lacks a required value, such as the name of a function. */
  readonly isUnclear: boolean;
  /** The reply has ended; usage may follow. `choice` has what the upstream says about its end. */
  finish(reason: FinishReason, choice: JsonObject): string;
  /** The terminal event. */
  complete(reason: FinishReason, tokens: TokenCounter): string;
  writeFailure(error: HttpError, tokens: TokenCounter): string;
};

/**
 * Reads a chat stream for a writer. The terminal event waits for the usage chunk, or for the end of the
 * stream; a stream that ends without a finish reason has failed.
 */
export function createReplyReader(
  writer: ReplyWriter,
  promptTokensEstimate: number,
  { close, fail }: Closing,
): RelayCore {
  const callIds: unknown[] = [];
  const tokens = createTokenCounter(promptTokensEstimate);
  let isBegun = false;
  let finishReason: FinishReason | null = null;

  function begin(model: string): string {
    if (isBegun) return '';
    isBegun = true;
    return writer.begin(model);
  }

  function takeDelta(delta: JsonObject): string {
    tokens.addReplyBytes(countReplyBytes(delta));
    const reasoning = readReasoning(delta);
    const content = toContentText(delta.content);
    const refusal = toText(delta.refusal);
    let text = reasoning === null ? '' : writer.addReasoning(reasoning);
    if (content !== '') text += writer.addText(content);
    if (refusal !== '') text += writer.addRefusal(refusal);
    if (delta.tool_calls === undefined) return text;
    for (const call of toJsonArray(delta.tool_calls).map(toJsonObject)) {
      const { name, arguments: piece } = toJsonObject(call.function);
      text += writer.addCall(toToolCallIndex(call, callIds), {
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
    const reason = readFinishReason(choice);
    if (reason === 'error') return text + fail(toUpstreamFailure(choice.error));
    if (finishReason === null) {
      text += takeDelta(toJsonObject(choice.delta));
      if (reason !== null) {
        if (writer.isUnclear) return text + fail(createGarbageFailure());
        finishReason = reason;
        text += writer.finish(reason, choice);
      }
    }
    if (tokens.replyBytes > replyBytesMax) return text + fail(createOverflowFailure());
    const usage = readChatUsage(chunk.usage);
    tokens.report(usage);
    // Some send counts with every chunk; those at or after the finish are final.
    return usage !== null && finishReason !== null ? text + complete(finishReason) : text;
  }

  function complete(reason: FinishReason): string {
    close();
    return writer.complete(reason, tokens);
  }

  function end(): string {
    return finishReason === null ? fail(createCutFailure()) : complete(finishReason);
  }

  function endByLength(): string {
    let text = begin('');
    if (finishReason === null) text += writer.finish('length', {});
    return text + complete(finishReason ?? 'length');
  }

  const handlers = { takeChunk, takeDone: end, fail };
  return {
    tokens,
    push: (frame) => readChatFrame(frame, handlers),
    end,
    endByLength,
    awaitsUsage: () => finishReason !== null,
    writeFailure: (error) => begin('') + writer.writeFailure(error, tokens),
  };
}

function isFirstChoice(choice: unknown): boolean {
  return (toJsonObject(choice).index ?? 0) === 0;
}
