import { HttpError } from '#lib/http/errors/errors.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Reservation } from '#lib/spend/limits/limits.ts';
import { toNanoUsd, type UsageEntry } from '#lib/spend/records/usage-record.ts';
import type { UsageRecorder } from '#lib/spend/records/usage-recorder.ts';
import { type TokenUsage, toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { type GenerationObserver, observeGeneration } from './observe-generation.ts';

/** Settles one request's reservation, and records its usage or counts its rejection. */
export type RequestAccounting = Readonly<{
  observer: Omit<GenerationObserver, 'end'>;
  /** Call it as soon as the body has been read. @param models all that may reply, the requested one first */
  setRequest: (request: Readonly<{ models: readonly string[]; isStreamed: boolean }>) => void;
  setReservation: (reservation: Reservation) => void;
  /**
   * Call it before the first attempt. From here on the request has a record, also after `kill -9`.
   * @throws HttpError 503 if it cannot be stored.
   */
  open: (promptTokensEstimate: number) => void;
  /** Call it before each attempt. */
  setUpstream: (name: string) => void;
  /** Of a reply under way: what it has used so far. */
  setProgress: (usageSoFar: () => TokenUsage) => void;
  /** Call it when the first byte of the reply is sent; later calls do nothing. */
  markFirstByte: () => void;
  /** Adds what an attempt cost that has failed. */
  addCharge: (usage: TokenUsage | null) => void;
  /**
   * Ends the request with the status that the client got; only the first call of `settle` or `fail` counts.
   * @param usage null: it cost nothing.
   */
  settle: (status: number, usage: TokenUsage | null) => void;
  /** Ends it with an error response. */
  fail: (status: number, code: string) => void;
}>;

export type AccountingOptions = Readonly<{
  recorder: Pick<UsageRecorder, 'open' | 'reject'>;
  toCostUsd: (model: string, tokensIn: number, tokensOut: number) => number | null;
  /** Unix time in ms. */
  now: () => number;
}>;

/** The status of a request whose process was killed before its end. */
const interruptedStatus = 500;
/** The name of all models that no upstream knows: clients can make up any number of them. */
const unknownModel = 'unknown';

export function createRequestAccounting(
  { recorder, toCostUsd, now }: AccountingOptions,
  key: Pick<ApiKey, 'id' | 'payer'>,
  endpoint: string,
): RequestAccounting {
  const at = now();
  const startedAt = performance.now();
  let request = { model: '', isStreamed: false };
  let models: readonly string[] = [];
  let upstream: string | null = null;
  let reservation: Reservation | null = null;
  let firstByteMs: number | null = null;
  const charges: TokenUsage[] = [];
  const observer = observeGeneration(endpoint);
  let usageSoFar: (() => TokenUsage) | null = null;
  let closeRecord: ((entry: UsageEntry) => void) | null = null;
  let isSettled = false;

  function toEntry(status: number, parts: readonly TokenUsage[]): UsageEntry {
    return {
      ...key.payer,
      ...{ endpoint, upstream },
      ...request,
      ...{ at, status, firstByteMs },
      ...toTokens(parts),
      isEstimated: parts.some(({ isEstimated }) => isEstimated),
      ...toCost(parts, toHighestPrice),
      durationMs: performance.now() - startedAt,
    };
  }

  /** It is not certain which of the models has replied. */
  function toHighestPrice(tokensIn: number, tokensOut: number): number | null {
    const prices = models.map((model) => toCostUsd(model, tokensIn, tokensOut));
    const known = prices.filter((price) => price !== null);
    return known.length === 0 ? null : Math.max(...known);
  }

  function settle(status: number, usage: TokenUsage | null): void {
    if (isSettled) return;
    isSettled = true;
    if (usage !== null) charges.push(usage);
    const entry = toEntry(status, charges);
    const { tokensIn, tokensOut, durationMs } = entry;
    if (charges.length === 0) reservation?.release();
    else {
      const nanoUsd = toNanoUsd(entry.costUsd) ?? 0;
      reservation?.settle({ tokens: tokensIn + tokensOut, nanoUsd });
    }
    if (reservation !== null) channels.reservations.publish(-1);
    observer.end({ status, durationMs, firstChunkMs: firstByteMs, tokensIn, tokensOut });
    closeRecord?.(entry);
  }

  return {
    observer,
    setRequest({ models: given, isStreamed }) {
      models = given;
      request = { model: given[0] ?? '', isStreamed };
    },
    setReservation(given) {
      reservation = given;
      channels.reservations.publish(1);
    },
    open(promptTokensEstimate) {
      const prompt = toEstimatedUsage(promptTokensEstimate, 0);
      const toCurrentEntry = () =>
        toEntry(interruptedStatus, [...charges, usageSoFar?.() ?? prompt]);
      try {
        closeRecord = recorder.open(toCurrentEntry);
      } catch (error) {
        throw toUnrecordedError(error);
      }
    },
    setUpstream(name) {
      upstream = name;
      observer.startAttempt(name);
    },
    setProgress(given) {
      usageSoFar = given;
    },
    markFirstByte() {
      firstByteMs ??= performance.now() - startedAt;
    },
    addCharge(usage) {
      if (usage !== null) charges.push(usage);
      usageSoFar = null;
    },
    settle,
    fail(status, code) {
      if (isSettled) return;
      if (closeRecord === null) recorder.reject({ keyId: key.id, at, status, code });
      else if (code === 'model_not_found') request = { ...request, model: unknownModel };
      settle(status, null);
    },
  };
}

function toTokens(parts: readonly TokenUsage[]): Pick<UsageEntry, 'tokensIn' | 'tokensOut'> {
  return {
    tokensIn: parts.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    tokensOut: parts.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

/** The sum of what is known, and the least certain of its sources. */
function toCost(
  parts: readonly TokenUsage[],
  toPrice: (tokensIn: number, tokensOut: number) => number | null,
): Pick<UsageEntry, 'costUsd' | 'costSource'> {
  const costs = parts
    .map(({ costUsd, inputTokens, outputTokens, isEstimated }) =>
      costUsd === undefined
        ? ({
            usd: toPrice(inputTokens, outputTokens),
            source: isEstimated ? 'estimate' : 'price',
          } as const)
        : ({ usd: costUsd, source: 'reported' } as const),
    )
    .filter(({ usd }) => usd !== null);
  const sources = (['estimate', 'price', 'reported'] as const).filter((source) =>
    costs.some((cost) => cost.source === source),
  );
  return {
    costUsd: costs.length === 0 ? null : costs.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    costSource: sources[0] ?? null,
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
