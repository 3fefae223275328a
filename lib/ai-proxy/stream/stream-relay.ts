import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { estimateTextTokens } from '#lib/spend/usage/estimate-tokens.ts';
import {
  completeUsage,
  mergeUsage,
  noCalls,
  type TokenUsage,
} from '#lib/spend/usage/token-usage.ts';
import { countNames, readCalledTool } from '../protocols/called-tools.ts';
import { parseUpstreamJson } from '../protocols/json/parse-json.ts';
import { createGarbageFailure } from '../upstreams/errors/upstream-failure.ts';

/** One protocol's part of a relay; not called once the stream is closed. */
export type RelayCore = Readonly<{
  /** The id of the reply, as the client knows it; null until it has begun. */
  replyId(): string | null;
  /** An event with a JSON object. */
  push(event: JsonObject, message: EventSourceMessage): string;
  /** An event after the stream has failed: only the usage in it counts. */
  takeUsage(event: JsonObject): void;
  /** The upstream has ended. */
  end(): string;
  /** `[DONE]` was received; if left out, it is an end like any other. */
  takeDone?(): string;
  /** The protocol's failure events and `[DONE]`. */
  writeFailure(error: HttpError): string;
  /** The reply is complete but for its usage; never, where usage comes with the end. */
  awaitsUsage?(): boolean;
  /** What the protocol sends where a reply has reached its longest length; closes the stream. */
  endByLength(): string;
}>;

/** What a protocol's part gets. */
export type RelayContext = Readonly<{
  tokens: TokenCounter;
  /** The text being returned completes the client's stream. */
  close(): void;
  /** Ends the stream as failed and returns the text of the failure. */
  fail(error: HttpError): string;
}>;

/**
 * Turns the events of an upstream's stream into the text of the client's stream. A state machine without
 * I/O, which closes the stream once. Each text is empty or whole frames. `[DONE]` is written exactly once, and nothing
 * after it.
 */
export class StreamRelay {
  readonly #tokens: TokenCounter;
  readonly #core: RelayCore;
  #isDone = false;
  #failure: HttpError | null = null;

  constructor(promptTokensEstimate: number, createCore: (context: RelayContext) => RelayCore) {
    this.#tokens = new TokenCounter(promptTokensEstimate);
    this.#core = createCore({
      tokens: this.#tokens,
      close: () => {
        this.#isDone = true;
      },
      fail: (error) => this.fail(error),
    });
  }

  push(message: EventSourceMessage): string {
    const { data } = message;
    if (this.#isDone) return this.#takeLateUsage(data);
    // Some gateways pass comments on as data.
    if (data === '' || data.startsWith(':')) return '';
    if (data === doneData) return this.#core.takeDone?.() ?? this.#core.end();
    const event = parseUpstreamJson(data);
    return event === null ? this.fail(createGarbageFailure()) : this.#core.push(event, message);
  }

  /** The upstream has ended; too early is a failure, which the text then reports. */
  end(): string {
    return this.#isDone ? '' : this.#core.end();
  }

  /** Fails the stream for a reason outside of it, such as a broken connection. */
  fail(error: HttpError): string {
    if (this.#isDone) return '';
    this.#isDone = true;
    this.#failure = error;
    return this.#core.writeFailure(error);
  }

  /** Completes the stream as one that has reached its longest length: the budget is used up. */
  endByLength(): string {
    return this.#isDone ? '' : this.#core.endByLength();
  }

  /** As the client knows it; null until the reply has begun. */
  get replyId(): string | null {
    return this.#core.replyId();
  }

  /** Whether the client's stream is complete; whatever the upstream still sends is ignored. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The reply is complete but for its usage. */
  get awaitsUsage(): boolean {
    return !this.#isDone && (this.#core.awaitsUsage?.() ?? false);
  }

  /** Whether the upstream has sent any part of a reply. */
  get hasOutput(): boolean {
    return this.#tokens.replyBytes > 0;
  }

  /** Why the stream failed. Throw it where no byte has been sent yet: the client then gets a status. */
  get failure(): HttpError | null {
    return this.#failure;
  }

  /** What the upstream has reported so far, also in a stream that failed; null if nothing. */
  get reported(): TokenUsage | null {
    return this.#tokens.reported;
  }

  /**
   * At any time at least what was reported, and at least an estimate of the reply so far. A complete reply whose
   * usage was reported with its end or later is not estimated.
   */
  get usage(): TokenUsage {
    return this.#tokens.usage;
  }

  /** Some upstreams tell the usage of a failed reply after the error. */
  #takeLateUsage(data: string): string {
    const event = this.#failure === null || data === doneData ? null : parseUpstreamJson(data);
    if (event !== null) this.#core.takeUsage(event);
    return '';
  }
}

/** The type of an event of Responses or Messages, which some upstreams only name; an error may have none. */
export function toEventType({ type, error }: JsonObject, name: string | undefined): string {
  if (type === undefined && (error ?? null) !== null) return 'error';
  return typeof type === 'string' && type !== '' ? type : (name ?? '');
}

/**
 * Whether an event of an unknown type is passed on: not if it reports an error, whose text may reveal the upstream’s
 * account, or is about that account, or the connection.
 */
export function mayPassOn(type: string, event: JsonObject): boolean {
  const failed = [event, toJsonObject(event.response), toJsonObject(event.message)];
  const reports = failed.some(({ error }) => (error ?? null) !== null);
  return (
    !reports &&
    /^[\w.-]{1,100}$/.test(type) &&
    !/error|limit|account|billing|keep_?alive/.test(type)
  );
}

/** The data of the last frame of every stream. */
const doneData = '[DONE]';
export const doneFrame = `data: ${doneData}\n\n`;

/** A comment, which clients ignore: it keeps intermediaries from closing a silent stream. */
export const heartbeatFrame = ': \n\n';

/** A frame of a chat stream. `data` has no line breaks: it is JSON on one line. */
export function toSseFrame(data: string): string {
  return `data: ${data}\n\n`;
}

/** A frame of a Responses stream. */
export function toNamedSseFrame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** JSON on one line. A line break in JSON is always white space, so it can become a space. */
export function toSingleLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}

/** Counts the usage of a reply while it is streamed. */
class TokenCounter {
  readonly #promptTokensEstimate: number;
  #replyBytes = 0;
  #reported: TokenUsage | null = null;
  /** The bytes of the reply when it was reported last. */
  #reportedBytes = 0;
  #isComplete = false;
  /** The upstream's own tools that the reply shows, by the place of the item or block. */
  readonly #called = new Map<unknown, string>();

  constructor(promptTokensEstimate: number) {
    this.#promptTokensEstimate = promptTokensEstimate;
  }

  /** UTF-8 bytes of the reply so far. */
  get replyBytes(): number {
    return this.#replyBytes;
  }

  addReplyBytes(bytes: number): void {
    this.#replyBytes += bytes;
  }

  /** Usage that the upstream reported, at any time. Call it after the bytes that the same event has. */
  report(usage: TokenUsage | null): void {
    if (usage === null) return;
    this.#reported = mergeUsage(this.#reported, usage);
    this.#reportedBytes = this.#replyBytes;
  }

  /** An item or block of the reply, which may be of one of the upstream's own tools: the last one of its place counts. */
  showCall(place: unknown, item: unknown): void {
    const name = readCalledTool(item);
    if (name === null) this.#called.delete(place);
    else this.#called.set(place, name);
  }

  /** The reply is complete: its output is not estimated, unless more of it followed the last report. */
  markComplete(): void {
    this.#isComplete = true;
  }

  /** What the upstream reported; null if nothing. */
  get reported(): TokenUsage | null {
    return this.#reported;
  }

  /** What was reported, and at least an estimate of the reply so far. */
  get usage(): TokenUsage {
    const reported = this.#reported;
    const isReported = reported !== null && reported.outputTokens > 0;
    const isCounted = isReported && this.#isComplete && this.#reportedBytes === this.#replyBytes;
    return completeUsage(reported, {
      inputTokens: this.#promptTokensEstimate,
      outputTokens: isCounted ? 0 : estimateTextTokens(this.#replyBytes),
      toolCalls: this.#called.size === 0 ? noCalls : countNames(this.#called.values()),
    });
  }
}
