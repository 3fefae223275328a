import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { createTokenCounter } from '#lib/spend/usage/token-counter.ts';
import { readMessagesUsage, toMessagesUsage } from '#lib/spend/usage/token-usage.ts';
import { toNamedSseFrame, toSingleLine } from '../../stream/sse-frame.ts';
import {
  type Closing,
  createRelay,
  type RelayCore,
  type StreamRelay,
} from '../../stream/stream-relay.ts';
import {
  createCutFailure,
  createGarbageFailure,
  toUpstreamFailure,
} from '../../stream/upstream-failure.ts';
import { toMessagesFailure, toMessagesFrame } from './event-writer.ts';
import { createMessageObject } from './message-object.ts';
import type { MessagesRequest } from './read-request.ts';

/**
 * Relays a Messages stream. Events are forwarded unchanged, except that the first one and the usage get missing
 * fields; unknown types are dropped. A stream that ends without `message_stop` has failed.
 */
export function createMessagesRelay(request: MessagesRequest, id: string): StreamRelay {
  return createRelay((closing) => createMessagesCore(request, id, closing));
}

/** Text of a reply in one delta. */
const deltaTexts = ['text', 'thinking', 'partial_json'] as const;

function createMessagesCore(
  { model, promptTokensEstimate }: MessagesRequest,
  id: string,
  { close, fail }: Closing,
): RelayCore {
  const tokens = createTokenCounter(promptTokensEstimate);
  /** Counts come with the first event, and again with the last ones. */
  let counts: JsonObject = {};
  let isBegun = false;
  let isStopping = false;
  /** The index of the block that is open. */
  let openBlock: unknown = null;

  function takeUsage(given: unknown, isFinal: boolean): void {
    if (!isJsonObject(given)) return;
    counts = { ...counts, ...withoutNulls(given) };
    // The first event’s output count is only the beginning of the reply.
    if (isFinal && hasOutputCount(given)) tokens.report(readMessagesUsage(counts));
  }

  function begin(given: JsonObject, data: string | null): string {
    if (isBegun) return '';
    isBegun = true;
    takeUsage(given.usage, false);
    const isWhole =
      typeof given.id === 'string' && Array.isArray(given.content) && isJsonObject(given.usage);
    if (isWhole && data !== null) return toNamedSseFrame('message_start', data);
    const base = createMessageObject({
      ...{ id, model, content: [], stopReason: null, stopSequence: null },
      usage: readMessagesUsage(counts) ?? tokens.usage,
    });
    return toMessagesFrame('message_start', { message: { ...base, ...given } });
  }

  function takeDelta(delta: JsonObject): void {
    for (const name of deltaTexts) {
      const text = delta[name];
      if (typeof text === 'string') tokens.addReplyBytes(Buffer.byteLength(text));
    }
  }

  function takeEvent(type: string, event: JsonObject, data: string): string {
    switch (type) {
      case 'message_start':
        return begin(toJsonObject(event.message), data);
      case 'content_block_start':
        takeDelta({ text: toJsonObject(event.content_block).name });
        openBlock = event.index;
        break;
      case 'content_block_delta':
        takeDelta(toJsonObject(event.delta));
        break;
      case 'message_delta':
        takeUsage(event.usage, true);
        isStopping = true;
        if (hasOutputCount(event.usage)) break;
        return begin({}, null) + toMessagesFrame(type, withOutputCount(event));
      case 'message_stop':
        if (!isBegun) return fail(createCutFailure());
        close();
        return toNamedSseFrame(type, data);
      case 'error':
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
    tokens,
    push({ event: name, data }) {
      const event = parseJsonObject(data);
      if (event === null) return data === '[DONE]' ? end() : fail(createGarbageFailure());
      const isError = event.type === undefined && (event.error ?? null) !== null;
      const type = isError ? 'error' : toText(event.type) || (name ?? '');
      return takeEvent(type, event, toSingleLine(data));
    },
    end,
    endByLength,
    writeFailure: toMessagesFailure,
  };
}

function hasOutputCount(usage: unknown): boolean {
  return Number.isSafeInteger(toJsonObject(usage).output_tokens);
}
