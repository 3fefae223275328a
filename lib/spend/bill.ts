import type { Log } from '#lib/http/log.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { AccountLimit, AccountUse, Payer } from './budgets.ts';
import { type Demand, type Granted, toCost, toWhole, toWholeDemand } from './ledger/decide.ts';
import type { Leases } from './ledger/leases.ts';
import type { Ledger } from './ledger/ledger.ts';
import { toUsageRecord, type UsageEntry } from './ledger/usage-record.ts';
import { type Prices, type Rate, type Surcharge, type Tariff, toCharge, toRate } from './prices.ts';
import { orUnavailable, requireGranted, toReservationHeaders } from './rate-limits.ts';
import type { MediaCount } from './usage/estimate-tokens.ts';
import { type PromptFactors, toExpectedTokens, toSentTokens } from './usage/prompt-factors.ts';
import { type TokenUsage, toEstimatedUsage, withSentPrompt } from './usage/token-usage.ts';

/** Who asks for what. */
type BilledRequest = Readonly<{
  key: Readonly<{ limits: readonly AccountLimit[]; payer: Payer; owner: string }>;
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
  media: Pick<MediaCount, 'audioTokens' | 'cached'>;
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
  ledger: Pick<Ledger, 'reserve' | 'extend' | 'end' | 'cancel'>;
  leases: Pick<Leases, 'add' | 'remove'>;
  /** Of records: unique, and ascending with time. */
  nextId: () => string;
  factors: PromptFactors;
  /** Unix ms. */
  now: () => number;
  log: Log;
}>;

/** The upstream that is called. */
export type BilledTarget = Readonly<{ upstream: string; tariff: Tariff }>;

/** What a reply has used that is not complete, and what its upstream has reported of that. */
export type Progress = Readonly<{ usage: TokenUsage; reported: TokenUsage | null }>;

/** What is reserved at first. */
export type Reservation = Pick<Granted, 'promptTokens' | 'outputTokens' | 'outputTokensLeft'> &
  Readonly<{
    /** The `x-ratelimit-*-tokens` headers, and a warning where little is left of a budget. */
    headers: HeaderFields;
  }>;

/**
 * One call of an upstream in money: what it has reserved, its record, and its price. It is settled or released exactly
 * once: only the first of these counts. Its record is in the database from the start, also after `kill -9`.
 */
export type Bill = Readonly<{
  reservation: Reservation;
  /** Neither settled nor handed over. */
  isOpen: () => boolean;
  /** An upstream was called: its record stays. */
  wasSent: () => boolean;
  /** It is settled in the background, where the call goes on without its client. */
  handOver: () => void;
  /** Call it before the upstream is called. */
  start: (target: BilledTarget) => void;
  /** Of a reply under way: what it has used so far. */
  setProgress: (readProgress: () => Progress) => void;
  /** The first byte of the reply is sent; later calls do nothing. */
  markFirstByte: () => void;
  /** Reserves so many more tokens for the reply, as far as they are left. Returns how many are reserved in all. */
  extend: (outputTokens: number) => Promise<number>;
  /**
   * @param status that the client got
   * @param usage null: unknown, so that the prompt is charged as sent, and all that is reserved for the reply
   */
  settle: (status: number, usage: TokenUsage | null) => UsageEntry;
  /** The same for a reply that was cut off: a prompt without a reported count is charged as sent. */
  settleCut: (status: number, progress: Progress) => UsageEntry;
  /** It cost nothing. @param model a name for the record, where the client has made up its own */
  release: (status: number, model?: string) => UsageEntry;
}>;

/** The status of a request whose process was killed before its end. */
const killedStatus = 500;

/**
 * Reserves what a request may need. @param first the target that is called first.
 * @throws HttpError 402 or 429 if that is not left, 503 while the database is away
 */
export async function openBill(
  parts: BillParts,
  request: BilledRequest,
  { need, first }: Readonly<{ need: Need; first: BilledTarget }>,
): Promise<Bill> {
  const { ledger, leases, factors, now } = parts;
  const { key, endpoint, isStreamed, at, startedAt } = request;
  const { promptTokensEstimate, hasFiles, surcharge } = need;
  const { limits } = key;
  const demand = toWholeDemand(toDemand(factors, request, need));
  const id = parts.nextId();
  let target: BilledTarget = first;
  let wasSent = false;
  let outputTokens = 0;
  let firstByteMs: number | null = null;
  let readProgress: (() => Progress) | null = null;
  let settled: UsageEntry | null = null;
  let isHandedOver = false;

  const { decision, uses } = await orUnavailable(
    ledger.reserve(id, { limits, at, demand, toRecord: toFirstRecord }),
  );
  const granted = requireGranted(decision, limits, uses, now());
  const opened = toFirstRecord(granted);
  leases.add(opened, () => toUsageRecord(toProgress(), id, now()));
  channels.reservations.publish(1);

  function toFirstRecord(granted: Granted) {
    outputTokens = granted.outputTokens;
    return toUsageRecord(toProgress(), id, now());
  }

  /** By its estimate and what prompts of its owner have needed, whatever is reserved for it. */
  function toPromptTokens(): number {
    return toSentTokens(promptTokensEstimate, findFactor(factors, request, need));
  }

  function toEntry(status: number, usage: TokenUsage | null): UsageEntry {
    const known = usage ?? toEstimatedUsage(toPromptTokens(), outputTokens);
    const charge = toCharge(known, target.tariff);
    return {
      ...key.payer,
      endpoint,
      upstream: target.upstream,
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
    const { prices } = target.tariff;
    if (prices === null) return null;
    const { fixed, perPromptToken, perOutputToken } = toRate(prices, surcharge);
    return fixed + toPromptTokens() * perPromptToken + outputTokens * perOutputToken;
  }

  function end(entry: UsageEntry): UsageEntry {
    if (settled !== null) return settled;
    settled = entry;
    leases.remove(id);
    channels.reservations.publish(-1);
    if (wasSent) ledger.end(toUsageRecord(entry, id, now()));
    else ledger.cancel(id);
    request.onSettled(entry);
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
    return withSentPrompt(usage, toPromptTokens(), need.media);
  }

  function toProgress(): UsageEntry {
    if (readProgress === null && !isStreamed) return toEntry(killedStatus, null);
    const progress = readProgress?.() ?? { usage: toEstimatedUsage(0, 0), reported: null };
    return toEntry(killedStatus, toCutUsage(progress));
  }

  return {
    reservation: {
      ...granted,
      headers: toReservationHeaders(limits, addReserved(uses, granted, demand), now()),
    },
    isOpen: () => settled === null && !isHandedOver,
    wasSent: () => wasSent,
    handOver() {
      isHandedOver = true;
    },
    start(next) {
      target = next;
      readProgress = null;
      wasSent = true;
    },
    setProgress(read) {
      readProgress = read;
    },
    markFirstByte() {
      firstByteMs ??= performance.now() - startedAt;
    },
    async extend(more) {
      const extension = { id, limits, at, demand: toExtension(more, demand.price) };
      // While the database is away, a reply goes on within what is reserved.
      if (settled === null) outputTokens += await ledger.extend(extension).catch(() => 0);
      return outputTokens;
    },
    settle(status, usage) {
      if (settled !== null) return settled;
      learn(usage);
      if (usage !== null) checkCost(parts.log, { usage, target, model: request.model });
      return end(toEntry(status, usage));
    },
    settleCut(status, progress) {
      if (settled !== null) return settled;
      learn(progress.reported);
      const usage = toCutUsage(progress);
      checkCost(parts.log, { usage, target, model: request.model });
      return end(toEntry(status, usage));
    },
    release(status, model = request.model) {
      const free = { ...toEntry(status, toEstimatedUsage(0, 0)), isEstimated: false };
      return end({ ...free, model, costUsd: null, costSource: null });
    },
  };
}

/** Of files nothing is known. */
function findFactor(
  factors: PromptFactors,
  { key, model }: BilledRequest,
  { hasFiles }: Need,
): number | null {
  return hasFiles ? null : factors.factorOf(model, key.owner);
}

/** A prompt needs as many tokens for its estimate as those of its owner have really needed. */
function toDemand(factors: PromptFactors, request: BilledRequest, need: Need): Demand {
  const { promptTokensEstimate, contextTokens, prices, surcharge } = need;
  const { outputTokensMin, outputTokensMax } = need;
  const expected = toExpectedTokens(promptTokensEstimate, findFactor(factors, request, need));
  const inContext = Math.min(expected, contextTokens ?? Number.POSITIVE_INFINITY);
  return {
    promptTokens: promptTokensEstimate,
    promptTokensExpected: Math.max(promptTokensEstimate, inContext),
    outputTokensMin,
    outputTokensMax,
    price: toNanoRate(prices === null ? free : toRate(prices, surcharge)),
  };
}

/** More tokens of the reply. */
function toExtension(outputTokens: number, { perOutputToken }: Rate): Demand {
  return {
    promptTokens: 0,
    promptTokensExpected: 0,
    outputTokensMin: 0,
    outputTokensMax: toWhole(outputTokens),
    price: { fixed: 0, perPromptToken: 0, perOutputToken },
  };
}

function addReserved(
  uses: readonly AccountUse[],
  { promptTokens, outputTokens }: Granted,
  { price }: Demand,
): AccountUse[] {
  const nanoUsd = toCost(price, promptTokens, outputTokens);
  return uses.map((use) => ({
    ...use,
    reservedTokens: use.reservedTokens + promptTokens + outputTokens,
    reservedNanoUsd: use.reservedNanoUsd + nanoUsd,
  }));
}

type ReportedCost = Readonly<{ usage: TokenUsage; target: BilledTarget; model: string }>;

/** Reports a cost that is not believed. */
function checkCost(log: Log, { usage, target, model }: ReportedCost): void {
  if (!toCharge(usage, target.tariff).isImplausible) return;
  const { upstream } = target;
  const { costUsd } = usage;
  channels.implausibleCost.publish({ upstream });
  log.warn(
    { reason: 'implausible_cost', upstream, model: model.slice(0, 100), costUsd },
    'an upstream reports a cost that is not believed: its tokens are charged by the list',
  );
}

const free: Rate = { fixed: 0, perPromptToken: 0, perOutputToken: 0 };

function toNanoRate({ fixed, perPromptToken, perOutputToken }: Rate): Rate {
  return {
    fixed: fixed * 1e9,
    perPromptToken: perPromptToken * 1e9,
    perOutputToken: perOutputToken * 1e9,
  };
}
