import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { readMessagesUsage } from '#lib/spend/usage/read-usage.ts';
import { toMessagesUsage } from '#lib/spend/usage/write-usage.ts';
import {
  mayPassOn,
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toEventType,
  toNamedSseFrame,
  toSingleLine,
} from '../../stream/stream-relay.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import {
  createCutFailure,
  createOverflowFailure,
  replyBytesMax,
} from '../../upstreams/errors/upstream-failure.ts';
import { toArgumentsText } from '../json/arguments.ts';
import { keepSource } from '../json/source-text.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import {
  ContentBlocks,
  openBlocksMax,
  toEmptyBlock,
  toWholeInput,
  withContent,
  withStopReason,
} from './content-blocks.ts';
import type { MessagesRequest } from './messages-request.ts';
import { reasoningField } from './own-reasoning.ts';
import { createMessageObject, toMessagesFailure, toMessagesFrame } from './writer.ts';

/**
 * Relays a Messages stream. Events are forwarded unchanged, unknown ones too, except that the first one and the usage get
 * missing fields, and blocks their place. A stream that ends without `message_stop` has failed.
 */
export function createMessagesRelay(request: MessagesRequest, identity: Identity): StreamRelay {
  return new StreamRelay(
    request.promptTokensEstimate,
    (context) => new MessagesRelay(request, identity, context),
  );
}

/** Text of a reply in one delta. */
const deltaTexts = ['text', 'thinking', 'partial_json'] as const;

type Identity = Readonly<{ id: string; reasoning: ReasoningMark }>;

class MessagesRelay implements RelayCore {
  readonly #model: string;
  readonly #identity: Identity;
  readonly #context: RelayContext;
  /** Counts come with the first event, and again with the last ones, where those that stay the same may lack. */
  #counts: JsonObject = {};
  /** Of the message, once it has begun. */
  #id: string | null = null;
  #isStopping = false;
  readonly #blocks = new ContentBlocks();
  /** Of its blocks. */
  readonly #ids = new Set<string>();
  /** Of calls that began with them, by the index of their block: clients read the input of deltas alone. */
  readonly #inputs = new Map<number, string>();
  /** The signature of the open block has begun. */
  #isSigned = false;
  /** The client has a tool to run. */
  #hasCall = false;

  constructor({ model }: MessagesRequest, identity: Identity, context: RelayContext) {
    this.#model = model;
    this.#identity = identity;
    this.#context = context;
  }

  replyId(): string | null {
    return this.#id;
  }

  push(event: JsonObject, { event: name, data }: EventSourceMessage): string {
    const type = toEventType(event, name);
    const isText = type === 'content_block_delta' && !hasJson(toJsonObject(event.delta));
    // Most events have only text.
    if (!isText) keepSource(event, data);
    return this.#takeEvent(type, event, toSingleLine(data));
  }

  takeUsage({ usage }: JsonObject): void {
    if (!isJsonObject(usage)) return;
    this.#counts = { ...this.#counts, ...withoutNulls(usage) };
    this.#context.tokens.report(readMessagesUsage({ usage: this.#counts }));
  }

  end(): string {
    // Some servers leave the last event out.
    if (!this.#isStopping) return this.#context.fail(createCutFailure());
    this.#context.close();
    return toMessagesFrame('message_stop');
  }

  endByLength(): string {
    const opening = this.#begin({}, null);
    this.#context.close();
    const delta = { stop_reason: 'max_tokens', stop_sequence: null };
    const usage = toMessagesUsage(this.#context.tokens.usage);
    return (
      opening +
      this.#closeBlocks() +
      (this.#isStopping ? '' : toMessagesFrame('message_delta', { delta, usage })) +
      toMessagesFrame('message_stop')
    );
  }

  writeFailure(error: HttpError): string {
    return toMessagesFailure(error);
  }

  #takeEvent(type: string, event: JsonObject, data: string): string {
    const { close, fail, tokens } = this.#context;
    switch (type) {
      case 'message_start':
        return this.#begin(toJsonObject(event.message), data);
      case 'content_block_start':
        return this.#begin({}, null) + this.#openNextBlock(event, data);
      case 'content_block_delta':
        return this.#begin({}, null) + this.#takeDelta(event, data);
      case 'content_block_stop':
        return this.#begin({}, null) + this.#endBlock(event, data);
      case 'message_delta':
        return this.#begin({}, null) + this.#takeEnding(event, data);
      case 'message_stop':
        if (this.#id === null) return fail(createCutFailure());
        this.#takeFinalUsage(event);
        close();
        return this.#closeBlocks() + toNamedSseFrame(type, data);
      case 'error':
        this.takeUsage(event);
        return fail(toUpstreamFailure(event.error ?? event, tokens.replyBytes));
      case 'ping':
        break;
      default:
        if (!mayPassOn(type, event)) return '';
        this.#countTexts(toJsonObject(event.delta));
    }
    return this.#begin({}, null) + toNamedSseFrame(type, data);
  }

  #begin(received: JsonObject, data: string | null): string {
    if (this.#id !== null) return '';
    this.#id = toText(received.id) || this.#identity.id;
    this.takeUsage(received);
    // SGLang counts a prompt only at the end of its reply, and Claude Code would take it for empty until then.
    const isNamed = 'input_tokens' in toJsonObject(received.usage);
    const isCounted = isNamed && (readMessagesUsage(received)?.inputTokens ?? 0) > 0;
    const base = createMessageObject({
      id: this.#id,
      model: this.#model,
      content: [],
      stopReason: null,
      stopSequence: null,
      usage: this.#context.tokens.usage,
    });
    const hasAll = Object.keys(base).every((name) => received[name] !== undefined);
    const hasOwn = received.id === this.#id && Array.isArray(received.content);
    const isComplete = hasAll && hasOwn && isCounted;
    if (isComplete && data !== null) return toNamedSseFrame('message_start', data);
    const { usage, ...stated } = withoutNulls(received);
    const shown = isCounted ? { usage } : {};
    const message = { ...base, ...stated, ...shown, id: this.#id };
    return toMessagesFrame('message_start', { message });
  }

  #openNextBlock(event: JsonObject, data: string | null): string {
    const received = toJsonObject(event.content_block);
    const block = withContent(received, this.#ids);
    const former = this.#blocks.findOpen(event.index);
    const isFull = this.#blocks.openIndexes.length === openBlocksMax;
    const ended = isFull ? this.#blocks.openIndexes : former === null ? [] : [former];
    const closing = ended.map((one) => this.#closeBlock(one)).join('');
    const index = this.#blocks.open(event.index, block.type);
    // A block may begin with a part of its text; that of a call with the name.
    this.#countTexts(block);
    this.#countTexts({ text: block.name });
    this.#context.tokens.showCall(index, block);
    const marked = markField(block, reasoningField(block) ?? '', this.#identity.reasoning);
    this.#isSigned = marked !== block;
    const input = toWholeInput(block);
    this.#countTexts({ partial_json: input });
    if (input !== '') this.#inputs.set(index, input);
    const { fail, tokens } = this.#context;
    if (this.#inputs.size > 0 && tokens.replyBytes > replyBytesMax) {
      return fail(createOverflowFailure());
    }
    const shown = input === '' ? marked : { ...marked, input: {} };
    this.#hasCall ||= block.type === 'tool_use';
    const isSame = shown === received && index === event.index;
    return data !== null && isSame
      ? closing + toNamedSseFrame('content_block_start', data)
      : closing + toMessagesFrame('content_block_start', { ...event, index, content_block: shown });
  }

  /** A signature may come in pieces: the first one has the mark. */
  #takeDelta(event: JsonObject, data: string): string {
    const delta = withJsonText(toJsonObject(event.delta));
    this.#countTexts(delta);
    const shown = this.#isSigned ? delta : markField(delta, 'signature', this.#identity.reasoning);
    const isAtPlace = this.#blocks.isAt(event.index, delta.type);
    const own = isAtPlace ? Number(event.index) : this.#blocks.ofDelta(event.index, delta.type);
    if (own !== null && toText(delta.partial_json) !== '') this.#inputs.delete(own);
    if (shown === event.delta && isAtPlace) {
      return toNamedSseFrame('content_block_delta', data);
    }
    const empty = own === null ? toEmptyBlock(delta.type) : null;
    const opening = empty === null ? '' : this.#openFor(event, empty);
    const index = own ?? this.#blocks.ofDelta(event.index, delta.type);
    // There is no block that could have it.
    if (index === null) return '';
    this.#isSigned ||= shown !== delta;
    return opening + toMessagesFrame('content_block_delta', { ...event, index, delta: shown });
  }

  /** Begins a block that the upstream has not begun. */
  #openFor({ index }: JsonObject, empty: JsonObject): string {
    return this.#closeBlocks() + this.#openNextBlock({ index, content_block: empty }, null);
  }

  #endBlock(event: JsonObject, data: string): string {
    const index = this.#blocks.findEnding(event.index);
    if (index === null) return '';
    const input = this.#writeInput(index);
    this.#blocks.close(index);
    return index === event.index
      ? input + toNamedSseFrame('content_block_stop', data)
      : input + toMessagesFrame('content_block_stop', { ...event, index });
  }

  #closeBlock(index: number): string {
    const input = this.#writeInput(index);
    this.#blocks.close(index);
    return input + toMessagesFrame('content_block_stop', { index });
  }

  #writeInput(index: number): string {
    const partial_json = this.#inputs.get(index);
    if (partial_json === undefined) return '';
    this.#inputs.delete(index);
    const delta = { type: 'input_json_delta', partial_json };
    return toMessagesFrame('content_block_delta', { index, delta });
  }

  #closeBlocks(): string {
    return this.#blocks.openIndexes.map((index) => this.#closeBlock(index)).join('');
  }

  #takeEnding(event: JsonObject, data: string): string {
    const { tokens } = this.#context;
    const closing = this.#closeBlocks();
    this.#takeFinalUsage(event);
    this.#isStopping = true;
    const { output_tokens: count } = toJsonObject(event.usage);
    const received = toJsonObject(event.delta);
    const delta = withStopReason(received, this.#hasCall);
    const isCounted = Number.isSafeInteger(count);
    if (isCounted && delta === received) return closing + toNamedSseFrame('message_delta', data);
    // Clients read it without checking that it exists.
    const output_tokens = isCounted ? count : toMessagesUsage(tokens.usage).output_tokens;
    const usage = { ...toJsonObject(event.usage), output_tokens };
    return closing + toMessagesFrame('message_delta', { ...event, delta, usage });
  }

  /** The first event’s output count is only the beginning of the reply. */
  #takeFinalUsage(event: JsonObject): void {
    this.takeUsage(event);
    if (readMessagesUsage(event)?.outputTokens) this.#context.tokens.markComplete();
  }

  #countTexts(delta: JsonObject): void {
    for (const name of deltaTexts) {
      const text = delta[name];
      if (typeof text === 'string') this.#context.tokens.addReplyBytes(Buffer.byteLength(text));
    }
  }
}

function hasJson({ partial_json: input }: JsonObject): boolean {
  return isJsonObject(input);
}

/** Some servers send the input of a call as an object, which clients would show as `[object Object]`. */
function withJsonText(delta: JsonObject): JsonObject {
  if (!hasJson(delta)) return delta;
  return { ...delta, partial_json: toArgumentsText(delta.partial_json) };
}
