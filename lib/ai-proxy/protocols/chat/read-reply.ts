import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { readChatUsage } from '#lib/spend/usage/read-usage.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { type RelayContext, type RelayCore, StreamRelay } from '../../stream/stream-relay.ts';
import {
  createCutFailure,
  createGarbageFailure,
  createOverflowFailure,
  replyBytesMax,
} from '../../upstreams/errors/upstream-failure.ts';
import { keepSource } from '../json/source-text.ts';
import {
  countReplyBytes,
  type FinishReason,
  hasJsonInDelta,
  isEmptyDelta,
  readCalls,
  readChoiceFailure,
  readChunkFailure,
  readFinishReason,
  readPieces,
  toDelta,
} from './choice.ts';
import { readSources } from './citations.ts';
import type { ItemWriter } from './item-sequence.ts';
import { ReplyItems, type ReplyItemsOptions } from './reply-items.ts';

/** A chat reply, as other protocols need it at its end. */
export type Reply = Readonly<{
  items: ReplyItems;
  reason: FinishReason;
  /** What the upstream says about its end. */
  choice: JsonObject;
}>;

/** Writes a chat reply in another protocol. Each method returns the text to send. */
export type ReplyWriter = ReplyItemsOptions &
  Readonly<{
    /** Of the reply. */
    id: string;
    items: ItemWriter;
    /** Called with the upstream’s name of the model before anything else, once. */
    begin(model: string): string;
    /** The terminal event. */
    complete(reply: Reply, usage: TokenUsage): string;
    /** @param reported null if the upstream has reported nothing */
    writeFailure(error: HttpError, items: ReplyItems, reported: TokenUsage | null): string;
  }>;

/**
 * Reads a chat stream for a writer. The terminal event waits for the usage chunk, or for the end of the
 * stream; a stream that ends without a finish reason and `[DONE]` has failed.
 */
export function createReplyRelay(promptTokensEstimate: number, writer: ReplyWriter): StreamRelay {
  return new StreamRelay(promptTokensEstimate, (context) => createReplyCore(writer, context));
}

function createReplyCore(writer: ReplyWriter, { tokens, close, fail }: RelayContext): RelayCore {
  const items = new ReplyItems(writer, writer.items);
  let isBegun = false;
  let reason: FinishReason | null = null;
  let choice: JsonObject = {};

  function begin(model: string): string {
    if (isBegun) return '';
    isBegun = true;
    return writer.begin(model);
  }

  function push(chunk: JsonObject, { event: name, data }: EventSourceMessage): string {
    const choices = toJsonArray(chunk.choices);
    if (choices.some(hasJsonInDelta)) keepSource(chunk, data);
    const usage = readChatUsage(chunk);
    // A failure tells it.
    if (usage !== null) tokens.report(usage);
    const wasFinished = reason !== null;
    const text = takeChunk(chunk, choices, name);
    // What the same chunk has is part of it.
    if (usage !== null) tokens.report(usage);
    if (reason === null) return text;
    tokens.markComplete();
    // The finish chunk of some upstreams has usage, and another one with more of it follows; of others each chunk has both.
    const isEnd = usage !== null && wasFinished;
    const isLast = isEnd && choices.every(isEmptyChoice);
    return isLast ? text + complete(reason) : text;
  }

  function takeChunk(
    chunk: JsonObject,
    choices: readonly unknown[],
    name: string | undefined,
  ): string {
    const reported = readChunkFailure(chunk, name, () => tokens.replyBytes);
    if (reported !== null) return fail(reported);
    const text = isBegun ? '' : begin(toText(chunk.model));
    const first = choices.find(isFirstChoice);
    items.cite(readSources(chunk));
    return isJsonObject(first) ? text + takeChoice(first) : text;
  }

  function takeChoice(received: JsonObject): string {
    const delta = toDelta(received);
    const pieces = readPieces(delta);
    tokens.addReplyBytes(countReplyBytes(delta, pieces));
    const failure = readChoiceFailure(received, () => tokens.replyBytes);
    if (failure !== null) return fail(failure);
    if (tokens.replyBytes > replyBytesMax) return fail(createOverflowFailure());
    const ending = readFinishReason(received);
    const text = items.add(delta, pieces);
    if (ending === null) return text;
    [reason, choice] = [ending, received];
    // Some servers name a reason in every chunk, or in the first.
    if (!isEmptyDelta(delta, pieces) || tokens.replyBytes === 0) return text;
    return text + (items.hasNamelessCall ? fail(createGarbageFailure()) : items.finish(ending));
  }

  function complete(ending: FinishReason): string {
    return items.hasNamelessCall ? fail(createGarbageFailure()) : completeAsIs(ending);
  }

  function completeAsIs(ending: FinishReason): string {
    const text = items.finish(ending);
    close();
    return text + writer.complete({ items, reason: ending, choice }, tokens.usage);
  }

  return {
    replyId: () => (isBegun ? writer.id : null),
    push,
    takeUsage: (chunk) => tokens.report(readChatUsage(chunk)),
    end: () => (reason === null ? fail(createCutFailure()) : complete(reason)),
    takeDone() {
      if (reason !== null) return complete(reason);
      // Some servers name no reason where a reply ends by itself.
      if (tokens.replyBytes === 0 || items.hasCutCall) return fail(createCutFailure());
      return complete('stop');
    },
    endByLength: () => begin('') + completeAsIs(reason ?? 'length'),
    awaitsUsage: () => reason !== null,
    writeFailure: (error) => begin('') + writer.writeFailure(error, items, tokens.reported),
  };
}

/** The reply in a chat result, see `readChatResult`. @throws HttpError if a call has no name */
export function toReply(result: JsonObject, options: ReplyItemsOptions): Reply {
  // One was requested: GitHub Copilot has the text of a reply in one choice, and its calls in another.
  const choices = toJsonArray(result.choices).map(toJsonObject);
  const choice = choices.at(-1) ?? {};
  const items = new ReplyItems(options);
  items.cite(readSources(result));
  let count = 0;
  for (const { message: received } of choices) {
    const message = toJsonObject(received);
    const calls = readCalls(message);
    items.add({ ...message, tool_calls: calls.map((call) => ({ ...call, index: count++ })) });
  }
  if (items.hasNamelessCall) throw createGarbageFailure();
  const reason = readFinishReason(choice) ?? 'stop';
  items.finish(reason);
  return { items, reason, choice };
}

function isEmptyChoice(choice: unknown): boolean {
  return isEmptyDelta(toDelta(toJsonObject(choice)));
}

function isFirstChoice(choice: unknown): boolean {
  return (toJsonObject(choice).index ?? 0) === 0;
}
