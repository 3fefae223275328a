import { HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { Payer } from './budgets.ts';
import type { Demand, LimitedKey, Limits, Reservation } from './limits/limits.ts';
import {
  type Prices,
  type Rate,
  type Surcharge,
  type Tariff,
  toCharge,
  toNanoUsd,
  toRate,
} from './prices.ts';
import type { UsageEntry } from './records/usage-queue.ts';
import type { UsageRecorder } from './records/usage-recorder.ts';
import { type PromptFactors, promptTokensLeast, unknownFactor } from './usage/prompt-factors.ts';
import { type TokenUsage, toEstimatedUsage } from './usage/token-usage.ts';

/** Who asks for what. */
type BilledRequest = Readonly<{
  key: LimitedKey & Readonly<{ payer: Payer; owner: string }>;
  endpoint: string;
  /** As the client names it. */
  model: string;
  isStreamed: boolean;
  /** See `UsageRecord`. */
  session: string | null;
  /** When the request arrived: Unix ms, and by the monotonic clock. */
  at: number;
  startedAt: number;
  onSettled: (entry: UsageEntry) => void;
}>;

/** What a request may need, before it is sent. Token counts of replies are those of all its choices together. */
export type Need = Readonly<{
  promptTokensEstimate: number;
  /** Files have any number of tokens: nothing is learned from them, nor for them. */
  hasFiles: boolean;
  outputTokensMin: number;
  /** Reserved at first. */
  outputTokensMax: number;
  /** Prompt and reply together; null: unknown. */
  contextTokens: number | null;
  /** The dearest of those that may serve; null: no price is known, or no budget is in dollars. */
  prices: Prices | null;
  surcharge: Surcharge;
}>;

export type BillParts = Readonly<{
  limits: Pick<Limits, 'reserve'>;
  recorder: Pick<UsageRecorder, 'open'>;
  factors: PromptFactors;
  log: Log;
}>;

/** The upstream that is called. */
type BilledTarget = Readonly<{ upstream: string; tariff: Tariff }>;

/** What a reply has used that is not complete, and what its upstream has reported of that. */
export type Progress = Readonly<{ usage: TokenUsage; reported: TokenUsage | null }>;

/**
 * One call of an upstream in money: what it has reserved, its record, and its price. It is settled or released exactly
 * once: only the first of these counts.
 */
export type Bill = Readonly<{
  reservation: Reservation;
  /** Neither settled nor handed over. */
  isOpen: () => boolean;
  /** Whether it has a record: nothing was called before. */
  isRecorded: () => boolean;
  /** It is settled in the background, where the call goes on without its client. */
  handOver: () => void;
  /**
   * Call it before the upstream is called. From here on the call has a record, also after `kill -9`.
   * @throws HttpError 503 if it cannot be stored.
   */
  start: (target: BilledTarget) => Promise<void>;
  /** Of a reply under way: what it has used so far. */
  setProgress: (readProgress: () => Progress) => void;
  /** The first byte of the reply is sent; later calls do nothing. */
  markFirstByte: () => void;
  /** Reserves so many more tokens for the reply, as far as they are left. Returns how many are reserved in all. */
  extend: (outputTokens: number) => Promise<number>;
  /** @param status that the client got. @param usage null: unknown, so that all that is reserved is charged. */
  settle: (status: number, usage: TokenUsage | null) => UsageEntry;
  /** The same for a reply that was cut off: a prompt without a reported count costs what is reserved for it. */
  settleCut: (status: number, progress: Progress) => UsageEntry;
  /** It cost nothing. @param model a name for the record, where the client has made up its own */
  release: (status: number, model?: string) => UsageEntry;
}>;

/** The status of a request whose process was killed before its end. */
const killedStatus = 500;

/** Reserves what a request may need. @throws HttpError 402 or 429 if that is not left */
export async function openBill(
  parts: BillParts,
  request: BilledRequest,
  need: Need,
): Promise<Bill> {
  const { limits, recorder, factors } = parts;
  const { key, endpoint, isStreamed, at, startedAt } = request;
  const { promptTokensEstimate, hasFiles, surcharge } = need;
  const reservation = await limits.reserve(key, toDemand(factors, request, need));
  channels.reservations.publish(1);
  let outputTokens = reservation.outputTokens;
  let target: BilledTarget | null = null;
  let firstByteMs: number | null = null;
  let readProgress: (() => Progress) | null = null;
  let closeRecord: ((entry: UsageEntry) => void) | null = null;
  let settled: UsageEntry | null = null;
  let isHandedOver = false;

  function toEntry(status: number, usage: TokenUsage | null): UsageEntry {
    const known = usage ?? toEstimatedUsage(reservation.promptTokens, outputTokens);
    const charge = target === null ? noCharge : toCharge(known, target.tariff);
    return {
      ...key.payer,
      endpoint,
      upstream: target?.upstream ?? null,
      session: request.session,
      model: request.model,
      isStreamed,
      at,
      status,
      firstByteMs,
      tokensIn: known.inputTokens,
      tokensOut: known.outputTokens,
      cachedTokens: known.cachedInputTokens,
      cacheWriteTokens: known.cacheWriteTokens ?? 0,
      isEstimated: known.isEstimated,
      costUsd: usage === null ? toUnknownCost() : charge.costUsd,
      costSource: charge.source,
      durationMs: performance.now() - startedAt,
    };
  }

  /** Of a request that was sent, with an unknown outcome. */
  function toUnknownCost(): number | null {
    const tariff = target?.tariff;
    if (tariff === undefined || tariff.prices === null) return null;
    const { fixed, perPromptToken, perOutputToken } = toRate(tariff.prices, surcharge);
    return fixed + reservation.promptTokens * perPromptToken + outputTokens * perOutputToken;
  }

  function end(entry: UsageEntry, isFree: boolean): UsageEntry {
    if (settled !== null) return settled;
    settled = entry;
    request.onSettled(entry);
    channels.reservations.publish(-1);
    if (isFree) reservation.release();
    else {
      const { tokensIn, tokensOut, costUsd } = entry;
      reservation.settle({ tokens: tokensIn + tokensOut, nanoUsd: toNanoUsd(costUsd) ?? 0 });
    }
    closeRecord?.(entry);
    return entry;
  }

  function learn(usage: TokenUsage | null): void {
    if (!usage?.inputTokens || hasFiles) return;
    factors.learn(request.model, key.owner, {
      estimate: promptTokensEstimate,
      actual: usage.inputTokens,
    });
  }

  function toCutUsage({ usage, reported }: Progress): TokenUsage {
    if (reported?.inputTokens) return usage;
    const inputTokens = Math.max(usage.inputTokens, reservation.promptTokens);
    return { ...usage, inputTokens, isEstimated: true };
  }

  function toProgress(): UsageEntry {
    if (readProgress === null && !isStreamed) return toEntry(killedStatus, null);
    const progress = readProgress?.() ?? { usage: toEstimatedUsage(0, 0), reported: null };
    return toEntry(killedStatus, toCutUsage(progress));
  }

  return {
    reservation,
    isOpen: () => settled === null && !isHandedOver,
    isRecorded: () => closeRecord !== null,
    handOver() {
      isHandedOver = true;
    },
    async start(next) {
      target = next;
      readProgress = null;
      if (closeRecord !== null) return;
      try {
        closeRecord = await recorder.open(toProgress);
      } catch (cause) {
        throw toUnrecordedError(cause);
      }
    },
    setProgress(read) {
      readProgress = read;
    },
    markFirstByte() {
      firstByteMs ??= performance.now() - startedAt;
    },
    async extend(more) {
      outputTokens += await reservation.extend(more);
      return outputTokens;
    },
    settle(status, usage) {
      if (settled !== null) return settled;
      learn(usage);
      if (usage !== null) checkCost(parts.log, { usage, target, model: request.model });
      return end(toEntry(status, usage), false);
    },
    settleCut(status, progress) {
      if (settled !== null) return settled;
      learn(progress.reported);
      const usage = toCutUsage(progress);
      checkCost(parts.log, { usage, target, model: request.model });
      return end(toEntry(status, usage), false);
    },
    release(status, model = request.model) {
      const free = { ...toEntry(status, toEstimatedUsage(0, 0)), isEstimated: false };
      return end({ ...free, model, costUsd: null, costSource: null }, true);
    },
  };
}

/** A prompt needs as many tokens for its estimate as those of its owner have really needed. */
function toDemand(factors: PromptFactors, { key, model }: BilledRequest, need: Need): Demand {
  const { promptTokensEstimate, hasFiles, contextTokens, prices, surcharge } = need;
  const { outputTokensMin, outputTokensMax } = need;
  const factor = hasFiles ? unknownFactor : factors.factorOf(model, key.owner);
  const expected =
    promptTokensEstimate === 0 ? 0 : Math.max(promptTokensEstimate * factor, promptTokensLeast);
  const inContext = Math.min(expected, contextTokens ?? Number.POSITIVE_INFINITY);
  return {
    promptTokens: promptTokensEstimate,
    promptTokensExpected: Math.max(promptTokensEstimate, inContext),
    outputTokensMin,
    outputTokensMax,
    price: toNanoRate(prices === null ? free : toRate(prices, surcharge)),
  };
}

type ReportedCost = Readonly<{ usage: TokenUsage; target: BilledTarget | null; model: string }>;

/** Reports a cost that is not believed. */
function checkCost(log: Log, { usage, target, model }: ReportedCost): void {
  if (target === null || !toCharge(usage, target.tariff).isImplausible) return;
  const { upstream } = target;
  const { costUsd } = usage;
  channels.implausibleCost.publish({ upstream });
  log.warn(
    { reason: 'implausible_cost', upstream, model: model.slice(0, 100), costUsd },
    'an upstream reports a cost that is not believed: its tokens are charged by the list',
  );
}

const free: Rate = { fixed: 0, perPromptToken: 0, perOutputToken: 0 };
const noCharge = { costUsd: null, source: null, isImplausible: false } as const;

function toNanoRate({ fixed, perPromptToken, perOutputToken }: Rate): Rate {
  return {
    fixed: fixed * 1e9,
    perPromptToken: perPromptToken * 1e9,
    perOutputToken: perOutputToken * 1e9,
  };
}

function toUnrecordedError(cause: unknown): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message: 'Usage cannot be recorded at the moment. Try again in a few seconds.',
    headers: { 'Retry-After': '10' },
    reason: 'usage_not_stored',
    cause,
  });
}
