import { isJsonObject, type JsonObject, toJsonObject, withoutNulls } from '#lib/http/json-value.ts';
import { readMessagesUsage, toMessagesUsage } from '#lib/spend/usage/token-usage.ts';
import {
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toEventType,
  toNamedSseFrame,
  toSingleLine,
} from '../../stream/stream-relay.ts';
import { createCutFailure } from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/upstream-error.ts';
import { toArgumentsText } from '../json/arguments.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import { reasoningField } from './own-reasoning.ts';
import type { MessagesRequest } from './read-request.ts';
import { createMessageObject, toMessagesFailure, toMessagesFrame } from './writer.ts';

/**
 * Relays a Messages stream. Events are forwarded unchanged, except that the first one and the usage get missing
 * fields; unknown types are dropped. A stream that ends without `message_stop` has failed.
 */
export function createMessagesRelay(
  request: MessagesRequest,
  identity: Readonly<{ id: string; reasoning: ReasoningMark }>,
): StreamRelay {
  return new StreamRelay(request.promptTokensEstimate, (context) =>
    createMessagesCore(request, identity, context),
  );
}

/** Text of a reply in one delta. */
const deltaTexts = ['text', 'thinking', 'partial_json'] as const;

function createMessagesCore(
  { model }: MessagesRequest,
  { id, reasoning }: Readonly<{ id: string; reasoning: ReasoningMark }>,
  { tokens, close, fail }: RelayContext,
): RelayCore {
  /** Counts come with the first event, and again with the last ones, where those that stay the same may lack. */
  let counts: JsonObject = {};
  let isBegun = false;
  let isStopping = false;
  /** The index of the block that is open. */
  let openBlock: unknown = null;
  /** The signature of the open block has begun. */
  let isSigned = false;

  function takeUsage(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    counts = { ...counts, ...withoutNulls(usage) };
    tokens.report(readMessagesUsage(counts));
  }

  function begin(received: JsonObject, data: string | null): string {
    if (isBegun) return '';
    isBegun = true;
    takeUsage(received.usage);
    const isComplete =
      typeof received.id === 'string' &&
      Array.isArray(received.content) &&
      isJsonObject(received.usage);
    if (isComplete && data !== null) return toNamedSseFrame('message_start', data);
    const base = createMessageObject({
      id,
      model,
      content: [],
      stopReason: null,
      stopSequence: null,
      usage: tokens.usage,
    });
    return toMessagesFrame('message_start', { message: { ...base, ...received } });
  }

  function takeDelta(delta: JsonObject): void {
    for (const name of deltaTexts) {
      const text = delta[name];
      if (typeof text === 'string') tokens.addReplyBytes(Buffer.byteLength(text));
    }
  }

  /** A block may begin with a part of its text; that of a call with the name. */
  function takeBlock(block: JsonObject): void {
    takeDelta(block);
    takeDelta({ text: block.name });
  }

  function writeBlock(event: JsonObject, data: string): string {
    const block = toJsonObject(event.content_block);
    const shown = markField(block, reasoningField(block) ?? '', reasoning);
    isSigned = shown !== block;
    return shown === block
      ? toNamedSseFrame('content_block_start', data)
      : toMessagesFrame('content_block_start', { ...event, content_block: shown });
  }

  /** A signature may come in pieces: the first one has the mark. */
  function writeDelta(event: JsonObject, data: string): string {
    const delta = withJsonText(toJsonObject(event.delta));
    const shown = isSigned ? delta : markField(delta, 'signature', reasoning);
    if (shown === event.delta) return toNamedSseFrame('content_block_delta', data);
    isSigned ||= shown !== delta;
    return toMessagesFrame('content_block_delta', { ...event, delta: shown });
  }

  function takeEvent(type: string, event: JsonObject, data: string): string {
    switch (type) {
      case 'message_start':
        return begin(toJsonObject(event.message), data);
      case 'content_block_start':
        takeBlock(toJsonObject(event.content_block));
        openBlock = event.index;
        return begin({}, null) + writeBlock(event, data);
      case 'content_block_delta':
        takeDelta(withJsonText(toJsonObject(event.delta)));
        return begin({}, null) + writeDelta(event, data);
      case 'message_delta':
        takeUsage(event.usage);
        isStopping = true;
        // The first event’s output count is only the beginning of the reply.
        if (hasOutputCount(event.usage)) tokens.markComplete();
        if (Number.isSafeInteger(toJsonObject(event.usage).output_tokens)) break;
        return begin({}, null) + toMessagesFrame(type, withOutputCount(event));
      case 'message_stop':
        if (!isBegun) return fail(createCutFailure());
        close();
        return toNamedSseFrame(type, data);
      case 'error':
        takeUsage(event.usage);
        return fail(toUpstreamFailure(event.error ?? event));
      case 'content_block_stop':
        openBlock = null;
        break;
      case 'ping':
        break;
      default:
        return '';
    }
    return begin({}, null) + toNamedSseFrame(type, data);
  }

  /** Clients read it without checking that it exists. */
  function withOutputCount(event: JsonObject): JsonObject {
    const { output_tokens } = toMessagesUsage(tokens.usage);
    return { ...event, usage: { ...toJsonObject(event.usage), output_tokens } };
  }

  function end(): string {
    // Some servers leave the last event out.
    if (!isStopping) return fail(createCutFailure());
    close();
    return toMessagesFrame('message_stop');
  }

  function endByLength(): string {
    const opening = begin({}, null);
    close();
    const delta = { stop_reason: 'max_tokens', stop_sequence: null };
    const usage = toMessagesUsage(tokens.usage);
    return (
      opening +
      (openBlock === null ? '' : toMessagesFrame('content_block_stop', { index: openBlock })) +
      (isStopping ? '' : toMessagesFrame('message_delta', { delta, usage })) +
      toMessagesFrame('message_stop')
    );
  }

  return {
    push: (event, { event: name, data }) =>
      takeEvent(toEventType(event, name), event, toSingleLine(data)),
    takeUsage: ({ usage }) => takeUsage(usage),
    end,
    endByLength,
    writeFailure: toMessagesFailure,
  };
}

/** Some servers send the input of a call as an object, which clients would show as `[object Object]`. */
function withJsonText(delta: JsonObject): JsonObject {
  const { partial_json: input } = delta;
  return isJsonObject(input) ? { ...delta, partial_json: toArgumentsText(input) } : delta;
}

function hasOutputCount(usage: unknown): boolean {
  return (readMessagesUsage({ output_tokens: toJsonObject(usage).output_tokens }) ?? null) !== null;
}
