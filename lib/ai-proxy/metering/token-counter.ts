import { estimateTextTokens } from './estimate-tokens.ts';
import { type TokenUsage, toEstimatedUsage } from './token-usage.ts';

/** Counts what one reply uses while it comes. */
export type TokenCounter = {
  /** UTF-8 bytes of the reply so far. */
  readonly replyBytes: number;
  addReplyBytes(bytes: number): void;
  /** What the upstream says, if it says anything; what it said last holds. */
  report(usage: TokenUsage | null): void;
  /** What the upstream has said; null where it has said nothing. */
  readonly reported: TokenUsage | null;
  /** The same, or an estimate in its place. */
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
