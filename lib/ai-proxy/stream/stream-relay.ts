import type { TokenUsage } from '../metering/token-usage.ts';
import type { ProxyError } from '../proxy-error.ts';
import type { SseFrame } from './sse-frame.ts';

/**
 * Turns the frames of an upstream's stream into the text of the caller's stream. A state machine without
 * I/O. Each text that it gives is whole frames, or empty. It closes the caller's stream exactly once, with
 * `[DONE]`; after that it gives nothing more.
 */
export type StreamRelay = {
  push(frame: SseFrame): string;
  /** The upstream has ended its stream. Where that came too early, the text is the failure form. */
  end(): string;
  /** The reply cannot go on, for a reason that the upstream's frames do not show. */
  fail(error: ProxyError): string;
  /** Whether the caller's stream is closed. The upstream may still have bytes to come; they count no more. */
  readonly isDone: boolean;
  /** Whether any part of a reply was seen, so that a new attempt would repeat it. */
  readonly hasOutput: boolean;
  /**
   * Why the stream failed, once it did. Where no byte has been sent to the caller yet, it is better
   * thrown than streamed.
   */
  readonly failure: ProxyError | null;
  /** What the reply used: by the upstream's count, else estimated from what was seen so far. */
  readonly usage: TokenUsage;
};
