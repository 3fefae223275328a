import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { estimateTextTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { completeUsage, mergeUsage, type TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { parseUpstreamJson } from '../protocols/json/parse-json.ts';
import { createGarbageFailure } from '../upstreams/errors/failure.ts';

/**
 * Turns the events of an upstream's stream into the text of the client's stream. A state machine without
 * I/O. Each text is empty or whole frames. `[DONE]` is written exactly once, and nothing after it.
 */
export type StreamRelay = {
  push(event: EventSourceMessage): string;
  /** The upstream has ended; too early is a failure, which the text then reports. */
  end(): string;
  /** Fails the stream for a reason outside of it, such as a broken connection. */
  fail(error: HttpError): string;
  /** Completes the stream as one that has reached its longest length: the budget is used up. */
  endByLength(): string;
  /** Whether the client's stream is complete; whatever the upstream still sends is ignored. */
  readonly isDone: boolean;
  /** The reply is complete but for its usage. */
  readonly awaitsUsage: boolean;
  /** Whether the upstream has sent any part of a reply. */
  readonly hasOutput: boolean;
  /** Why the stream failed. Throw it where no byte has been sent yet: the client then gets a status. */
  readonly failure: HttpError | null;
  /** What the upstream has reported so far, also in a stream that failed; null if nothing. */
  readonly reported: TokenUsage | null;
  /**
   * At any time at least what was reported, and at least an estimate of the reply so far. A complete reply whose
   * usage was reported with its end or later is not estimated.
   */
  readonly usage: TokenUsage;
};

/** One protocol's part of a relay; not called once the stream is closed. */
export type RelayCore = Readonly<{
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

/** Creates the relay of a protocol, and ensures that its stream is closed once. */
export function createRelay(
  promptTokensEstimate: number,
  createCore: (context: RelayContext) => RelayCore,
): StreamRelay {
  const tokens = createTokenCounter(promptTokensEstimate);
  let isDone = false;
  let failure: HttpError | null = null;

  function fail(error: HttpError): string {
    if (isDone) return '';
    isDone = true;
    failure = error;
    return core.writeFailure(error);
  }

  const core = createCore({
    tokens,
    close() {
      isDone = true;
    },
    fail,
  });
  const end = () => (isDone ? '' : core.end());

  /** Some upstreams tell the usage of a failed reply after the error. */
  function takeLateUsage(data: string): string {
    const event = failure === null || data === doneData ? null : parseUpstreamJson(data);
    if (event !== null) core.takeUsage(event);
    return '';
  }

  return {
    push(message) {
      const { data } = message;
      if (isDone) return takeLateUsage(data);
      if (data === '') return '';
      if (data === doneData) return core.takeDone?.() ?? core.end();
      const event = parseUpstreamJson(data);
      return event === null ? fail(createGarbageFailure()) : core.push(event, message);
    },
    end,
    fail,
    endByLength: () => (isDone ? '' : core.endByLength()),
    get isDone() {
      return isDone;
    },
    get awaitsUsage() {
      return !isDone && (core.awaitsUsage?.() ?? false);
    },
    get hasOutput() {
      return tokens.replyBytes > 0;
    },
    get failure() {
      return failure;
    },
    get reported() {
      return tokens.reported;
    },
    get usage() {
      return tokens.usage;
    },
  };
}

/** The type of an event of Responses or Messages, which some upstreams only name; an error may have none. */
export function toEventType({ type, error }: JsonObject, name: string | undefined): string {
  if (type === undefined && (error ?? null) !== null) return 'error';
  return typeof type === 'string' && type !== '' ? type : (name ?? '');
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
type TokenCounter = {
  /** UTF-8 bytes of the reply so far. */
  readonly replyBytes: number;
  addReplyBytes(bytes: number): void;
  /** Usage that the upstream reported, at any time; of several reports the highest of each field counts. */
  report(usage: TokenUsage | null): void;
  /** The reply is complete, and so is what was reported: its output is no longer estimated. */
  markComplete(): void;
  /** What the upstream reported; null if nothing. */
  readonly reported: TokenUsage | null;
  /** What was reported, and at least an estimate of the reply so far. */
  readonly usage: TokenUsage;
};

function createTokenCounter(promptTokensEstimate: number): TokenCounter {
  let replyBytes = 0;
  let reported: TokenUsage | null = null;
  let isComplete = false;
  return {
    get replyBytes() {
      return replyBytes;
    },
    addReplyBytes(bytes) {
      if (bytes === 0) return;
      replyBytes += bytes;
      // What follows a report is not part of it.
      isComplete = false;
    },
    report(usage) {
      if (usage !== null) reported = mergeUsage(reported, usage);
    },
    markComplete() {
      isComplete = true;
    },
    get reported() {
      return reported;
    },
    get usage() {
      const isCounted = isComplete && reported !== null && reported.outputTokens > 0;
      return completeUsage(reported, {
        inputTokens: promptTokensEstimate,
        outputTokens: isCounted ? 0 : estimateTextTokens(replyBytes),
      });
    },
  };
}
