import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { TokenCounter } from '#lib/spend/usage/token-counter.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { isNestedWithin } from '../protocols/json/nesting.ts';
import { createGarbageFailure } from './upstream-failure.ts';

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
  /** As counted by the upstream, else estimated from the reply so far. */
  readonly usage: TokenUsage;
};

/** One protocol's part of a relay; not called once the stream is closed. */
export type RelayCore = Readonly<{
  tokens: TokenCounter;
  /** An event with data. */
  push(event: EventSourceMessage): string;
  /** The upstream has ended. */
  end(): string;
  /** The protocol's failure events and `[DONE]`. */
  writeFailure(error: HttpError): string;
  /** The reply is complete but for its usage; never, where usage comes with the end. */
  awaitsUsage?(): boolean;
  /** What the protocol sends where a reply has reached its longest length; closes the stream. */
  endByLength(): string;
}>;

export type Closing = Readonly<{
  /** The text being returned completes the client's stream. */
  close(): void;
  /** Ends the stream as failed and returns the text of the failure. */
  fail(error: HttpError): string;
}>;

/** Deeper JSON can be parsed, but writing it again overflows the stack. */
const depthMax = 1000;
/** Shorter data cannot overflow it. */
const shortDataMax = 4096;

/** Creates the relay of a protocol, and ensures that its stream is closed once. */
export function createRelay(createCore: (closing: Closing) => RelayCore): StreamRelay {
  let isDone = false;
  let failure: HttpError | null = null;

  function fail(error: HttpError): string {
    if (isDone) return '';
    isDone = true;
    failure = error;
    return core.writeFailure(error);
  }

  const core = createCore({
    close() {
      isDone = true;
    },
    fail,
  });

  return {
    push(event) {
      const { data } = event;
      if (isDone || data === '') return '';
      if (data.length > shortDataMax && !isNestedWithin(data, depthMax)) {
        return fail(createGarbageFailure());
      }
      return core.push(event);
    },
    end: () => (isDone ? '' : core.end()),
    fail,
    endByLength: () => (isDone ? '' : core.endByLength()),
    get isDone() {
      return isDone;
    },
    get awaitsUsage() {
      return !isDone && (core.awaitsUsage?.() ?? false);
    },
    get hasOutput() {
      return core.tokens.replyBytes > 0;
    },
    get failure() {
      return failure;
    },
    get usage() {
      return core.tokens.usage;
    },
  };
}
