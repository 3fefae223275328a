import type { ApiKey } from '../keys/api-key.ts';
import type { Reservation } from '../limits/limits.ts';
import type { TokenUsage } from '../metering/token-usage.ts';
import type { UsageMeter } from '../metering/usage-meter.ts';

/** Settles one request's reservation and writes its one usage record. */
export type RequestAccounting = Readonly<{
  /** Call it as soon as the body has been read. */
  setRequest: (request: Readonly<{ model: string; isStreamed: boolean }>) => void;
  /** Call it before each attempt. */
  setUpstream: (name: string) => void;
  setReservation: (reservation: Reservation) => void;
  /** Call it when the first byte of the reply is sent; later calls do nothing. */
  markFirstByte: () => void;
  /** Adds what an attempt cost that has failed. */
  addCharge: (usage: TokenUsage | null) => void;
  /**
   * Ends the request with the status that the client got; only the first call counts.
   * @param usage null: it cost nothing.
   */
  settle: (status: number, usage: TokenUsage | null) => void;
}>;

export type AccountingOptions = Readonly<{
  meter: Pick<UsageMeter, 'record'>;
  toCostUsd: (model: string, tokensIn: number, tokensOut: number) => number | null;
  /** Unix time in ms. */
  now: () => number;
}>;

export function createRequestAccounting(
  { meter, toCostUsd, now }: AccountingOptions,
  key: Pick<ApiKey, 'id'>,
  endpoint: string,
): RequestAccounting {
  const at = now();
  const startedAt = performance.now();
  let request = { model: '', isStreamed: false };
  let upstream: string | null = null;
  let reservation: Reservation | null = null;
  let firstByteMs: number | null = null;
  let isSettled = false;
  let charge: TokenUsage | null = null;
  return {
    setRequest(given) {
      request = given;
    },
    setUpstream(name) {
      upstream = name;
    },
    setReservation(given) {
      reservation = given;
    },
    markFirstByte() {
      firstByteMs ??= performance.now() - startedAt;
    },
    addCharge(usage) {
      charge = addUsage(charge, usage);
    },
    settle(status, ownUsage) {
      if (isSettled) return;
      isSettled = true;
      const usage = addUsage(charge, ownUsage);
      const tokensIn = usage?.inputTokens ?? 0;
      const tokensOut = usage?.outputTokens ?? 0;
      if (usage === null) reservation?.release();
      else reservation?.settle(tokensIn + tokensOut);
      meter.record({
        keyId: key.id,
        ...{ endpoint, upstream },
        ...request,
        ...{ at, status, tokensIn, tokensOut, firstByteMs },
        isEstimated: usage?.isEstimated ?? false,
        costUsd:
          usage === null ? null : (usage.costUsd ?? toCostUsd(request.model, tokensIn, tokensOut)),
        durationMs: performance.now() - startedAt,
      });
    },
  };
}

function addUsage(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    ...other,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    isEstimated: one.isEstimated || other.isEstimated,
  };
}
