import { type TokenUsage, toConsistent, toReport } from './token-usage.ts';

/** What a reply may use, whatever its upstream reports. */
export type TokenBounds = Readonly<{
  /** Prompt and reply together; null: unknown, or several calls of models make one reply. */
  contextTokens: number | null;
  /** The bound that the upstream has got, of all replies to the prompt together; null: none. */
  outputTokens: number | null;
  /** Models that reason exceed their bound: how many times, as requests of two owners have shown. */
  outputFactor: number;
}>;

/** A factor is that of so many tokens at least: a client that asks for one word gets a whole thought. */
const boundLeast = 256;
const factorMax = 64;
/** Of one tool: more than any model makes for one reply. */
const toolCallsMax = 100;

/** Tokens that are reported beyond what is possible do not count; those that were seen do. */
export function toBelievedUsage(usage: TokenUsage, bounds: TokenBounds): TokenUsage {
  const { inputTokens, outputTokens, seenOutputTokens = 0 } = usage;
  const context = bounds.contextTokens ?? Number.POSITIVE_INFINITY;
  const bound = bounds.outputTokens ?? Number.POSITIVE_INFINITY;
  const most = Math.max(seenOutputTokens, Math.min(bound * bounds.outputFactor, context));
  const calls = [...(usage.toolCalls ?? [])];
  const hasPossibleCalls = calls.every(([, count]) => count <= toolCallsMax);
  if (inputTokens <= context && outputTokens <= most && hasPossibleCalls) return usage;
  const believed = toConsistent({
    ...toReport(usage),
    inputTokens: Math.min(inputTokens, context),
    outputTokens: Math.min(outputTokens, most),
    toolCalls: new Map(calls.map(([name, count]) => [name, Math.min(count, toolCallsMax)])),
  });
  return { ...believed, isEstimated: usage.isEstimated };
}

/** How many times its bound a reply reports; 1: it is within. */
export function toOutputFactor(
  { outputTokens: reported, isEstimated }: TokenUsage,
  { outputTokens: bound }: TokenBounds,
): number {
  if (bound === null || isEstimated || reported <= bound) return 1;
  const factor = Math.ceil((reported / Math.max(bound, boundLeast)) * 10) / 10;
  return Math.min(Math.max(1.1, factor), factorMax);
}
