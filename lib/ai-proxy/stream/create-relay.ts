import type { ProxyError } from '#lib/ai-proxy/proxy-error.ts';
import type { TokenCounter } from '../metering/token-counter.ts';
import type { SseFrame } from './sse-frame.ts';
import type { StreamRelay } from './stream-relay.ts';

/** What a protocol knows of its streams. It is asked nothing once its stream is closed. */
export type RelayCore = Readonly<{
  tokens: TokenCounter;
  /** A frame that has data. */
  push(frame: SseFrame): string;
  /** The upstream has ended. */
  end(): string;
  /** The failure form, `[DONE]` included. */
  writeFailure(error: ProxyError): string;
}>;

export type Closing = Readonly<{
  /** The caller’s stream is complete with the text that is being made. */
  close(): void;
  /** Ends the stream in its failure form, and gives that. */
  fail(error: ProxyError): string;
}>;

/** Makes a relay of what a protocol knows: sees to it that a stream is closed once, one way or the other. */
export function createRelay(build: (closing: Closing) => RelayCore): StreamRelay {
  let isDone = false;
  let failure: ProxyError | null = null;

  function fail(error: ProxyError): string {
    if (isDone) return '';
    isDone = true;
    failure = error;
    return core.writeFailure(error);
  }

  const core = build({
    close() {
      isDone = true;
    },
    fail,
  });

  return {
    push: (frame) => (isDone || frame.data === '' ? '' : core.push(frame)),
    end: () => (isDone ? '' : core.end()),
    fail,
    get isDone() {
      return isDone;
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
