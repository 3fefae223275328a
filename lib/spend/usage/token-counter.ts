import { estimateTextTokens } from './estimate-tokens.ts';
import { completeUsage, mergeUsage, type TokenUsage } from './token-usage.ts';

/** Counts the usage of a reply while it is streamed. */
export type TokenCounter = {
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

export function createTokenCounter(promptTokensEstimate: number): TokenCounter {
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
