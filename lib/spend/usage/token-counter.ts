import { estimateTextTokens } from './estimate-tokens.ts';
import { type TokenUsage, toEstimatedUsage } from './token-usage.ts';

/** Counts the usage of a reply while it is streamed. */
export type TokenCounter = {
  /** UTF-8 bytes of the reply so far. */
  readonly replyBytes: number;
  addReplyBytes(bytes: number): void;
  /** Stores usage that the upstream reported; the last report counts. */
  report(usage: TokenUsage | null): void;
  /** The usage that the upstream reported; null if none. */
  readonly reported: TokenUsage | null;
  /** The reported usage, or an estimate. */
  readonly usage: TokenUsage;
};

export function createTokenCounter(promptTokensEstimate: number): TokenCounter {
  let replyBytes = 0;
  let reported: TokenUsage | null = null;
  return {
    get replyBytes() {
      return replyBytes;
    },
    addReplyBytes(bytes) {
      replyBytes += bytes;
    },
    report(usage) {
      reported = usage ?? reported;
    },
    get reported() {
      return reported;
    },
    get usage() {
      return reported ?? toEstimatedUsage(promptTokensEstimate, estimateTextTokens(replyBytes));
    },
  };
}
