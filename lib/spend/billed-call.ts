import type { AccountLimit, Payer } from './budgets.ts';
import { type Charge, type Tariff, toCharge, toRate } from './charge.ts';
import type { Need } from './demand.ts';
import type { UsageRecord } from './ledger/usage-record.ts';
import { type TokenBounds, toBelievedUsage, toOutputFactor } from './usage/believed-tokens.ts';
import { type TokenUsage, toEstimatedUsage, withSentPrompt } from './usage/token-usage.ts';

/** Who asks for what. */
export type BilledRequest = Readonly<{
  key: Readonly<{ limits: readonly AccountLimit[]; payer: Payer; owner: string }>;
  endpoint: string;
  /** As the client names it. */
  model: string;
  isStreamed: boolean;
  /** These two: see `UsageRecord`. */
  session: string | null;
  requestId: string | null;
  /** When the request arrived: Unix ms, and by the monotonic clock. */
  at: number;
  startedAt: number;
}>;

/** The upstream that is called. */
export type BilledTarget = Readonly<{ upstream: string; tariff: Tariff; bounds: TokenBounds }>;

/** What a reply has used that is not complete, and what its upstream has reported of that. */
export type Progress = Readonly<{ usage: TokenUsage; reported: TokenUsage | null }>;

/** What is known of the reply to a call, or of the error in its place. */
export type BilledReply = Readonly<{
  firstByteMs: number | null;
  /** These two: see `UsageRecord`. */
  replyId: string | null;
  errorCode: string | null;
}>;

/** One call for a request, as it stands. */
export type BilledCall = Readonly<{
  /** Of its record. */
  id: string;
  request: BilledRequest;
  need: Pick<Need, 'media' | 'surcharge'>;
  target: BilledTarget;
  /** Of the prompt, as it was sent, whatever is reserved for it. */
  promptTokens: number;
  /** Reserved for the reply. */
  outputTokens: number;
  reply: BilledReply;
}>;

/** The status of a request whose process was killed before its end. */
const killedStatus = 500;

/** @param usage null: unknown, so that the prompt is charged as sent, and all that is reserved for the reply */
export function toUsageRecord(
  call: BilledCall,
  status: number,
  usage: TokenUsage | null,
): UsageRecord {
  const { id, target, reply } = call;
  const { key, startedAt, ...request } = call.request;
  const known =
    usage === null
      ? toEstimatedUsage(call.promptTokens, call.outputTokens)
      : toBelievedUsage(usage, target.bounds);
  const charge = toCharge(known, target.tariff);
  const isBeyond = usage !== null && known !== usage;
  const isTooDear = charge.isImplausible && (usage?.costUsd ?? 0) > (charge.costUsd ?? 0);
  return {
    id,
    ...request,
    ...key.payer,
    ...reply,
    upstream: target.upstream,
    reachedLimit: null,
    status,
    tokensIn: known.inputTokens,
    tokensOut: known.outputTokens,
    cachedTokens: known.cachedInputTokens,
    cacheWriteTokens: known.cacheWriteTokens ?? 0,
    isEstimated: known.isEstimated,
    costUsd: usage === null ? toUnknownCost(call) : charge.costUsd,
    costSource: charge.source,
    reportedTokens: isBeyond
      ? usage.inputTokens + usage.outputTokens
      : (known.disputedTokens ?? null),
    reportedUsd: isTooDear ? (usage?.costUsd ?? null) : null,
    outputFactor: usage === null ? 1 : toOutputFactor(usage, target.bounds),
    costFactor: charge.source === 'reported' ? toCostFactor(known, charge, target.tariff) : 1,
    durationMs: performance.now() - startedAt,
  };
}

/** Of a request that was rejected before anything was sent. */
export function toRejectedRecord(
  request: BilledRequest,
  rejection: Pick<UsageRecord, 'id' | 'status' | 'errorCode' | 'reachedLimit'>,
): UsageRecord {
  const { key, startedAt, ...known } = request;
  return {
    ...known,
    ...key.payer,
    ...rejection,
    upstream: null,
    replyId: null,
    firstByteMs: null,
    tokensIn: 0,
    tokensOut: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    isEstimated: false,
    costUsd: null,
    costSource: null,
    reportedTokens: null,
    reportedUsd: null,
    outputFactor: 1,
    costFactor: 1,
    durationMs: performance.now() - startedAt,
  };
}

/** How many times its price by the list a reply has cost; 1: it is listed as free. */
function toCostFactor({ costUsd: _, ...usage }: TokenUsage, charge: Charge, tariff: Tariff) {
  const { costUsd: listed } = toCharge(usage, tariff);
  return listed ? (charge.costUsd ?? 0) / listed : 1;
}

/** @param model a name for the record, where the client has made up its own */
export function toFreeRecord(call: BilledCall, status: number, model: string): UsageRecord {
  const free = toUsageRecord(call, status, toEstimatedUsage(0, 0));
  return { ...free, model, isEstimated: false, costUsd: null, costSource: null };
}

/** What is recorded if the process dies now. @param progress of a reply under way; null: nothing is known of it */
export function toKilledRecord(call: BilledCall, progress: Progress | null): UsageRecord {
  if (progress !== null) return toUsageRecord(call, killedStatus, toCutUsage(call, progress));
  if (!call.request.isStreamed) return toUsageRecord(call, killedStatus, null);
  const nothing = { usage: toEstimatedUsage(0, 0), reported: null };
  return toUsageRecord(call, killedStatus, toCutUsage(call, nothing));
}

/** Of a reply that was cut off: a prompt without a reported count is charged as sent. */
export function toCutUsage(
  { promptTokens, need }: BilledCall,
  { usage, reported }: Progress,
): TokenUsage {
  return reported?.inputTokens ? usage : withSentPrompt(usage, promptTokens, need.media);
}

/** Of a request that was sent, with an unknown outcome. */
function toUnknownCost({ target, need, promptTokens, outputTokens }: BilledCall): number | null {
  const { prices } = target.tariff;
  if (prices === null) return null;
  const { fixed, perPromptToken, perOutputToken } = toRate(prices, need.surcharge, promptTokens);
  const listed = fixed + promptTokens * perPromptToken + outputTokens * perOutputToken;
  return listed === 0 ? target.tariff.shownUsd : listed;
}
